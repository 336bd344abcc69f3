/* What stands under a condition: one block, or several where its threads part on the way and meet again.
 *
 *     if (flag[i]) {                        B --.
 *         P r = p[i];                       |    T0 --.      T0 is entered from B alone, and all that leaves it comes through T1,
 *         if (r.a > 0) r.b = log(r.c);      |    | (blocks)  which leads to J alone: what T0 and T1 touch, every thread touches
 *         q[i] = r;                         |    T1 <-'      that goes there. In between nothing is written.
 *     }                                     J <-'
 */
#include "analysis/plan/plan.h"

enum { MOST_BLOCKS = 48 }; /* between the first and the last: a bound of the search */

/* Made or not, and how often, nobody else could tell. */
static bool is_unseen(LLVMValueRef instruction)
{
    return is_unordered(instruction) && (LLVMIsALoadInst(instruction) || is_harmless(instruction));
}

static bool leads_to(LLVMBasicBlockRef block, LLVMBasicBlockRef next)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) == next)
            return true;
    return false;
}

/* All that stands between the first block and the join, the first among them; empty where that is too much, or ends elsewhere. */
static List blocks_between(Arena *arena, LLVMBasicBlockRef first, LLVMBasicBlockRef join)
{
    List blocks = list_new(arena);
    list_add(&blocks, first);
    for (size_t b = 0; b < blocks.count; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(blocks.item[b]);
        unsigned ways = LLVMGetNumSuccessors(end);
        if ((!ways && !LLVMIsAUnreachableInst(end)) || blocks.count > MOST_BLOCKS)
            return list_new(arena);
        for (unsigned i = 0; i < ways; i++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
            if (next != join && !list_has(&blocks, next))
                list_add(&blocks, next);
        }
    }
    return blocks;
}

/* The one block through which all others come to the join. */
static LLVMBasicBlockRef last_of(const List *blocks, LLVMBasicBlockRef join)
{
    LLVMBasicBlockRef last = NULL;
    for (size_t b = 0; b < blocks->count; b++) {
        if (!leads_to(blocks->item[b], join))
            continue;
        if (last)
            return NULL;
        last = blocks->item[b];
    }
    return last && leads_only_to(last, join) ? last : NULL;
}

static bool is_quiet_inside(Arena *arena, const List *blocks, LLVMBasicBlockRef last)
{
    Map *those = map_new(arena);
    for (size_t b = 0; b < blocks->count; b++)
        map_put(those, blocks->item[b], blocks->item[b]);
    for (size_t b = 0; b < blocks->count; b++) {
        LLVMBasicBlockRef block = blocks->item[b];
        bool is_end = b == 0 || block == last;
        if (!block_holds_only(block, is_end ? is_unordered_or_copy : is_unseen) || (b > 0 && !is_entered_from(block, those)))
            return false;
    }
    return true;
}

List part_under(Arena *arena, LLVMBasicBlockRef first, LLVMBasicBlockRef join)
{
    List links = list_new(arena);
    const List blocks = blocks_between(arena, first, join);
    LLVMBasicBlockRef last = last_of(&blocks, join);
    if (!last || !is_quiet_inside(arena, &blocks, last))
        return links;
    link_add(arena, &links, first, LINK_UNDER);
    for (size_t b = 1; b < blocks.count; b++)
        if (blocks.item[b] != last)
            link_add(arena, &links, blocks.item[b], LINK_BESIDE);
    if (last != first)
        link_add(arena, &links, last, LINK_UNDER);
    return links;
}

List chosen_part(const Kernel *kernel, LLVMBasicBlockRef above)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(above);
    List links = list_new(kernel->arena);
    bool is_choice = LLVMIsABranchInst(end) && LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) != LLVMGetSuccessor(end, 1);
    for (unsigned i = 0; is_choice && !links.count && i < 2; i++)
        if (ways_into(LLVMGetSuccessor(end, i)) == 1)
            links = part_under(kernel->arena, LLVMGetSuccessor(end, i), LLVMGetSuccessor(end, 1 - i));
    return links;
}
