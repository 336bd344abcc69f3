/* Pieces of rows that are asked for before their turn comes.
 *
 *     for (j = 0; j < m; j += 32) { pieces of 128 bytes of 32 rows; use }      each warp waits for memory in each iteration
 *
 * Few warps have nothing else to wait beside. In launches with few threads each lane tells the second-level cache of the piece of its
 * row that comes two iterations later; where threads are many, their pieces would drive each other out of it.
 *
 * Which memory is there? What the loop will load, and what lies between two pieces of a row, nearer to one of them than a page is long. */
#include "analysis/plan/plan.h"
#include "analysis/rings/rings.h"

/* Two rows of 8192 words, 8192 of each, came from 1.9 of plain clang to 2.9 with 64 bytes at a time, where they lie in that cache
 * already, from 5.9 to 5.7. Doubles lost a fifth where they do (H100). */
enum { LEAST_STEP = 128, LEAST_OF_WORDS = 64, MOST_STEP = 512 };

/* Is it a row's piece, with the next one not far behind it? What remains of a row is not long. */
static bool is_row(const Kernel *kernel, const Group *group, int64_t *step)
{
    const Access *root = group->root;
    bool halves = root->bytes == WORD_BYTES && !uniform_is_list(root->scope, root->loop); /* lists are short */
    uint64_t least = halves ? LEAST_OF_WORDS : LEAST_STEP;
    return group->op == OP_LOAD && group->choice.action == ACTION_EXCHANGE && !ir_is_marked(root->instruction, REST_METADATA) &&
           ir_step(kernel->ir, kernel->function, group->block, root->pointer, step) && magnitude(*step) >= least &&
           magnitude(*step) <= MOST_STEP;
}

/* Another piece of a row that is there already? What lies between its pieces is asked for with them. */
static bool is_known(const List *rows, const Group *group)
{
    int64_t at;
    LLVMValueRef base = ir_without_offset(group->root->pointer, &at);
    for (size_t i = 0; i < rows->count; i++)
        if (ir_without_offset(((const RowAhead *)rows->item[i])->group->root->pointer, &at) == base)
            return true;
    return false;
}

static bool suits(const Kernel *kernel, const Region *region)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(region->first);
    IrLoop *loop = ir_loop_of(kernel->ir, block);
    return loop && !region->blocks.count && !region->gathers && !region->never && ir_loop_header(loop) == block &&
           ir_loop_is_one_block(loop) && LLVMGetBasicBlockParent(block) == kernel->function &&
           loop_tells_ahead(kernel->arena, loop);
}

static void plan_region(const Kernel *kernel, Region *region)
{
    const Costs *costs = &kernel->options.cost;
    RowsAhead *ahead = &region->ahead;
    *ahead = (RowsAhead){list_new(region->arena), (int64_t)costs->ROWS_AHEAD, (int64_t)costs->LONG_ROW};
    for (size_t i = 0; i < region->groups.count; i++) {
        RowAhead *row = ARENA_NEW(region->arena, RowAhead);
        row->group = region->groups.item[i];
        bool is_wanted = !access_is_without(row->group->root, FEATURE_ROWS_AHEAD);
        if (is_wanted && is_row(kernel, row->group, &row->step) && !is_known(&ahead->rows, row->group))
            list_add(&ahead->rows, row);
    }
}

/* Do most launches have more threads than those in which anything is told? */
static bool has_many_threads(const Kernel *kernel)
{
    return kernel->launched.known && launched_in_flight(&kernel->launched) >= (int64_t)kernel->options.cost.ROWS_AHEAD;
}

/* The loop's first region asks for what the others load of its rows. */
void rows_ahead_plan(const Kernel *kernel, size_t from)
{
    const List *regions = &kernel->plan->regions;
    LLVMBasicBlockRef last = NULL;
    for (size_t i = from; i < regions->count && !has_many_threads(kernel); i++) {
        Region *region = regions->item[i];
        LLVMBasicBlockRef block = LLVMGetInstructionParent(region->first);
        if (block != last && suits(kernel, region))
            plan_region(kernel, region);
        last = block;
    }
}
