/* Rows that are walked while the loop writes to where data say, and nothing tells the two apart.
 *
 *     for (j = 0; j < m; j++) atomicAdd(&count[in[i*m + j]], 1)          count and in of one type, without __restrict__
 *
 * Where the loop begins nobody knows what it will write. But each write can be asked, when it is made, whether it has met a row; from then on the row's words are
 * loaded where they were (transform/walks/doubt_rows.c). Those of one iteration after the other can be loaded early so, and thrown away where they are doubted.
 * Writes to words that have been loaded are not asked: they meet none that is loaded later. */
#include "analysis/facts/facts.h"
#include "analysis/walks/walks.h"

enum { MOST_WRITES = 16, MOST_ROWS = 2 }; /* that are asked, each about each row */
enum { GLOBAL = 1 }; /* the address space, whose addresses are those of generic pointers */

typedef struct {
    Scope *scope;
    IrLoop *loop;
    List loads, writes; /* of LLVMValueRef: of the loop */
    List doubted; /* of Access: words of rows */
    List asked; /* of LLVMValueRef: what may write there, where data say */
    bool any_unknown; /* of those that are asked: else all are known where the loop begins */
} Search;

static IrModule *ir_of(const Search *search) { return search->scope->kernel->ir; }

static bool is_known(const Search *search, LLVMValueRef access)
{
    IrExtent extent;
    return ir_extent(ir_of(search), search->scope->function, ir_loop_header(search->loop), pointer_of_access(access), 0, NULL,
                     &extent);
}

/* A word of a row, of every iteration, whose place follows from counters. */
static bool is_word(const Search *search, const Access *access)
{
    LLVMValueRef load = access->instruction;
    return access->loop == search->loop && access->scope == search->scope && access->op == OP_LOAD && access->kind == CLASS_WALK &&
           (access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC) && LLVMIsALoadInst(load) && is_plain(load) &&
           !ir_is_marked(load, HINT_METADATA) && !hoist_obstacle_but_memory(search->scope, search->loop, load) &&
           is_known(search, load);
}

/* ---- the loop ---- */

/* Would the load, as it has two ways, come to stand between a product and a sum of one block, which the backend makes one? */
static bool parts_product(const Search *search, LLVMValueRef load)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(load);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && i != load; i = LLVMGetNextInstruction(i))
        for (LLVMUseRef use = is_op(i, LLVMFMul) ? LLVMGetFirstUse(i) : NULL; use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMGetInstructionParent(user) == block && ir_precedes(ir_of(search), load, user))
                return true;
        }
    return false;
}

/* ---- what meets what ---- */

/* What the pointer counts from, as far as the code goes on in one line. */
static LLVMValueRef counts_from(const Search *search, LLVMValueRef pointer)
{
    enum { FARTHEST = 32 };
    LLVMBasicBlockRef before = ir_loop_before(search->loop);
    for (int i = 0; i < FARTHEST && LLVMIsAInstruction(pointer); i++) {
        bool carried = LLVMIsAPHINode(pointer) && LLVMGetInstructionParent(pointer) == ir_loop_header(search->loop) && before;
        if (!carried && !is_op(pointer, LLVMGetElementPtr) && !is_op(pointer, LLVMAddrSpaceCast))
            break;
        pointer = carried ? phi_value_from(pointer, before) : LLVMGetOperand(pointer, 0);
    }
    return pointer;
}

/* Is the word to be doubted for the write's sake? False where that would be in vain, or not enough. */
static bool ask(Search *search, const Access *word, LLVMValueRef write, bool *doubts)
{
    LLVMValueRef load = word->instruction;
    *doubts = false;
    if (!write_reaches(search->scope, search->loop, write, load))
        return true;
    if (counts_from(search, pointer_of_access(write)) == counts_from(search, pointer_of_access(load)))
        return false; /* of one array: it meets the rows more often than not */
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer_of_access(write))) > GLOBAL)
        return false; /* counted from elsewhere than the row, which may lie there all the same */
    *doubts = true;
    search->any_unknown |= !is_known(search, write);
    if (!list_has(&search->asked, write))
        list_add(&search->asked, write);
    return true;
}

static bool ask_all(Search *search, const Access *word)
{
    bool any = false;
    for (size_t i = 0; i < search->writes.count; i++) {
        bool doubts;
        if (!ask(search, word, search->writes.item[i], &doubts))
            return false;
        any |= doubts;
    }
    if (any)
        list_add(&search->doubted, (void *)word);
    return !any || !parts_product(search, word->instruction);
}

/* ---- found ---- */

/* All words at a known distance to the first one are of its row. */
static void row_add(const Search *search, List *firsts, List *rows, const Access *word)
{
    Arena *arena = search->scope->kernel->plan->arena;
    for (size_t i = 0; i < firsts->count; i++) {
        LoopSpan *row = rows->item[i];
        int64_t from;
        if (!access_distance_of_both(search->scope, firsts->item[i], word, &from))
            continue;
        row->low = from < row->low ? from : row->low;
        row->high = from + word->bytes > row->high ? from + word->bytes : row->high;
        return;
    }
    LoopSpan *row = ARENA_NEW(arena, LoopSpan);
    *row = (LoopSpan){word->instruction, number_in(search->loop, word->instruction), 0, word->bytes, list_new(arena)};
    list_add(firsts, (void *)word);
    list_add(rows, row);
}

/* In which the narrowest row has so many bytes (DOUBTED). */
static int trips_of(const Search *search)
{
    const Options *options = &search->scope->kernel->options;
    int64_t step = INT64_MAX, bytes = options->always ? 0 : (int64_t)options->cost.DOUBTED;
    for (size_t i = 0; i < search->doubted.count; i++) {
        int64_t own = (int64_t)magnitude(((const Access *)search->doubted.item[i])->step);
        step = own < step ? own : step;
    }
    return bytes > step ? (int)((bytes + step - 1) / step) : 1;
}

static DoubtedRows *rows_of(const Search *search)
{
    Arena *arena = search->scope->kernel->plan->arena;
    List firsts = list_new(search->scope->kernel->arena);
    DoubtedRows *found = ARENA_NEW(arena, DoubtedRows);
    *found = (DoubtedRows){ir_loop_header(search->loop), list_new(arena), list_new(arena), list_new(arena), trips_of(search)};
    for (size_t i = 0; i < search->doubted.count; i++) {
        const Access *word = search->doubted.item[i];
        row_add(search, &firsts, &found->rows, word);
        list_add(&found->loads, (void *)number_in(search->loop, word->instruction));
    }
    for (size_t i = 0; i < search->asked.count; i++)
        list_add(&found->writes, (void *)number_in(search->loop, search->asked.item[i]));
    return found->rows.count <= MOST_ROWS ? found : NULL;
}

static DoubtedRows *doubted_of(const Kernel *kernel, IrLoop *loop)
{
    Arena *arena = kernel->arena;
    Search search = {kernel->scope, loop, list_new(arena), list_new(arena), list_new(arena), list_new(arena), false};
    bool may_be = ir_loop_latch(loop) && ir_loop_is_innermost(loop) && loop_is_whole(loop) &&
                  ir_loop_is_countable(kernel->ir, loop);
    if (!may_be || !loop_memory_find(kernel->scope, loop, &search.loads, &search.writes))
        return NULL;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (is_word(&search, access) && !ask_all(&search, access))
            return NULL;
    }
    bool may = search.doubted.count && search.any_unknown && search.asked.count <= MOST_WRITES;
    return may ? rows_of(&search) : NULL;
}

List doubted_rows_find(Kernel *kernel)
{
    List found = list_new(kernel->plan->arena);
    bool off = feature_is_off(&kernel->options, FEATURE_WALKS) || feature_is_off(&kernel->options, FEATURE_HOISTING);
    if (!kernel->is_entry || ir_is_optnone(kernel->function) || off)
        return found;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *loop = ir_loop_of(kernel->ir, b);
        bool begins = loop && ir_loop_header(loop) == b && !map_get(kernel->plan->tried, b);
        DoubtedRows *doubted = begins ? doubted_of(kernel, loop) : NULL;
        if (doubted)
            list_add(&found, doubted);
    }
    return found;
}
