/* Tile loops that become rings: is the loop one of those whose copies may run ahead?
 *
 *     for (...) {
 *         s[t] = g[i];          the copies: nothing but shared memory is written, at the same places every time
 *         barrier               filled
 *         use s                 reads; what else is written cannot be what a later copy reads
 *         barrier               freed
 *     }
 *
 * Every check here is one that the transform relies on: the copies of a later iteration are made while this one uses
 * its tile, in another slot of the ring, by counters that run ahead (ahead.c). */
#include <string.h>

#include "coalda.h"

enum { WORD_BYTES = 4, WIDEST = 16, SHARED_BUDGET = 48 * 1024, FIRST_ARCH = 80 };

typedef struct {
    Kernel *kernel;
    Scope *scope;
    IrLoop *loop;
    Ring *ring;
    List barriers; /* of LLVMValueRef: in the order in which an iteration meets them */
    LLVMBasicBlockRef latch;
} Search;

static bool refuse(Search *search, Why why)
{
    if (!search->ring->why)
        search->ring->why = why;
    return false;
}

bool instruction_dominates(const Scope *scope, LLVMValueRef above, LLVMValueRef below)
{
    LLVMBasicBlockRef upper = LLVMGetInstructionParent(above), lower = LLVMGetInstructionParent(below);
    if (upper != lower)
        return ir_dominates(scope->kernel->ir, upper, lower);
    for (LLVMValueRef i = LLVMGetNextInstruction(above); i; i = LLVMGetNextInstruction(i))
        if (i == below)
            return true;
    return false;
}

/* Calls `visit` for the instructions of the loop until it returns false. */
static bool each_instruction(Search *search, bool (*visit)(Search *, LLVMValueRef))
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        if (!ir_loop_has_block(search->loop, b))
            continue;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (!visit(search, i))
                return false;
    }
    return true;
}

/* ---- shape ---- */

/* One block that jumps back, and it alone leaves. */
static bool find_latch(Search *search)
{
    LLVMBasicBlockRef header = ir_loop_header(search->loop);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        bool back = false, out = false;
        for (unsigned s = 0; ir_loop_has_block(search->loop, b) && s < LLVMGetNumSuccessors(end); s++) {
            back |= LLVMGetSuccessor(end, s) == header;
            out |= !ir_loop_has_block(search->loop, LLVMGetSuccessor(end, s));
        }
        if (back != out || (back && search->latch) || (back && LLVMGetInstructionOpcode(end) != LLVMBr))
            return refuse(search, WHY_RING_SHAPE);
        if (back)
            search->latch = b;
    }
    return true;
}

/* The barrier of all threads of the block. */
static bool is_plain_barrier(LLVMValueRef instruction)
{
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(instruction), &length);
    bool all = !strcmp(name, "llvm.nvvm.barrier.cta.sync.aligned.all") || !strcmp(name, "llvm.nvvm.barrier.cta.sync.all");
    LLVMValueRef number = all ? LLVMIsAConstantInt(LLVMGetOperand(instruction, 0)) : NULL;
    return number && LLVMConstIntGetZExtValue(number) == 0;
}

static bool visit_barrier(Search *search, LLVMValueRef instruction)
{
    if (!is_block_barrier(instruction))
        return true;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    if (ir_loop_of(search->kernel->ir, block) != search->loop || !ir_dominates(search->kernel->ir, block, search->latch))
        return refuse(search, WHY_RING_SHAPE);
    if (!is_plain_barrier(instruction))
        return refuse(search, WHY_RING_BARRIERS);
    size_t place = search->barriers.count;
    list_add(&search->barriers, instruction);
    for (; place && instruction_dominates(search->scope, instruction, search->barriers.item[place - 1]); place--)
        search->barriers.item[place] = search->barriers.item[place - 1];
    search->barriers.item[place] = instruction;
    return true;
}

/* How many barriers of its iteration an instruction has passed. */
static size_t barriers_passed(const Search *search, LLVMValueRef instruction)
{
    size_t passed = 0;
    while (passed < search->barriers.count && instruction_dominates(search->scope, search->barriers.item[passed], instruction))
        passed++;
    return passed;
}

/* ---- copies ---- */

static LLVMValueRef shared_array(LLVMValueRef pointer)
{
    for (;;) {
        LLVMOpcode op = LLVMIsAConstantExpr(pointer) ? LLVMGetConstOpcode(pointer)
                        : LLVMIsAInstruction(pointer) ? LLVMGetInstructionOpcode(pointer) : 0;
        if (op != LLVMGetElementPtr && op != LLVMAddrSpaceCast && op != LLVMBitCast)
            break;
        pointer = LLVMGetOperand(pointer, 0);
    }
    enum { SHARED = 3 };
    return LLVMIsAGlobalVariable(pointer) && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == SHARED ? pointer : NULL;
}

static bool is_used_once(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use);
}

static bool is_zero(LLVMValueRef value) { return LLVMIsConstant(value) && LLVMIsNull(value); }

/* The load behind a phi or a select whose other sides are zero. */
static LLVMValueRef merged_load(LLVMValueRef merge)
{
    LLVMValueRef load = NULL;
    int first = LLVMIsASelectInst(merge) ? 1 : 0;
    for (int i = first; i < LLVMGetNumOperands(merge); i++) {
        LLVMValueRef side = LLVMGetOperand(merge, (unsigned)i);
        if (is_zero(side))
            continue;
        if (load || !LLVMIsALoadInst(side))
            return NULL;
        load = side;
    }
    return load;
}

static int known_alignment(LLVMValueRef instruction, unsigned operand)
{
    static const char name[] = "align";
    if (!LLVMIsACallInst(instruction))
        return (int)LLVMGetAlignment(instruction);
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(instruction, operand + 1,
                                                          LLVMGetEnumAttributeKindForName(name, sizeof name - 1));
    return align ? (int)LLVMGetEnumAttributeValue(align) : 1;
}

/* The widest piece that both alignments allow; 0 where it is less than a word. */
static int piece_of(int bytes, int from, int to)
{
    int piece = WIDEST;
    while (piece > from || piece > to || bytes % piece)
        piece /= 2;
    return piece < WORD_BYTES ? 0 : piece;
}

static bool match_memory_copy(Search *search, LLVMValueRef call, RingCopy *copy)
{
    LLVMValueRef size = LLVMIsAConstantInt(LLVMGetOperand(call, 2));
    if (!size || LLVMConstIntGetZExtValue(size) > INT16_MAX || LLVMConstIntGetZExtValue(LLVMGetOperand(call, 3)))
        return refuse(search, WHY_RING_VALUE);
    int bytes = (int)LLVMConstIntGetZExtValue(size);
    *copy = (RingCopy){call, call, NULL, LLVMGetOperand(call, 1), LLVMGetOperand(call, 0), bytes,
                       piece_of(bytes, known_alignment(call, 1), known_alignment(call, 0))};
    return true;
}

static bool is_plain(LLVMValueRef access)
{
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

static bool match_store(Search *search, LLVMValueRef store, RingCopy *copy)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), merge = NULL;
    if ((LLVMIsAPHINode(value) || LLVMIsASelectInst(value)) && ir_loop_has_block(search->loop, LLVMGetInstructionParent(value))) {
        merge = value;
        value = merged_load(merge);
    }
    if (!value || !LLVMIsALoadInst(value) || !is_used_once(value) || (merge && !is_used_once(merge)) || !is_plain(value) ||
        !ir_loop_has_block(search->loop, LLVMGetInstructionParent(value)))
        return refuse(search, WHY_RING_VALUE);
    int bytes = (int)LLVMStoreSizeOfType(search->kernel->layout, LLVMTypeOf(value));
    *copy = (RingCopy){value, store, merge, LLVMGetOperand(value, 0), LLVMGetOperand(store, 1), bytes,
                       piece_of(bytes, known_alignment(value, 0), known_alignment(store, 0))};
    return true;
}

static bool copy_add(Search *search, LLVMValueRef instruction)
{
    Ring *ring = search->ring;
    RingCopy *copy = ARENA_NEW(ring->arena, RingCopy);
    bool is_store = LLVMIsAStoreInst(instruction);
    if (is_store ? !match_store(search, instruction, copy) : !match_memory_copy(search, instruction, copy))
        return false;
    LLVMValueRef array = shared_array(copy->target);
    if (!array || space_of(search->scope, copy->source) != SPACE_GLOBAL || (is_store && !is_plain(instruction)))
        return refuse(search, WHY_RING_VALUE);
    if (!copy->piece)
        return refuse(search, WHY_RING_SIZE);
    list_add(&ring->copies, copy);
    for (size_t i = 0; i < ring->arrays.count; i++)
        if (ring->arrays.item[i] == array)
            return true;
    list_add(&ring->arrays, array);
    return true;
}

/* Copies of the user's own, or those of a ring that was made before. */
static bool is_synchronous(Search *search, const Tile *tile)
{
    static const char prefix[] = "llvm.nvvm.cp.async.";
    size_t length;
    for (size_t i = 0; i < search->kernel->accesses.count; i++) {
        const Access *access = search->kernel->accesses.item[i];
        LLVMValueRef call = access->tile == tile && LLVMIsACallInst(access->instruction) ? access->instruction : NULL;
        if (call && !strncmp(LLVMGetValueName2(LLVMGetCalledValue(call), &length), prefix, sizeof prefix - 1)) {
            search->ring->made = ring_of_copy(search->ring->arena, call);
            return refuse(search, WHY_RING_ASYNC);
        }
    }
    return true;
}

/* The copies are the accesses that tile.c found; the barriers around them are filled and freed. */
static bool find_copies(Search *search, const Tile *tile)
{
    Ring *ring = search->ring;
    size_t passed = 0;
    for (size_t i = 0; i < search->kernel->accesses.count; i++) {
        const Access *access = search->kernel->accesses.item[i];
        if (access->tile != tile)
            continue;
        size_t here = barriers_passed(search, access->instruction);
        if (here == search->barriers.count || (ring->copies.count && here != passed))
            return refuse(search, WHY_RING_BARRIERS);
        passed = here;
        if (!copy_add(search, access->instruction))
            return false;
    }
    if (!ring->copies.count || search->barriers.count < 2)
        return refuse(search, WHY_RING_BARRIERS);
    ring->filled = search->barriers.item[passed];
    ring->freed_first = passed > 0;
    ring->freed = search->barriers.item[passed ? passed - 1 : search->barriers.count - 1];
    return true;
}

/* ---- what is known ahead ---- */

static bool is_among_copies(const Search *search, LLVMValueRef instruction)
{
    return ahead_is_before_use(search->ring, search->scope, instruction) &&
           (!search->ring->freed_first || instruction_dominates(search->scope, search->ring->freed, instruction));
}

/* Does freed alone order the instruction against what other threads did in the use of the tile before? */
static bool rests_on_freed(const Search *search, LLVMValueRef instruction)
{
    const Ring *ring = search->ring;
    return is_among_copies(search, instruction) ||
           (!ring->freed_first && instruction_dominates(search->scope, ring->freed, instruction));
}

static LLVMValueRef condition_of(LLVMValueRef terminator)
{
    bool conditional = LLVMGetInstructionOpcode(terminator) == LLVMBr ? LLVMIsConditional(terminator)
                                                                     : LLVMGetNumOperands(terminator) > 0;
    return conditional ? (LLVMGetInstructionOpcode(terminator) == LLVMBr ? LLVMGetCondition(terminator)
                                                                        : LLVMGetOperand(terminator, 0)) : NULL;
}

static bool visit_path(Search *search, LLVMValueRef instruction)
{
    LLVMValueRef condition = LLVMIsATerminatorInst(instruction) ? condition_of(instruction) : NULL;
    if (!condition || !is_among_copies(search, instruction))
        return true;
    search->ring->fixed_paths &= ahead_is_fixed(search->ring, search->scope, search->loop, condition);
    return ahead_needs(search->ring, search->scope, search->loop, condition) || refuse(search, WHY_RING_AHEAD);
}

static bool needs(Search *search, LLVMValueRef value)
{
    return ahead_needs(search->ring, search->scope, search->loop, value) || refuse(search, WHY_RING_AHEAD);
}

/* Does a way lead from the block to the other, before the copies are done and past neither the loop's header nor `around`? */
static bool reaches(const Search *search, LLVMBasicBlockRef block, LLVMBasicBlockRef goal, LLVMBasicBlockRef around, Map *seen)
{
    LLVMBasicBlockRef end = LLVMGetInstructionParent(search->ring->filled);
    if (block == goal)
        return true;
    if (block == around || block == end || map_get(seen, block))
        return false;
    map_put(seen, block, block);
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
        if (reaches(search, LLVMGetSuccessor(jump, s), goal, around, seen))
            return true;
    return false;
}

/* Is it the branch at the block's end that says whether, or how often, the other block runs? */
static bool decides(const Search *search, LLVMBasicBlockRef branch, LLVMBasicBlockRef block)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(branch);
    LLVMBasicBlockRef end = LLVMGetInstructionParent(search->ring->filled);
    bool meets = false, misses = false;
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
        meets |= reaches(search, next, block, NULL, map_new(search->kernel->arena));
        misses |= block != end && reaches(search, next, end, block, map_new(search->kernel->arena));
    }
    return meets && misses;
}

/* Every iteration fills the same places: what another tile left there is never seen. */
static bool is_placed_alike(Search *search, const RingCopy *copy)
{
    const Ring *ring = search->ring;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(copy->store);
    if (!ahead_is_fixed(ring, search->scope, search->loop, copy->target))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        LLVMValueRef condition = ir_loop_has_block(search->loop, b) ? condition_of(end) : NULL;
        if (condition && is_among_copies(search, end) && decides(search, b, block) &&
            !ahead_is_fixed(ring, search->scope, search->loop, condition))
            return false;
    }
    return true;
}

static bool find_ahead(Search *search)
{
    Ring *ring = search->ring;
    ring->fixed_paths = true;
    if (!each_instruction(search, visit_path) || !needs(search, condition_of(LLVMGetBasicBlockTerminator(search->latch))))
        return false;
    for (size_t i = 0; i < ring->copies.count; i++) {
        RingCopy *copy = ring->copies.item[i];
        if (!is_among_copies(search, copy->load))
            return refuse(search, WHY_RING_VALUE);
        if (!needs(search, copy->source) || !needs(search, copy->target) ||
            (copy->merge && LLVMIsASelectInst(copy->merge) && !needs(search, LLVMGetOperand(copy->merge, 0))))
            return false;
        if (!is_placed_alike(search, copy))
            return refuse(search, WHY_RING_PLACE);
    }
    return true;
}

/* ---- the arrays ---- */

static const RingCopy *copy_by(const Ring *ring, LLVMValueRef store)
{
    for (size_t i = 0; i < ring->copies.count; i++)
        if (((const RingCopy *)ring->copies.item[i])->store == store)
            return ring->copies.item[i];
    return NULL;
}

static bool uses_found(Search *search, LLVMValueRef pointer);

/* One use of a pointer into the tile: a copy's, a load's between filled and freed, or more address. */
static bool use_found(Search *search, LLVMValueRef user, LLVMValueRef pointer)
{
    LLVMOpcode op = LLVMIsAConstantExpr(user) ? LLVMGetConstOpcode(user) : LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : 0;
    if (op == LLVMGetElementPtr || op == LLVMAddrSpaceCast || op == LLVMBitCast)
        return uses_found(search, user);
    if (!LLVMIsAInstruction(user))
        return refuse(search, WHY_RING_OUTSIDE);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
    if (LLVMGetBasicBlockParent(block) != search->scope->function || !ir_loop_has_block(search->loop, block))
        return refuse(search, WHY_RING_OUTSIDE);
    const RingCopy *copy = copy_by(search->ring, user);
    if (copy)
        return copy->target == pointer || refuse(search, WHY_RING_OUTSIDE);
    if (op != LLVMLoad)
        return refuse(search, op == LLVMStore && LLVMGetOperand(user, 1) == pointer ? WHY_RING_WRITTEN : WHY_RING_OUTSIDE);
    if (ahead_is_before_use(search->ring, search->scope, user))
        return refuse(search, WHY_RING_PLACE);
    list_add(&search->ring->uses, user);
    return true;
}

static bool uses_found(Search *search, LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
        if (!use_found(search, LLVMGetUser(use), pointer))
            return false;
    return true;
}

static bool check_arrays(Search *search)
{
    Ring *ring = search->ring;
    for (size_t i = 0; i < ring->arrays.count; i++) {
        LLVMValueRef array = ring->arrays.item[i];
        if (LLVMIsDeclaration(array) || LLVMGetLinkage(array) != LLVMInternalLinkage)
            return refuse(search, WHY_RING_DYNAMIC);
        if (!uses_found(search, array))
            return false;
        int64_t size = (int64_t)LLVMABISizeOfType(search->kernel->layout, LLVMGlobalGetValueType(array));
        ring->bytes += (size + WIDEST - 1) / WIDEST * WIDEST;
    }
    return true;
}

/* ---- no thread fills a place twice: asynchronous copies have no order ---- */

static bool is_apart_by_forms(const Search *search, const RingCopy *a, const RingCopy *b)
{
    int64_t low, high;
    const Form *difference = form_sub(search->kernel->forms, automaton_form(search->scope, b->target),
                                      automaton_form(search->scope, a->target));
    return difference && form_range(difference, &low, &high) && (low >= a->bytes || high <= -(int64_t)b->bytes);
}

static bool is_apart(const Search *search, const RingCopy *a, const RingCopy *b)
{
    int64_t distance;
    if (shared_array(a->target) != shared_array(b->target))
        return true;
    if (ir_distance(search->kernel->ir, search->scope->function, a->target, b->target, &distance))
        return distance >= a->bytes || distance <= -(int64_t)b->bytes;
    return is_apart_by_forms(search, a, b);
}

/* The factors beside the loop's own counter are at least 1 together. */
static bool moves_by(const Term *term, const Symbol *counter, int bytes)
{
    for (int i = 0; i < term->degree; i++)
        if (term->symbol[i] != counter && term->symbol[i]->low < 1)
            return false;
    return magnitude(term->coefficient) >= (uint64_t)bytes;
}

/* In a loop of its own the copy moves on by its size at least. */
static bool moves_on(const Search *search, const RingCopy *copy)
{
    IrLoop *inner = ir_loop_of(search->kernel->ir, LLVMGetInstructionParent(copy->store));
    const Form *address = automaton_form(search->scope, copy->target);
    int moving = 0;
    if (inner == search->loop)
        return true;
    for (int i = 0; i < address->count; i++)
        for (int k = 0; k < address->term[i].degree; k++) {
            const Symbol *symbol = address->term[i].symbol[k];
            if (symbol->kind != SYM_LOOP || symbol->loop != inner)
                continue;
            if (!moves_by(&address->term[i], symbol, copy->bytes))
                return false;
            moving++;
        }
    return moving == 1 && ir_loop_parent(inner) == search->loop && !address->bounded;
}

static bool check_places(Search *search)
{
    const List *copies = &search->ring->copies;
    for (size_t i = 0; i < copies->count; i++) {
        if (!moves_on(search, copies->item[i]))
            return refuse(search, WHY_RING_PLACE);
        for (size_t j = 0; j < i; j++)
            if (!is_apart(search, copies->item[i], copies->item[j]))
                return refuse(search, WHY_RING_PLACE);
    }
    return true;
}

/* ---- what else the loop does ---- */

/* May it write what the copies, or the computation of their addresses, read at another iteration? */
static bool may_change_source(const Search *search, LLVMValueRef writer)
{
    const Ring *ring = search->ring;
    for (size_t i = 0; i < ring->copies.count; i++)
        if (ir_may_change(search->kernel->ir, writer, ((const RingCopy *)ring->copies.item[i])->load))
            return true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); ir_loop_has_block(search->loop, b) && i; i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && map_get(ring->ahead, i) && ir_may_change(search->kernel->ir, writer, i))
                return true;
    return false;
}

static bool settle_write(Search *search, LLVMValueRef writer, LLVMValueRef pointer)
{
    Space space = space_of(search->scope, pointer);
    if (space == SPACE_LOCAL)
        return true;
    search->ring->quiet = false;
    search->ring->freed_stays |= rests_on_freed(search, writer);
    return space == SPACE_SHARED || !may_change_source(search, writer) || refuse(search, WHY_RING_SOURCE);
}

/* Of the warp alone: no copy is ordered by it. */
static bool is_warp_call(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.nvvm.shfl.", "llvm.nvvm.vote.", "llvm.nvvm.match.", "llvm.nvvm.redux.",
                                        "llvm.nvvm.activemask", "llvm.nvvm.bar.warp.sync"};
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    return false;
}

static bool settle_call(Search *search, LLVMValueRef call)
{
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
    bool moves = !strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13) || !strncmp(name, "llvm.memset.", 12);
    if (is_block_barrier(call) || is_harmless(call) || is_warp_call(call))
        return true;
    return moves ? settle_write(search, call, LLVMGetOperand(call, 0)) : refuse(search, WHY_RING_ORDER);
}

static bool visit_effect(Search *search, LLVMValueRef instruction)
{
    if (!ir_touches_memory(instruction) || copy_by(search->ring, instruction))
        return true;
    if (LLVMIsACallInst(instruction))
        return settle_call(search, instruction);
    if (LLVMIsALoadInst(instruction) && is_plain(instruction))
        return true;
    if (LLVMIsAStoreInst(instruction) && is_plain(instruction))
        return settle_write(search, instruction, LLVMGetOperand(instruction, 1));
    return refuse(search, WHY_RING_ORDER);
}

/* What is read where freed stood between: it keeps the value from what others write. */
static bool visit_read(Search *search, LLVMValueRef instruction)
{
    bool counts = LLVMIsALoadInst(instruction) && rests_on_freed(search, instruction);
    for (size_t i = 0; counts && i < search->ring->copies.count; i++)
        counts = ((const RingCopy *)search->ring->copies.item[i])->load != instruction;
    search->ring->freed_stays |= counts && !map_get(search->ring->ahead, instruction) && !search->ring->quiet;
    return true;
}

/* ---- wide copies ---- */

/* Made in every iteration, once, from a place that moves on by one distance. */
static bool may_be_wide(const Search *search, const RingCopy *copy)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(copy->store);
    return !copy->merge && copy->bytes == copy->piece && copy->piece < WIDEST &&
           ir_dominates(search->kernel->ir, block, LLVMGetInstructionParent(search->ring->filled)) &&
           ahead_is_anywhere(search->loop, copy->target) &&
           ir_recurrence(search->kernel->ir, search->scope->function, search->ring->header, copy->source, NULL, NULL, NULL, NULL);
}

static void find_wide(Search *search)
{
    Ring *ring = search->ring;
    LLVMValueRef condition = condition_of(LLVMGetBasicBlockTerminator(search->latch));
    ring->steps = ahead_steps_alone(ring, search->loop, condition);
    ring->wide = ring->fixed_paths && ring->steps;
    for (size_t i = 0; ring->wide && i < ring->copies.count; i++)
        ring->wide = may_be_wide(search, ring->copies.item[i]);
}

/* ---- what decides whether it pays ---- */

/* How often a block of the loop runs in one iteration; where nobody knows, a few times. */
static double runs_of(const Search *search, LLVMBasicBlockRef block)
{
    enum { UNKNOWN = 8 };
    double runs = 1;
    for (IrLoop *l = ir_loop_of(search->kernel->ir, block); l && l != search->loop; l = ir_loop_parent(l)) {
        int64_t trips = ir_loop_trips(search->kernel->ir, l);
        runs *= trips > 0 ? (double)trips : UNKNOWN;
    }
    return runs;
}

static bool visit_weight(Search *search, LLVMValueRef instruction)
{
    Ring *ring = search->ring;
    if (!ahead_is_before_use(ring, search->scope, instruction) && !LLVMIsAPHINode(instruction))
        ring->instructions += runs_of(search, LLVMGetInstructionParent(instruction));
    ring->size++;
    ring->sums += LLVMIsAPHINode(instruction) && LLVMGetInstructionParent(instruction) == ring->header;
    return true;
}

/* Do the two copies read what one wide load could, into places that no wide store could write? */
static bool turns(const Search *search, const RingCopy *a, const RingCopy *b)
{
    int64_t from = 0, to = 0;
    LLVMValueRef function = search->scope->function;
    bool beside = ir_distance(search->kernel->ir, function, a->source, b->source, &from) && from == a->bytes;
    return beside && known_alignment(a->load, 1) > a->bytes &&
           !(ir_distance(search->kernel->ir, function, a->target, b->target, &to) && to == from);
}

static int size_of_loop(const Search *search, IrLoop *loop)
{
    int size = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); ir_loop_has_block(loop, b) && i; i = LLVMGetNextInstruction(i))
            size++;
    return size;
}

/* Loops of few iterations inside: unrolled, their reads of the tile join, and copies need not count. */
static void find_loops(Search *search)
{
    enum { MOST_TRIPS = 32, MOST_INSTRUCTIONS = 4000 };
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(search->kernel->ir, b);
        if (!loop || loop == search->loop || !ir_loop_inside(loop, search->loop) || ir_loop_header(loop) != b ||
            !ir_loop_is_innermost(loop))
            continue;
        int64_t trips = ir_loop_most_trips(search->kernel->ir, loop);
        if (trips < 2 || trips > MOST_TRIPS || trips * size_of_loop(search, loop) > MOST_INSTRUCTIONS)
            continue;
        RingLoop *found = ARENA_NEW(search->ring->arena, RingLoop);
        *found = (RingLoop){b, (int)trips};
        list_add(&search->ring->loops, found);
    }
}

static void weigh(Search *search)
{
    Ring *ring = search->ring;
    find_loops(search);
    each_instruction(search, visit_weight);
    for (size_t i = 0; i < ring->uses.count; i++)
        ring->reads += runs_of(search, LLVMGetInstructionParent(ring->uses.item[i]));
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        ring->looped |= ir_loop_of(search->kernel->ir, LLVMGetInstructionParent(copy->store)) != search->loop;
        for (size_t j = 0; j < ring->copies.count; j++)
            ring->turns |= turns(search, copy, ring->copies.item[j]);
    }
}

/* ---- all of it ---- */

static const Ring *ring_of(Kernel *kernel, const Tile *tile)
{
    Arena *arena = kernel->plan->arena;
    Ring *ring = ARENA_NEW(arena, Ring);
    *ring = (Ring){.arena = arena, .function = tile->scope->function, .header = ir_loop_header(tile->loop), .quiet = true,
                   .copies = list_new(arena), .arrays = list_new(arena), .uses = list_new(arena), .state = list_new(arena), .loops = list_new(arena),
                   .ahead = map_new(arena)};
    Search search = {kernel, tile->scope, tile->loop, ring, list_new(kernel->arena), NULL};
    if (tile->scope != kernel->scope || !kernel->is_entry)
        refuse(&search, WHY_RING_SHAPE);
    else if (kernel->options.arch < FIRST_ARCH)
        refuse(&search, WHY_RING_ARCH);
    else if (is_synchronous(&search, tile) && find_latch(&search) && each_instruction(&search, visit_barrier) && find_copies(&search, tile) &&
             find_ahead(&search) && check_arrays(&search) && check_places(&search) && each_instruction(&search, visit_effect)) {
        each_instruction(&search, visit_read);
        find_wide(&search);
        weigh(&search);
        ring_choose(kernel, ring);
    }
    return ring;
}

void ring_find(Kernel *kernel)
{
    for (size_t i = 0; i < kernel->tiles.count; i++) {
        Tile *tile = kernel->tiles.item[i];
        tile->ring = ring_of(kernel, tile);
        if (!tile->ring->why)
            list_add(&kernel->plan->rings, (void *)tile->ring);
    }
}
