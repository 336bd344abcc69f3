/* Loads that are each under a condition of their own, which all hold but at the end of an array: the tail of a tile.
 *
 *     if (16*t < n) x0 = p[16*t];               B0 --.       where all conditions hold, the loads may stand side by side, and make a
 *     if (16*t + 1 < n) x1 = p[16*t + 1];       |    T1      record: there come to be two versions of the chain, and one of them asks
 *                                               B1 <-'       for nothing in between (transform/records/version_tail.c)
 *
 * All conditions have to be known where the chain begins, and hold or not whatever is loaded. Nothing in it orders memory. What all
 * threads load in between stays where all of them come: a walk may need it there. No product of one of its
 * blocks is added in another: side by side, the backend would fuse them. What is loaded of the record in front of the first condition,
 * `if (16*t >= n) return;`, goes along.
 *
 * Stores may stand beside the loads, `if (8*t + k < n) q[8*t + k] = f(p[8*t + k])`, where every condition is a bound of the whole array: all loads and stores of
 * the version are made in their order, and whether they may touch each other is asked where they are moved. Where data decide, threads seldom
 * make all of them, and those that store alone wait for the last of them without a version of their own (conditional_records.c). */
#include "analysis/plan/plan.h"

enum { MOST_LOADS = 64, MOST_INSTRUCTIONS = 1024 }; /* of a chain: bounds of the search */

typedef struct {
    Kernel *kernel;
    Map *accesses, *loads, *narrow; /* loads, and stores of less than a word: those that waste sectors */
    Map *inside; /* blocks of the chain, without the first */
    Map *head;   /* instructions of the first that belong to the chain */
    Map *taken;  /* blocks of chains */
    int length;
    bool stores, ends; /* the chain so far: ends by something else than a bound of the whole array */
} Search;

/* Of no version of a chain that there is already. */
static bool may_waste(const Access *access)
{
    bool in_memory = access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC;
    return in_memory && !ir_is_marked(access->instruction, GUARDED_METADATA) &&
           (!access->figure.known || access->figure.sectors > access->figure.ideal);
}

static bool is_wasteful_load(const Access *access)
{
    return may_waste(access) && access->op == OP_LOAD && LLVMIsALoadInst(access->instruction) && access->kind != CLASS_UNIFORM;
}

/* Where each of them is asked about by itself it goes through the warp by itself, as much as a word does. */
static bool is_narrow_store(const Access *access)
{
    return may_waste(access) && access->op == OP_STORE && LLVMIsAStoreInst(access->instruction) && access->bytes < WORD_BYTES &&
           access->figure.known;
}

static void accesses_find(Search *search)
{
    const List *found = &search->kernel->found.accesses;
    for (size_t i = 0; i < found->count; i++) {
        const Access *access = found->item[i];
        map_put(search->accesses, access->instruction, (void *)access);
        if (is_wasteful_load(access))
            map_put(search->loads, access->instruction, (void *)access);
        if (is_narrow_store(access))
            map_put(search->narrow, access->instruction, (void *)access);
    }
}

bool block_stores(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i))
            return true;
    return false;
}

static bool can_be_made_again(Search *search, LLVMValueRef instruction)
{
    return is_unordered(instruction) && ++search->length <= MOST_INSTRUCTIONS;
}

/* May it be made again where no condition is asked? */
static bool can_be_copied(Search *search, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (!can_be_made_again(search, i))
            return false;
    return !product_comes_in(search->kernel->ir, block);
}

/* Of the thread and its block. */
static bool is_index_read(LLVMValueRef value) { return LLVMIsACallInst(value) && LLVMGetNumArgOperands(value) == 0; }

static bool is_part(LLVMValueRef value)
{
    static const LLVMOpcode parting[] = {LLVMURem, LLVMSRem, LLVMAnd, LLVMUDiv, LLVMSDiv, LLVMLShr, LLVMAShr};
    for (size_t i = 0; i < sizeof(parting) / sizeof *(parting); i++)
        if (is_op(value, parting[i]))
            return true;
    return false;
}

/* Numbers made of whole indices, which are kept: of parts of one, rows are told. */
static SlicePart ask_bound(Slice *slice, const void *context, LLVMValueRef value)
{
    (void)slice;
    if (!LLVMIsAInstruction(value))
        return SLICE_KNOWN;
    if (LLVMIsAPHINode(value) || !ir_is_pure(value) || is_part(value))
        return SLICE_FAILS;
    if (is_index_read(value))
        map_put((Map *)context, value, value);
    return SLICE_MADE;
}

static SlicePart ask_along(Slice *slice, const void *context, LLVMValueRef value)
{
    (void)slice;
    if (!LLVMIsAInstruction(value))
        return SLICE_KNOWN;
    bool fails = LLVMIsAPHINode(value) || !ir_is_pure(value) || (is_index_read(value) && !map_get((Map *)context, value));
    return fails ? SLICE_FAILS : SLICE_MADE;
}

/* Do the stores go along with what is compared, and neither by what is loaded? Where they do, one warp comes to the end of the array;
 * where each row ends by itself, as that of an image, warps in each row do, and of loops the last iterations. */
static bool goes_along(const Search *search, LLVMBasicBlockRef then, LLVMValueRef condition)
{
    Map *indices = map_new(search->kernel->arena);
    bool along = LLVMIsAICmpInst(condition) && slice_of(search->kernel->arena, condition, ask_bound, indices);
    for (LLVMValueRef i = LLVMGetFirstInstruction(then); along && i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAStoreInst(i))
            along = slice_of(search->kernel->arena, LLVMGetOperand(i, 1), ask_along, indices);
    return along;
}

/* Of a block under the condition, whether the chain still has stores of records, and under bounds of the whole array alone. */
static bool stores_under_bounds(Search *search, LLVMBasicBlockRef then, LLVMValueRef condition)
{
    search->stores |= block_stores(then);
    search->ends |= !goes_along(search, then, condition);
    return !search->stores || !search->ends;
}

static bool has_any(const Map *those, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (map_get(those, i))
            return true;
    return false;
}

/* Is the value the same where the chain begins? */
static SlicePart ask_early(Slice *slice, const void *context, LLVMValueRef value)
{
    const Search *search = context;
    (void)slice;
    if (!LLVMIsAInstruction(value) || !(map_get(search->inside, LLVMGetInstructionParent(value)) || map_get(search->head, value)))
        return SLICE_KNOWN;
    return !LLVMIsAPHINode(value) && ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

/* Adds T and B; false where the chain ends without them. */
static bool load_add(Search *search, List *blocks)
{
    LLVMBasicBlockRef block = blocks->item[blocks->count - 1];
    const Triangle t = triangle_below(block);
    LLVMValueRef condition = t.then ? LLVMGetCondition(LLVMGetBasicBlockTerminator(block)) : NULL;
    bool middle = blocks->count > 1;
    if (!t.then || map_get(search->taken, t.then) || t.join == blocks->item[0] ||
        !(has_any(search->loads, t.then) || has_any(search->narrow, t.then)))
        return false;
    if (middle && (ways_into(block) != 2 || has_any(search->loads, block) || block_stores(block) || !can_be_copied(search, block)))
        return false;
    if (!slice_of(search->kernel->arena, condition, ask_early, search) || !can_be_copied(search, t.then) ||
        !stores_under_bounds(search, t.then, condition))
        return false;
    map_put(search->inside, t.then, t.then);
    map_put(search->inside, t.join, t.join);
    list_add(blocks, t.then);
    list_add(blocks, t.join);
    return blocks->count / 2 < MOST_LOADS;
}

static bool is_of_record(const Search *search, LLVMValueRef instruction, const Access *access)
{
    const Access *other = map_get(search->accesses, instruction);
    return other && record_may_hold(access, other);
}

/* The most that the condition guards of one record. */
static size_t guarded_of_record(const Search *search, LLVMBasicBlockRef block)
{
    size_t most = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        size_t count = 0;
        for (LLVMValueRef j = LLVMGetFirstInstruction(block); j && map_get(search->accesses, i); j = LLVMGetNextInstruction(j))
            count += is_of_record(search, j, map_get(search->accesses, i));
        most = count > most ? count : most;
    }
    return most;
}

static size_t most_apart(const Search *search, const List *blocks)
{
    size_t most = 0;
    for (size_t i = 1; i < blocks->count; i += 2) {
        size_t count = guarded_of_record(search, blocks->item[i]);
        most = count > most ? count : most;
    }
    return most;
}

/* ---- what is loaded in front of the first condition ---- */

static bool is_loaded_under(const Search *search, const Tail *tail, const Access *access)
{
    for (size_t i = 1; i < tail->blocks.count; i += 2)
        for (LLVMValueRef k = LLVMGetFirstInstruction(tail->blocks.item[i]); k; k = LLVMGetNextInstruction(k))
            if (map_get(search->loads, k) && is_of_record(search, k, access))
                return true;
    return false;
}

/* Of B0 from its end, what would be made in both versions: no load that is not of the record and may be a walk's, and stores where there
 * are such behind it. */
static bool goes_along_copied(Search *search, const Tail *tail, LLVMValueRef instruction)
{
    const Access *load = map_get(search->loads, instruction);
    bool may_move = LLVMIsAStoreInst(instruction) ? search->stores : !LLVMIsAPHINode(instruction);
    return may_move && can_be_made_again(search, instruction) && (!load || is_loaded_under(search, tail, load));
}

/* May all conditions be asked in front of so many instructions at the end of B0? */
static bool asked_in_front(Search *search, const Tail *tail, int count)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(tail->blocks.item[0]);
    bool early = true;
    for (LLVMValueRef i = LLVMGetPreviousInstruction(jump); count; i = LLVMGetPreviousInstruction(i), count--)
        map_put(search->head, i, i);
    for (size_t i = 0; early && i + 1 < tail->blocks.count; i += 2) {
        LLVMValueRef condition = LLVMGetCondition(LLVMGetBasicBlockTerminator(tail->blocks.item[i]));
        early = slice_of(search->kernel->arena, condition, ask_early, search);
    }
    return early;
}

/* The first word of a row is there where the row is: `if (8*t >= n) return;` in front of `if (8*t + k < n)`. */
static int head_of(Search *search, const Tail *tail)
{
    LLVMBasicBlockRef block = tail->blocks.item[0];
    int count = 0, met = 0;
    LLVMValueRef i = LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(block));
    for (; i && goes_along_copied(search, tail, i); i = LLVMGetPreviousInstruction(i)) {
        met++;
        count = map_get(search->loads, i) || map_get(search->narrow, i) ? met : count;
    }
    return count && !product_comes_in(search->kernel->ir, block) && asked_in_front(search, tail, count) ? count : 0;
}

static Tail *tail_from(Search *search, LLVMBasicBlockRef block)
{
    const Plan *plan = search->kernel->plan;
    Tail *tail = ARENA_NEW(plan->arena, Tail);
    *tail = (Tail){.function = LLVMGetBasicBlockParent(block), .blocks = list_new(plan->arena)};
    search->inside = map_new(search->kernel->arena);
    search->head = map_new(search->kernel->arena);
    search->length = 0;
    search->stores = search->ends = false;
    list_add(&tail->blocks, block);
    while (load_add(search, &tail->blocks))
        ;
    if (tail->blocks.count <= 3)
        return NULL;
    tail->apart = search->stores ? most_apart(search, &tail->blocks) : 0;
    tail->head = head_of(search, tail);
    return tail;
}

static void find_in(Search *search, LLVMValueRef function, List *tails)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        Tail *tail = map_get(search->taken, b) ? NULL : tail_from(search, b);
        for (size_t i = 0; tail && i + 1 < tail->blocks.count; i++)
            map_put(search->taken, tail->blocks.item[i], tail);
        if (tail)
            list_add(tails, tail);
    }
}

List tails_find(Kernel *kernel)
{
    List tails = list_new(kernel->plan->arena);
    Map *seen = map_new(kernel->arena);
    Search search = {.kernel = kernel,
                     .accesses = map_new(kernel->arena),
                     .loads = map_new(kernel->arena),
                     .narrow = map_new(kernel->arena),
                     .taken = map_new(kernel->arena)};
    accesses_find(&search);
    for (size_t i = 0; i < kernel->found.scopes.count && !feature_is_off(&kernel->options, FEATURE_CHAINS); i++) {
        LLVMValueRef function = ((const Scope *)kernel->found.scopes.item[i])->function;
        if (!map_get(seen, function) && !ir_is_optnone(function))
            find_in(&search, function, &tails);
        map_put(seen, function, function);
    }
    return tails;
}
