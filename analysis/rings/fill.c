/* Loops that fill a shared array from global memory, one element of the thread after the other:
 *
 *     for (k = threadIdx.x; k < n; k += blockDim.x)
 *         s[k] = g[k];                        waits for what it loads: made asynchronous, all copies are under way at once
 *     work that needs none of it
 *     barrier                                 and are waited for here
 *
 * From such a copy on, every way is followed to the first instruction that must find it done: one that hands memory on to other
 * threads, that may touch its place, or may write what it still has to read; or the thread's end. */
#include "analysis/rings/search.h"

typedef struct {
    Kernel *kernel;
    Scope *scope;
    Fill *fill;
    IrLoop *loop;  /* innermost around the copy */
    IrLoop *apart; /* this one or the one around it: while it runs, no place is filled twice */
    Map *seen;     /* blocks that were followed from their beginning */
} Look;

static bool decline(Look *look, Why why, LLVMValueRef obstacle)
{
    if (!look->fill->why) {
        look->fill->why = why;
        look->fill->obstacle = obstacle;
    }
    return false;
}

/* ---- what the copy may be under way beside ---- */

/* Arrays of the host's size all begin at one place. */
static bool are_other_arrays(LLVMValueRef a, LLVMValueRef b)
{
    return a && b && a != b && !(LLVMIsDeclaration(a) && LLVMIsDeclaration(b));
}

static bool may_touch_array(const Look *look, LLVMValueRef pointer)
{
    Space space = space_of(look->scope, pointer);
    return (space == SPACE_SHARED || space == SPACE_GENERIC) &&
           !are_other_arrays(shared_array_of(pointer), shared_array_of(look->fill->copy.target));
}

static Place place_of(const Look *look) { return (Place){look->fill->copy.target, look->fill->copy.bytes, NULL}; }

/* Of all copies that may be under way: beside those of one run of the loop is not beside those of another. */
static bool may_touch_place(const Look *look, LLVMValueRef pointer, LLVMTypeRef type)
{
    Place place = {pointer, (int)LLVMStoreSizeOfType(look->kernel->layout, type), NULL};
    bool one_run = look->apart == look->loop;
    return may_touch_array(look, pointer) &&
           !(one_run && place_is_disjoint(look->scope, look->loop, ir_loop_parent(look->loop), place_of(look), place));
}

/* The copy reads global memory. */
static bool may_write_source(const Look *look, LLVMValueRef store)
{
    Space space = space_of(look->scope, LLVMGetOperand(store, 1));
    return (space == SPACE_GLOBAL || space == SPACE_GENERIC) && ir_may_change(look->kernel->ir, store, look->fill->copy.load);
}

static bool must_wait(const Look *look, LLVMValueRef instruction)
{
    const RingCopy *copy = &look->fill->copy;
    if (LLVMIsAReturnInst(instruction))
        return true;
    if (instruction == copy->store || is_harmless(instruction))
        return false;
    if (LLVMIsALoadInst(instruction) && is_plain(instruction))
        return may_touch_place(look, LLVMGetOperand(instruction, 0), LLVMTypeOf(instruction));
    if (!LLVMIsAStoreInst(instruction) || !is_plain(instruction))
        return true;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    return may_touch_place(look, LLVMGetOperand(instruction, 1), type) || may_write_source(look, instruction);
}

/* ---- where it is waited for ---- */

static bool wait_before(Look *look, LLVMValueRef instruction)
{
    if (ir_loop_has_block(look->loop, LLVMGetInstructionParent(instruction)))
        return decline(look, WHY_FILL_USED, instruction);
    list_add(&look->fill->waits, instruction);
    return true;
}

/* Once, in front of the loops that the instruction stands in and the copy does not. */
static bool wait_outside(Look *look, LLVMValueRef instruction)
{
    IrLoop *around = NULL, *loop = ir_loop_of(look->kernel->ir, LLVMGetInstructionParent(instruction));
    for (; loop && !ir_loop_has_block(loop, LLVMGetInstructionParent(look->fill->copy.store)); loop = ir_loop_parent(loop))
        around = loop;
    if (!around)
        return wait_before(look, instruction);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(look->scope->function); b; b = LLVMGetNextBasicBlock(b))
        if (!ir_loop_has_block(around, b) && jumps_to(b, ir_loop_header(around)) &&
            !wait_before(look, LLVMGetBasicBlockTerminator(b)))
            return false;
    return true;
}

/* The loop, entered again, fills the places that it filled before. */
static bool enters_again(const Look *look, LLVMBasicBlockRef from, LLVMBasicBlockRef block)
{
    return block == ir_loop_header(look->apart) && !ir_loop_has_block(look->apart, from);
}

/* From the instruction to the end of its block: is it there that the copy is waited for? */
static bool waits_here(const Look *look, LLVMValueRef *instruction)
{
    while (*instruction && !must_wait(look, *instruction))
        *instruction = LLVMGetNextInstruction(*instruction);
    return *instruction != NULL;
}

/* From the instruction to the end of its block, and on: around the loop, too, and so past all that stands between the load and
 * the store. */
static bool follow(Look *look, LLVMValueRef instruction)
{
    List pending = list_new(look->kernel->arena);
    bool all = true;
    list_add(&pending, instruction);
    while (all && pending.count) {
        instruction = pending.item[--pending.count];
        LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
        if (waits_here(look, &instruction)) {
            all = wait_outside(look, instruction);
            continue;
        }
        for (unsigned s = 0; all && s < LLVMGetNumSuccessors(jump); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
            if (enters_again(look, block, next))
                all = wait_before(look, jump);
            else if (!map_get(look->seen, next)) {
                map_put(look->seen, next, next);
                list_add(&pending, LLVMGetFirstInstruction(next));
            }
        }
    }
    return all;
}

/* ---- the copy itself ---- */

/* Nothing else in the loop may touch the array. */
static bool is_alone(const Look *look)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(look->scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(look->loop, b); i = LLVMGetNextInstruction(i)) {
            bool stores = LLVMIsAStoreInst(i) && i != look->fill->copy.store;
            if ((stores || LLVMIsALoadInst(i)) && may_touch_array(look, LLVMGetOperand(i, stores ? 1 : 0)))
                return false;
        }
    return true;
}

static IrLoop *find_apart(const Look *look)
{
    IrLoop *around = ir_loop_parent(look->loop);
    return around && is_alone(look) && fill_moves_on_outside(look->scope, around, place_of(look)) ? around : look->loop;
}

static bool check(Look *look)
{
    if (look->kernel->options.arch < ASYNC_ARCH)
        return decline(look, WHY_RING_ARCH, NULL);
    if (!fill_moves_on(look->scope, look->loop, &look->fill->copy))
        return decline(look, WHY_FILL_PLACE, NULL);
    look->apart = find_apart(look);
    return follow(look, LLVMGetNextInstruction(look->fill->copy.store));
}

/* ---- what pays ---- */

static bool mentions_block(const Look *look, const Form *address)
{
    for (int axis = 0; axis < 3; axis++) {
        const Form *index = form_sreg(look->kernel->forms, SYM_BLOCK, axis);
        if (index->count && form_mentions(address, index->term[0].symbol[0]))
            return true;
    }
    return false;
}

/* Of one block, and by numbers alone? The backend then makes four iterations at a time, their loads first. */
static bool is_batched(const Look *look)
{
    LLVMBasicBlockRef header = ir_loop_header(look->loop);
    int64_t step;
    bool batched = jumps_to(header, header);
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); batched && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        batched = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind &&
                  ir_step(look->kernel->ir, look->scope->function, header, i, &step);
    return batched;
}

/* What each block copies for itself comes from afar: 1.2 to 3.4 times as fast. What all blocks copy comes from the first-level
 * cache, through which copies of 4 bytes are slower than loads: tables of 16 KB at 0.59 to 1.07 of plain clang (H200). Records
 * and rows may be exchanged instead. */
static bool pays(const Look *look, const Access *source)
{
    bool scattered = source->kind == CLASS_RECORD || source->kind == CLASS_STRIDED || source->kind == CLASS_WALK;
    bool several = ir_loop_trips(look->kernel->ir, look->loop) != 1 && !is_batched(look);
    return several && !scattered && (form_unknown_in(source->address) || mentions_block(look, source->address));
}

/* ---- all of it ---- */

/* Of an access that stores to shared memory, in a loop: what it stores was loaded there from global memory. */
static bool is_copy(Kernel *kernel, const Access *target, RingCopy *copy, const Access **source)
{
    Ring none = {.arena = kernel->arena};
    Search search = {.kernel = kernel, .scope = kernel->scope, .loop = target->loop, .ring = &none};
    bool is_store = LLVMIsAStoreInst(target->instruction);
    if (!(is_store ? is_plain(target->instruction) : target->partner != NULL) || !copy_match(&search, target->instruction, copy))
        return false;
    *source = access_of_load(kernel->scope, copy->load);
    return *source && (*source)->space == SPACE_GLOBAL;
}

static Why judge(Kernel *kernel, const Access *source, Fill *fill)
{
    Look look = {kernel, kernel->scope, fill, source->loop, source->loop, map_new(kernel->arena)};
    const Options *options = &kernel->options;
    if (fill->copy.piece < WORD_BYTES)
        return WHY_RING_SIZE;
    if (!check(&look))
        return fill->why;
    if (feature_is_off(options, FEATURE_FILLS))
        return WHY_UNWANTED;
    return options->stages < 0 || (!options->always && !pays(&look, source)) ? WHY_FILL_NO_GAIN : WHY_NONE;
}

static void consider(Kernel *kernel, const Access *target)
{
    Arena *arena = kernel->plan->arena;
    Fill *fill = ARENA_NEW(arena, Fill);
    const Access *source;
    *fill = (Fill){.function = kernel->function, .at = target->instruction, .waits = list_new(arena)};
    fill->once = ir_is_marked(target->instruction, ONCE_METADATA);
    fill->made = fill->once || ir_is_marked(target->instruction, FILL_METADATA);
    if (!fill->made && !is_copy(kernel, target, &fill->copy, &source))
        return;
    if (!fill->made)
        fill->why = judge(kernel, source, fill);
    list_add(&kernel->found.fills, fill);
    if (!fill->made && !fill->why)
        list_add(&kernel->plan->fills, fill);
}

/* Copies of a tile loop are its ring's affair. */
void fill_find(Kernel *kernel)
{
    for (size_t i = 0; kernel->is_entry && i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        bool stores = access->op == OP_STORE && access->space == SPACE_SHARED && access->scope == kernel->scope;
        if (stores && ((access->loop && !access->tile) || ir_is_marked(access->instruction, ONCE_METADATA)))
            consider(kernel, access);
    }
}
