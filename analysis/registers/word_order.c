/* An order of a block in which few words are live at once: the backend orders instructions anew where it runs short of registers.
 *
 *     w16 = f(w0 .. w14)                         s = g(s, w0)
 *     w17 = f(w1 .. w15)                         w16 = f(w0 .. w14)       w0 is live no longer
 *     ...                         48 words       s = g(s, w1)                                      16 words
 *     s = g(s, w0)                               w17 = f(w1 .. w15)
 *     s = g(s, w1)                               ...
 *
 * It is laid out from its end: of the instructions behind which all that needs them stands already, the one comes next that ends the most words and
 * begins the fewest, the later one where several do. What one instruction alone uses stands right in front of it, so that the words that such a
 * tree begins are those at its leaves. */
#include "analysis/registers/registers.h"

typedef struct {
    LLVMValueRef value;
    int words;
    bool is_live, is_placed;
    bool is_name; /* without a word of its own: it stands where its first use does */
    int readers;  /* in the block */
    int waits;    /* for so many that are to stand behind it */
    List reads;   /* of the numbers of nodes whose words it keeps until there, each once */
    List leaves;  /* of those at the leaves of its tree */
    size_t seen;  /* the last tree that it was found at a leaf of */
    List behind;  /* of those that are to stand before it */
} Node;

typedef struct {
    Arena *arena;
    const WordOrder *by;
    LLVMBasicBlockRef block;
    Map *number; /* value -> its node's number, from 1 */
    List nodes;  /* the block's, as they stand, and then those of other blocks that it uses */
    size_t own;  /* of the block */
    List ready;
} Laying;

static Node *node_at(const Laying *laying, size_t number) { return laying->nodes.item[number]; }

static size_t node_add(Laying *laying, LLVMValueRef value)
{
    Node *node = ARENA_NEW(laying->arena, Node);
    int words = laying->by->words(laying->by->context, value);
    *node = (Node){.value = value,
                   .words = words > 0 ? words : 0,
                   .is_name = words == WORDS_OF_NAME,
                   .reads = list_new(laying->arena),
                   .leaves = list_new(laying->arena),
                   .behind = list_new(laying->arena)};
    list_add(&laying->nodes, node);
    map_put(laying->number, value, (void *)(intptr_t)laying->nodes.count);
    return laying->nodes.count - 1;
}

/* ---- what stands behind what ---- */

static void stands_behind(Laying *laying, size_t later, size_t earlier)
{
    if (earlier >= laying->own || earlier == later)
        return;
    list_add(&node_at(laying, later)->behind, (void *)(intptr_t)earlier);
    node_at(laying, earlier)->waits++;
}

/* Is it needed behind the block, or by what the block begins with when it is run again? */
static bool is_used_elsewhere(const Laying *laying, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || LLVMIsAPHINode(user) || LLVMGetInstructionParent(user) != laying->block)
            return true;
    }
    return false;
}

static size_t number_of(Laying *laying, LLVMValueRef value)
{
    intptr_t number = (intptr_t)map_get(laying->number, value);
    if (number)
        return (size_t)number - 1;
    size_t outside = node_add(laying, value);
    node_at(laying, outside)->is_live = is_used_elsewhere(laying, value);
    return outside;
}

static void read_add(Laying *laying, size_t number, LLVMValueRef operand)
{
    if (!LLVMIsAInstruction(operand))
        return;
    size_t read = number_of(laying, laying->by->same(laying->by->context, operand));
    Node *node = node_at(laying, number);
    if (list_has(&node->reads, (void *)(intptr_t)read))
        return;
    list_add(&node->reads, (void *)(intptr_t)read);
    node_at(laying, read)->readers++;
    stands_behind(laying, number, read);
}

/* What is computed a second time has its value from the first. */
static void reads_add(Laying *laying, size_t number)
{
    LLVMValueRef value = node_at(laying, number)->value, same = laying->by->same(laying->by->context, value);
    if (same != value) {
        node_at(laying, number)->words = 0;
        node_at(laying, number)->is_name = true;
        read_add(laying, number, same);
        return;
    }
    for (int i = 0; !LLVMIsAPHINode(value) && i < LLVMGetNumOperands(value); i++)
        read_add(laying, number, LLVMGetOperand(value, (unsigned)i));
}

static bool is_plain_load(LLVMValueRef value)
{
    return LLVMIsALoadInst(value) && !LLVMGetVolatile(value) && LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic;
}

/* Loads may change places with each other. */
static void accesses_keep(Laying *laying)
{
    size_t first_load = 0, last = laying->own; /* the last access that is none; laying->own: there is none yet */
    for (size_t i = 0; i < laying->own; i++) {
        LLVMValueRef value = node_at(laying, i)->value;
        if (LLVMIsAPHINode(value) || !ir_touches_memory(value))
            continue;
        stands_behind(laying, i, last);
        if (is_plain_load(value))
            continue;
        for (size_t k = first_load; k < i; k++)
            if (is_plain_load(node_at(laying, k)->value))
                stands_behind(laying, i, k);
        last = i;
        first_load = i + 1;
    }
}

/* ---- laying it out ---- */

/* Does it stand right in front of the one instruction that uses it? */
static bool is_inner(const Laying *laying, size_t number)
{
    const Node *node = node_at(laying, number);
    return number < laying->own && node->readers == 1 && !is_used_elsewhere(laying, node->value) && !LLVMIsAPHINode(node->value);
}

static void leaves_find(Laying *laying, size_t root)
{
    List open = list_new(laying->arena);
    list_add(&open, (void *)(intptr_t)root);
    while (open.count) {
        const Node *node = node_at(laying, (size_t)(intptr_t)open.item[--open.count]);
        for (size_t i = 0; i < node->reads.count; i++) {
            Node *read = node_at(laying, (size_t)(intptr_t)node->reads.item[i]);
            if (is_inner(laying, (size_t)(intptr_t)node->reads.item[i]))
                list_add(&open, node->reads.item[i]);
            else if (read->seen != root + 1)
                list_add(&node_at(laying, root)->leaves, node->reads.item[i]);
            read->seen = root + 1;
        }
    }
}

/* Words that are live before the tree, less those behind it. */
static int gain_of(const Laying *laying, const Node *node)
{
    int gain = node->is_live ? -node->words : 0;
    for (size_t i = 0; i < node->leaves.count; i++) {
        const Node *leaf = node_at(laying, (size_t)(intptr_t)node->leaves.item[i]);
        gain += leaf->is_live ? 0 : leaf->words;
    }
    return gain;
}

/* Is the first to come before the second, seen from the end? */
static bool comes_next(const Laying *laying, size_t first, size_t second)
{
    const Node *a = node_at(laying, first), *b = node_at(laying, second);
    bool goes_on = a->is_name || is_inner(laying, first), other_goes_on = b->is_name || is_inner(laying, second);
    int gain = goes_on ? 0 : gain_of(laying, a), other = other_goes_on ? 0 : gain_of(laying, b);
    if (goes_on != other_goes_on)
        return goes_on;
    return gain != other ? gain < other : first > second;
}

static void release(Laying *laying, size_t number)
{
    Node *node = node_at(laying, number);
    if (!--node->waits && !LLVMIsAPHINode(node->value))
        list_add(&laying->ready, (void *)(intptr_t)number);
}

static size_t take_next(Laying *laying)
{
    size_t best = 0;
    for (size_t i = 1; i < laying->ready.count; i++)
        if (comes_next(laying, (size_t)(intptr_t)laying->ready.item[i], (size_t)(intptr_t)laying->ready.item[best]))
            best = i;
    size_t number = (size_t)(intptr_t)laying->ready.item[best];
    laying->ready.item[best] = laying->ready.item[--laying->ready.count];
    return number;
}

static void place(Laying *laying, size_t number)
{
    Node *node = node_at(laying, number);
    node->is_live = false;
    for (size_t i = 0; i < node->reads.count; i++)
        node_at(laying, (size_t)(intptr_t)node->reads.item[i])->is_live = true;
    for (size_t i = 0; i < node->behind.count; i++)
        release(laying, (size_t)(intptr_t)node->behind.item[i]);
}

static Laying order_open(Arena *arena, LLVMBasicBlockRef block, const WordOrder *by)
{
    Laying laying = {
        .arena = arena, .by = by, .block = block, .number = map_new(arena), .nodes = list_new(arena), .ready = list_new(arena)};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        node_add(&laying, i);
    laying.own = laying.nodes.count;
    for (size_t i = 0; i < laying.own; i++) {
        node_at(&laying, i)->is_live = is_used_elsewhere(&laying, node_at(&laying, i)->value);
        reads_add(&laying, i);
    }
    for (size_t i = 0; i < laying.own; i++)
        if (!is_inner(&laying, i))
            leaves_find(&laying, i);
    accesses_keep(&laying);
    return laying;
}

/* Merges come first, and the block's end last. */
List word_order(Arena *arena, LLVMBasicBlockRef block, const WordOrder *by)
{
    Laying laying = order_open(arena, block, by);
    List placed = list_new(arena), all = list_new(arena);
    for (size_t i = 0; i + 1 < laying.own; i++)
        if (!node_at(&laying, i)->waits && !LLVMIsAPHINode(node_at(&laying, i)->value))
            list_add(&laying.ready, (void *)(intptr_t)i);
    place(&laying, laying.own - 1);
    list_add(&placed, node_at(&laying, laying.own - 1)->value);
    while (laying.ready.count) {
        size_t number = take_next(&laying);
        place(&laying, number);
        list_add(&placed, node_at(&laying, number)->value);
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        list_add(&all, i);
    for (size_t i = placed.count; i > 0; i--)
        list_add(&all, placed.item[i - 1]);
    return all;
}
