/* May iterations of a loop around others load and store side by side? What each of them does stays in its order; what one stores may
 * come before what an earlier one loads behind that, and behind what a later one loads before it.
 *
 *     for (j) { t = y[j]; for (k) t += x[k]; y[j] = t }      y[j + 1] is loaded before y[j] is stored */
#include "analysis/facts/facts.h"
#include "analysis/walks/jam.h"

typedef struct {
    Scope *scope;
    IrLoop *loop;
    int times;
    List *tests; /* of JamTest */
} Search;

static int64_t bytes_of(const Search *search, LLVMValueRef access)
{
    return (int64_t)LLVMStoreSizeOfType(search->scope->kernel->layout, type_of_access(access));
}

static bool is_in_loop_inside(const Search *search, LLVMValueRef access)
{
    return ir_loop_of(search->scope->kernel->ir, LLVMGetInstructionParent(access)) != search->loop;
}

/* Both step on together, and no two of the iterations meet in what they touch. */
static bool steps_past(const Search *search, LLVMValueRef store, LLVMValueRef other)
{
    IrModule *ir = search->scope->kernel->ir;
    LLVMValueRef function = search->scope->function, from = pointer_of_access(store), to = pointer_of_access(other);
    LLVMBasicBlockRef header = ir_loop_header(search->loop);
    int64_t distance, step, other_step, bytes = bytes_of(search, store), other_bytes = bytes_of(search, other);
    if (is_in_loop_inside(search, other) || !ir_distance(ir, function, from, to, &distance) ||
        !ir_step(ir, function, header, from, &step) || !ir_step(ir, function, header, to, &other_step) || step != other_step)
        return false;
    for (int64_t i = 1; i < search->times; i++)
        for (int64_t way = -i; way <= i; way += 2 * i) {
            int64_t place = distance + way * step;
            if (place < bytes && place > -other_bytes)
                return false;
        }
    return true;
}

static bool is_apart(const Search *search, LLVMValueRef store, LLVMValueRef other)
{
    if (store == other)
        return true;
    bool meets = LLVMIsAStoreInst(other)
                     ? !ir_is_elsewhere(search->scope->kernel->ir, store, pointer_of_access(store), other, pointer_of_access(other))
                     : ir_may_change(search->scope->kernel->ir, store, other);
    return !meets || steps_past(search, store, other);
}

/* ---- what is asked on entry ---- */

static bool is_bounded(const Search *search, LLVMValueRef access)
{
    IrExtent extent;
    Space space = space_proved(search->scope, pointer_of_access(access));
    return (space == SPACE_GLOBAL || space == SPACE_GENERIC) &&
           ir_extent(search->scope->kernel->ir, search->scope->function, ir_loop_header(search->loop), pointer_of_access(access), 0,
                     NULL, &extent);
}

/* A test that asks for bytes around those of the access, which are among what it asks for from now on. */
static bool is_asked(const Search *search, LLVMValueRef store, LLVMValueRef other)
{
    for (size_t i = 0; i < search->tests->count; i++) {
        JamTest *test = search->tests->item[i];
        int64_t offset, end;
        if (test->store != store ||
            !ir_distance(search->scope->kernel->ir, search->scope->function, pointer_of_access(test->other),
                         pointer_of_access(other), &offset) ||
            offset < 0)
            continue;
        end = offset + bytes_of(search, other);
        test->touched = end > test->touched ? end : test->touched;
        return true;
    }
    return false;
}

/* False where nobody can tell. */
static bool ask(const Search *search, LLVMValueRef store, LLVMValueRef other)
{
    Arena *arena = search->scope->kernel->plan->arena;
    int64_t distance;
    if (!is_in_loop_inside(search, other) && ir_distance(search->scope->kernel->ir, search->scope->function,
                                                         pointer_of_access(store), pointer_of_access(other), &distance))
        return false; /* they do meet, or wrap around */
    if (is_asked(search, store, other))
        return true;
    if (search->tests->count >= (size_t)search->scope->kernel->options.cost.ENTRY_TESTS || !is_bounded(search, store) ||
        !is_bounded(search, other))
        return false;
    JamTest *test = ARENA_NEW(arena, JamTest);
    *test = (JamTest){store, other, bytes_of(search, store), bytes_of(search, other)};
    list_add(search->tests, test);
    return true;
}

static Why obstacle_of(const Search *search, const List *accesses, LLVMValueRef store)
{
    for (size_t i = 0; i < accesses->count; i++)
        if (!is_apart(search, store, accesses->item[i]) && !ask(search, store, accesses->item[i]))
            return WHY_WALK_WRITTEN;
    return WHY_NONE;
}

Why jam_order(Scope *scope, IrLoop *loop, int times, List *tests)
{
    const Search search = {scope, loop, times, tests};
    List accesses = list_new(scope->kernel->arena);
    Why why = WHY_NONE;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i)) {
            if (!is_unordered(i))
                return WHY_WALK_ORDER;
            if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
                list_add(&accesses, i);
        }
    for (size_t i = 0; i < accesses.count; i++)
        if (LLVMIsAStoreInst(accesses.item[i]) && is_in_loop_inside(&search, accesses.item[i]))
            return WHY_JAM_STORES;
    for (size_t i = 0; i < accesses.count && !why; i++)
        if (LLVMIsAStoreInst(accesses.item[i]))
            why = obstacle_of(&search, &accesses, accesses.item[i]);
    return why;
}
