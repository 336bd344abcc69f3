/* A warp's shelf: shared memory of its own, where the next block of its rows arrives while it works on this one.
 *
 *     for (j = 0; j < m; j += 32) s += A[t*m + j] * x[j] + ...        128 bytes of each row: 4096 of a warp, and as many of x
 *
 * Few warps wait for memory, and then for shuffles. Asynchronous copies take up no registers, so that a block is under way all
 * the time, and each lane finds its own row on the shelf. What all lanes load alike rides beside the rows: else its words, loaded
 * ahead, would fill the registers. 1024 rows of 1024 floats took 82.7 us in plain clang, 41.9 by shuffles, 13.7 so (H200).
 *
 * Rows that do not begin at multiples of a copy's bytes are copied in the aligned pieces that hold them, one more each, so that all blocks
 * that have a shelf use it: no shuffles would make up for the threads that find no room beside shelves.
 *
 * The loop does nothing but load; each row moves on by a number of bytes, so that what is tested of one block holds of the next;
 * and what else the kernel loads does not live on the first-level cache, which lies in the same memory. */
#include "analysis/plan/plan.h"
#include "analysis/rings/rings.h"

const char *shelf_name(Arena *arena, LLVMValueRef kernel)
{
    size_t length;
    return arena_text(arena, "%s.shelf", LLVMGetValueName2(kernel, &length));
}

/* ---- the loop ---- */

static bool is_quiet(IrLoop *loop)
{
    LLVMBasicBlockRef body = ir_loop_header(loop);
    for (LLVMValueRef i = LLVMGetFirstInstruction(body); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i) || !is_unordered(i))
            return false;
    return true;
}

static bool needs_no_cache(const Access *access)
{
    bool in_memory = access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC;
    bool walks = access->kind == CLASS_WALK && !walk_meets_again(access);
    return !in_memory || walks || access->kind == CLASS_UNIFORM || access->kind == CLASS_UNIT;
}

bool kernel_has_shelf(const Kernel *kernel)
{
    return LLVMGetNamedGlobal(kernel->module, shelf_name(kernel->arena, kernel->function)) != NULL;
}

/* May a shelf serve the loop? */
static bool suits(const Kernel *kernel, IrLoop *loop)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(ir_loop_header(loop));
    if (function != kernel->function || !function_is_kernel(function) || kernel_is_turned(kernel) ||
        kernel->options.arch < ASYNC_ARCH || !ir_loop_is_one_block(loop) || !is_quiet(loop))
        return false;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->loop == loop && (!needs_no_cache(access) || access_is_without(access, FEATURE_SHELVES) ||
                                     ir_is_marked(access->instruction, UNSHELVED_METADATA)))
            return false;
    }
    return !shared_is_dynamic(kernel) && !kernel->found.calls_elsewhere && !kernel_has_shelf(kernel) /* from another run */;
}

static bool is_exchanged(const Kernel *kernel, const Access *access)
{
    const List *groups = map_get(kernel->plan->grouped, access->instruction);
    for (size_t i = 0; groups && i < groups->count; i++)
        if (((const Group *)groups->item[i])->choice.action == ACTION_EXCHANGE)
            return ir_loop_is_one_block(access->loop);
    return false;
}

/* What remains of rows that move in blocks is less than one of them. */
static bool is_short(const Kernel *kernel, const Access *access)
{
    int64_t most = ir_loop_most_trips(kernel->ir, access->loop);
    bool is_rest = access->kind == CLASS_WALK && most && most * (int64_t)magnitude(access->step) <= CHUNK_BYTES;
    return is_rest || ir_is_marked(access->instruction, REST_METADATA);
}

/* Do the kernel's other loops do without the first-level cache, which the shelves make smaller?
 * A box that slides along rows came to 0.62 of what it is with 32 KB of a block's shared memory in place of shuffles (H200). */
static bool others_suit(const Kernel *kernel, IrLoop *loop)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (!access->loop || access->loop == loop || is_short(kernel, access))
            continue;
        if (!needs_no_cache(access) || (access->kind == CLASS_WALK && !is_exchanged(kernel, access)))
            return false;
    }
    return true;
}

bool shelf_suits(const Kernel *kernel, const Access *walk)
{
    return walk->bytes % WORD_BYTES == 0 && walk->alignment >= WORD_BYTES && suits(kernel, walk->loop) &&
           others_suit(kernel, walk->loop);
}

bool shelf_awaits(const Kernel *kernel, const Access *walk, bool alone)
{
    int64_t step;
    if (walk->bytes % WORD_BYTES || !suits(kernel, walk->loop))
        return false;
    if (alone && walk->bytes == WORD_BYTES && others_suit(kernel, walk->loop))
        return true;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->loop == walk->loop && access->kind == CLASS_UNIFORM && access->bytes == walk->bytes &&
            ir_step(kernel->ir, kernel->function, ir_loop_header(walk->loop), access->pointer, &step) && step == walk->step)
            return true;
    }
    return false;
}

/* ---- the next iteration ---- */

static bool moves_by(const Kernel *kernel, const Group *group, const Access *access, int64_t *bytes)
{
    return ir_step(kernel->ir, kernel->function, group->block, access->pointer, bytes);
}

/* All that is tested of the group's addresses holds of the next block, if of this one. */
static bool moves_together(const Kernel *kernel, const Group *group, int64_t *step)
{
    int64_t other;
    if (!moves_by(kernel, group, group->root, step))
        return false;
    for (size_t i = 0; i < group_places(group); i++) {
        const Member *member = group_place(group, i);
        if (member->tested && !(moves_by(kernel, group, member->access, &other) && other == *step))
            return false;
    }
    return group->tests.conflicts.count == 0 && group->follows.count == 0;
}

int64_t shelf_part_bytes(const Part *part) { return (int64_t)part->unit * (part->count + 1) * WARP_LANES; }

/* Bytes of the warp's rows; 0: asynchronous copies would be too many, or not stay aligned, or go downwards, as they have never been measured. */
static int64_t row_bytes(const Group *group, int64_t step)
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    int64_t bytes = 0;
    for (int i = 0; i < layout->parts; i++) {
        const Part *part = &layout->part[i];
        if (part->unit != COPY_WIDEST || part->count < 2 || step % COPY_WIDEST || step < 0)
            return 0;
        bytes += shelf_part_bytes(part);
    }
    return group->root->kind == CLASS_WALK && group->choice.action == ACTION_EXCHANGE ? bytes : 0;
}

/* Can the row be copied in the aligned pieces that hold it, wherever its words lie? */
static bool goes_anyhow(const Group *group)
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    for (int i = 0; i < layout->parts; i++) {
        const Part *part = &layout->part[i];
        if (!part->consecutive || part->offset % WORD_BYTES || part->count != warp_pairs(part->count))
            return false;
    }
    return group->root->alignment >= WORD_BYTES && group->low % WORD_BYTES == 0;
}

/* Words of which a line of each row is moved at a time. */
static bool moves_lines(const Group *group)
{
    const Layout *layout = &group->choice.layout[LAYOUT_LIKELY];
    for (int i = 0; i < layout->parts; i++)
        if (layout->part[i].unit * layout->part[i].count != LINE_BYTES)
            return false;
    return group->root->bytes == WORD_BYTES;
}

/* Whole lines, of which each lane of a warp copies a word. */
int64_t shelf_rider_bytes(const Group *group)
{
    int64_t bytes = group->choice.moves == MOVES_RIDING ? group->high - group->low : 0;
    return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

bool shelf_carries(const Kernel *kernel, const Group *group)
{
    IrLoop *loop = ir_loop_of(kernel->ir, group->block);
    int64_t bytes = group->high - group->low, step;
    for (size_t i = 0; i < group->members.count; i++) {
        const Member *member = member_at(group, i);
        if (member->access->bytes % WORD_BYTES || (member->offset - group->low) % WORD_BYTES || member->access->partner)
            return false;
    }
    bool half = bytes == LINE_BYTES / 2 && ir_is_marked(group->root->instruction, SHELF_METADATA);
    bool fits = (half || (bytes > 0 && bytes <= GROUP_BYTES && bytes % LINE_BYTES == 0)) && group->covered == bytes &&
                group->root->alignment >= WORD_BYTES && group->low % WORD_BYTES == 0;
    return fits && group->op == OP_LOAD && loop && ir_loop_header(loop) == group->block && suits(kernel, loop) &&
           moves_together(kernel, group, &step) && step % WORD_BYTES == 0;
}

/* ---- the kernel ---- */

/* Is no row of it, as far as the loop goes by constants, long enough for a shelf to gain? */
static bool rows_are_short(const Kernel *kernel, const Region *region, const Shelf *shelf)
{
    const Group *first = region->groups.item[0];
    int64_t most = ir_loop_most_trips(kernel->ir, ir_loop_of(kernel->ir, first->block)), bytes = 0;
    for (size_t i = 0; i < region->groups.count; i++)
        bytes = shelf->step[i] > bytes ? shelf->step[i] : bytes;
    return most && most * bytes < (int64_t)kernel->options.cost.SHELF_ROW;
}

static Shelf *shelf_of(const Kernel *kernel, const Region *region)
{
    const Group *first = region->groups.item[0];
    IrLoop *loop = ir_loop_of(kernel->ir, first->block);
    if (!loop || region->blocks.count || region->gathers || region->groups.count > SHELF_GROUPS ||
        ir_loop_header(loop) != first->block || !suits(kernel, loop) || !others_suit(kernel, loop) ||
        !loop_tells_ahead(kernel->arena, loop))
        return NULL;
    Shelf *shelf = ARENA_NEW(region->arena, Shelf);
    shelf->slots = loop_tells_far(kernel->arena, loop) ? (int)kernel->options.cost.SHELF_SLOTS : 1;
    bool rides = false, rows = false, anyhow = true;
    for (size_t i = 0; i < region->groups.count; i++) {
        const Group *group = region->groups.item[i];
        if (group->op != OP_LOAD || group->root->partner || !moves_together(kernel, group, &shelf->step[i]))
            return NULL;
        rides |= group->choice.moves == MOVES_RIDING;
        rows |= !group_is_uniform(group);
        int64_t bytes = group_is_uniform(group) ? SHELF_SIDES * shelf_rider_bytes(group) : row_bytes(group, shelf->step[i]);
        if (!group_is_uniform(group) && !bytes)
            return NULL;
        shelf->bytes += bytes;
        anyhow &= group_is_uniform(group) || goes_anyhow(group);
    }
    shelf->element = first->root->bytes;
    shelf->anyhow = anyhow;
    shelf->alone = anyhow && region->groups.count == 1 && moves_lines(first);
    shelf->marked = anyhow && ir_is_marked(first->root->instruction, SHELF_METADATA);
    shelf->masked = ir_is_marked(first->root->instruction, MASKED_METADATA);
    return (rides || shelf->alone || shelf->marked) && rows && !rows_are_short(kernel, region, shelf) ? shelf : NULL;
}

static bool is_alone(const List *regions, const Region *region)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(region->first);
    for (size_t i = 0; i < regions->count; i++) {
        const Region *other = regions->item[i];
        if (other != region && LLVMGetInstructionParent(other->first) == block)
            return false;
    }
    return true;
}

/* Warps of a block that have one where nobody says how many there are. */
static int usual_warps(const Costs *costs, const Shelf *shelf)
{
    if (shelf->marked)
        return (int)costs->SHELVES;
    bool many = shelf->alone && !shelf->masked;
    return (int)(shelf->element > WORD_BYTES ? costs->WIDE_SHELVES : many ? costs->ROW_SHELVES : costs->SHELVES);
}

/* As many warps as a block has. Where that is not known, so few that small blocks keep away no more than registers do; of wider
 * elements, which take more of these, more (SHELVES, WIDE_SHELVES): so the remark asks for launch bounds. */
static bool choose_warps(const Kernel *kernel, Shelf *shelf)
{
    const Costs *costs = &kernel->options.cost;
    int limit = form_shape(kernel->forms).limit, usual = usual_warps(costs, shelf);
    int64_t room = shared_room(kernel);
    shelf->sized = limit && !kernel->options.shape.limit; /* what an option says of the block is tested */
    int seen = kernel->launched.threads; /* other blocks take the rest's loop, where the test on entry sends them */
    shelf->warps = ((limit ? limit : seen ? seen : usual * WARP_LANES) + WARP_LANES - 1) / WARP_LANES;
    while (!limit && !seen && shelf->warps > costs->LEAST_SHELVES && shelf->warps * shelf->bytes > room)
        shelf->warps /= 2;
    return shelf->warps * shelf->bytes <= room;
}

/* Slots of each warp in blocks that have fewer warps than there are shelves. Where it is known how large blocks are, each shelf is some warp's:
 * what it takes to ask would cost blocks of that size up to 4% (H100). */
static int most_slots(const Kernel *kernel, const Shelf *shelf)
{
    bool known = form_shape(kernel->forms).limit || kernel->launched.threads;
    int slots = known ? 1 : shelf->slots;
    while (slots > 1 && (slots > shelf->warps || slots & (slots - 1)))
        slots--;
    return slots;
}

/* Loops share the kernel's shelves, and its warps are not all in the same one: each has the same place in all of them, and as many slots. */
static bool share(const Kernel *kernel, const List *shelves)
{
    Shelf all = {.alone = true, .marked = true, .slots = MOST_SLOTS};
    for (size_t i = 0; i < shelves->count; i++) {
        const Shelf *shelf = shelves->item[i];
        all.bytes = shelf->bytes > all.bytes ? shelf->bytes : all.bytes;
        all.element = shelf->element > all.element ? shelf->element : all.element;
        all.alone &= shelf->alone;
        all.marked &= shelf->marked;
        all.masked |= shelf->masked;
        all.slots = shelf->slots < all.slots ? shelf->slots : all.slots;
    }
    bool fits = choose_warps(kernel, &all);
    all.slots = most_slots(kernel, &all);
    for (size_t i = 0; i < shelves->count; i++) {
        Shelf *shelf = shelves->item[i];
        shelf->bytes = all.bytes;
        shelf->warps = all.warps;
        shelf->sized = all.sized;
        shelf->slots = all.slots;
    }
    return fits;
}

/* Does the region walk rows by shuffles, which would find less room beside shelves? */
static bool walks_by_shuffles(const Kernel *kernel, const Region *region)
{
    for (size_t i = 0; i < region->groups.count && !region->shelf; i++) {
        const Group *group = region->groups.item[i];
        bool walks = group->root->kind == CLASS_WALK && group->choice.action == ACTION_EXCHANGE;
        if (walks && group->root->loop && !is_short(kernel, group->root))
            return true;
    }
    return false;
}

/* Rows with nothing beside them have their shelves where all that the kernel walks has: a softmax of 65536 rows, which stores in its third
 * loop, came to 3.76 of plain clang instead of 4.15, a norm of layers to 4.41 instead of 4.64 (H100). */
static void leave_room(const Kernel *kernel, size_t from)
{
    const List *regions = &kernel->plan->regions;
    bool shuffles = false;
    for (size_t i = from; i < regions->count; i++)
        shuffles |= walks_by_shuffles(kernel, regions->item[i]);
    for (size_t i = from; i < regions->count; i++) {
        Region *region = regions->item[i];
        if (shuffles && region->shelf && region->shelf->alone)
            region->shelf = NULL;
    }
}

/* More warps have shelves of one row than of two, which are larger: where a kernel has both, those of two go by shuffles. */
static void keep_small(const Kernel *kernel, size_t from)
{
    const Costs *costs = &kernel->options.cost;
    const List *regions = &kernel->plan->regions;
    bool more = false;
    for (size_t i = from; i < regions->count; i++) {
        const Region *region = regions->item[i];
        more |= region->shelf && usual_warps(costs, region->shelf) > (int)costs->SHELVES;
    }
    for (size_t i = from; i < regions->count; i++) {
        Region *region = regions->item[i];
        if (more && region->shelf && region->shelf->marked)
            region->shelf = NULL;
    }
}

void shelf_plan(const Kernel *kernel, size_t from)
{
    const List *regions = &kernel->plan->regions;
    List shelves = list_new(kernel->plan->arena);
    for (size_t i = from; i < regions->count; i++) {
        Region *region = regions->item[i];
        region->shelf = !region->under && is_alone(regions, region) ? shelf_of(kernel, region) : NULL;
    }
    leave_room(kernel, from);
    keep_small(kernel, from);
    for (size_t i = from; i < regions->count; i++) {
        const Region *region = regions->item[i];
        if (region->shelf)
            list_add(&shelves, region->shelf);
    }
    bool fits = shelves.count && share(kernel, &shelves);
    for (size_t i = 0; fits && i < shelves.count; i++)
        INVARIANT(((const Shelf *)shelves.item[i])->warps > 0 && ((const Shelf *)shelves.item[i])->bytes > 0);
    for (size_t i = from; i < regions->count; i++) {
        Region *region = regions->item[i];
        region->shelf = fits ? region->shelf : NULL;
        for (size_t j = 0; region->shelf && j < region->groups.count; j++)
            ((Group *)region->groups.item[j])->choice.shelf = region->shelf;
    }
}
