/* Loads that wait behind what the backend makes branches of.
 *
 *     x = p[list[k]];     f += 1 / (x*x + a)       a quotient or a root that is rounded as IEEE asks has a branch of its own, for numbers at the ends
 *     y = p[list[k + 1]]; f += 1 / (y*y + a)       of the range, and ptxas brings no load in front of one: y is asked for once x is there
 *
 * Where several iterations stand in one body, such loads come in front of the first quotient behind the load before them, as many as there is room for:
 * then they are under way together. They pass nothing that writes, or that others wait at, and each stays in its block, so that nothing is read that was not. */
#include "analysis/ahead/lookahead.h"

typedef struct {
    Scope *scope;
    List *found;
    Pressure *pressure;
    LLVMValueRef place; /* where loads come; NULL: there is none yet */
    Map *below;         /* what stands behind it and is to stay there */
    int words, live;    /* that come there, and that are live there without them */
    int most;           /* that the kernel holds somewhere, or takes no more registers for than leave room for all threads */
    bool any;           /* is there a load in front? */
    List asked;         /* of Access: those of the block that stay where they are */
} Parted;

enum { MOST_ASKED = 32, MOST_STEPS = 6 }; /* bounds of the search */

static bool is_rounded(LLVMValueRef i)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
    LLVMFastMathFlags loose = LLVMFastMathApproxFunc | LLVMFastMathAllowReciprocal;
    return (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind) && LLVMCanValueUseFastMathFlags(i) &&
           !(LLVMGetFastMathFlags(i) & loose) && !ir_is_marked(i, "fpmath");
}

static bool is_root(LLVMValueRef i)
{
    static const char *const roots[] = {"llvm.sqrt.f", "llvm.nvvm.sqrt.rn.", "llvm.nvvm.sqrt.f", "llvm.nvvm.rcp.rn.",
                                        "llvm.nvvm.div.rn."};
    size_t length;
    LLVMValueRef callee = LLVMIsAIntrinsicInst(i) ? LLVMGetCalledValue(i) : NULL;
    const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
    for (size_t k = 0; k < sizeof roots / sizeof *roots; k++)
        if (text_begins(name, roots[k]))
            return true;
    return false;
}

bool operation_parts(LLVMValueRef i) { return (is_op(i, LLVMFDiv) || is_root(i)) && is_rounded(i); }

/* May a load pass it, of its own block? What calls another function may not come back. */
static bool may_be_passed(LLVMValueRef i)
{
    if (LLVMIsALoadInst(i))
        return is_unordered(i);
    return is_harmless(i) && (!LLVMIsACallInst(i) || LLVMIsAIntrinsicInst(i));
}

/* Is it, or all that it is made of behind the place, free to come there as well? */
static SlicePart ask_comes(Slice *slice, const void *context, LLVMValueRef value)
{
    const Parted *parted = context;
    (void)slice;
    if (!LLVMIsAInstruction(value) || !map_get(parted->below, value))
        return SLICE_KNOWN;
    return ir_is_pure(value) && !operation_parts(value) ? SLICE_MADE : SLICE_FAILS;
}

/* Does it follow from counters by arithmetic alone, and not from what is loaded, or passed on by shuffles? */
static SlicePart ask_counts(Slice *slice, const void *context, LLVMValueRef value)
{
    IrModule *ir = ((const Parted *)context)->scope->kernel->ir;
    (void)slice;
    if (!LLVMIsAInstruction(value) || LLVMIsAPHINode(value) || !ir_loop_of(ir, LLVMGetInstructionParent(value)))
        return SLICE_KNOWN;
    return ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

/* Where all threads that an SM has may have such loads under way, those that data name are in lines of each lane's own, and drive each other out of the
 * first-level cache. */
static bool is_crowded(const Parted *parted, LLVMValueRef load)
{
    const Kernel *kernel = parted->scope->kernel;
    return !kernel->options.always && pressure_most(parted->pressure) < kernel->options.cost.DIVIDED_NAMED &&
           !slice_of(kernel->arena, LLVMGetOperand(load, 0), ask_counts, parted);
}

static bool comes(const Parted *parted, LLVMValueRef load)
{
    const Costs *costs = &parted->scope->kernel->options.cost;
    if (is_crowded(parted, load))
        return false;
    int words = words_of_load(parted->scope->kernel, load);
    return parted->words + words <= costs->DIVIDED && parted->live + parted->words + words <= parted->most &&
           slice_of(parted->scope->kernel->arena, LLVMGetOperand(load, 0), ask_comes, parted);
}

/* What all threads of a block load alike is in the first-level cache for nearly all of them, and stays where it is: points of a surface, 32 registers instead
 * of 27, came to 0.98 of plain clang (H200). */
static bool is_of_memory(const Parted *parted, LLVMValueRef i)
{
    LLVMValueRef place = LLVMIsALoadInst(i) && is_unordered(i) ? LLVMGetOperand(i, 0) : NULL;
    return place && space_of(parted->scope, place) == SPACE_GLOBAL && !uniform_in_block(parted->scope, place);
}

/* Does it lie in a line that a load in front of it has asked for, which stays where it is? That is on its way, and registers would be taken for nothing:
 * cross sections between two points of 48 bytes, of which the quotient takes one word each, 60 registers instead of 48, came to 0.91 of plain clang (H200). */
static bool is_on_its_way(const Parted *parted, LLVMValueRef load)
{
    const Access *access = access_of_load(parted->scope, load);
    int64_t bytes;
    for (size_t i = 0; access && i < parted->asked.count; i++)
        if (access_distance(parted->scope, parted->asked.item[i], access, &bytes) && magnitude(bytes) < LINE_BYTES)
            return true;
    return false;
}

/* Is a place of the same block made of it, within a few steps, that is loaded? */
static bool names_place(LLVMValueRef value, int steps)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (!steps || (kind != LLVMIntegerTypeKind && kind != LLVMPointerTypeKind))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool loads = LLVMIsALoadInst(user) != NULL, makes = LLVMIsAInstruction(user) && ir_is_pure(user) && !LLVMIsAPHINode(user);
        if ((loads || makes) && LLVMGetInstructionParent(user) == block && (loads || names_place(user, steps - 1)))
            return true;
    }
    return false;
}

/* An index in such a line comes all the same: what it names is not on its way. Forces between an atom and its neighbours of a list, 1.28 of plain clang
 * with few threads, came to 0.99 where the indices stayed (H200). */
static bool is_near(const Parted *parted, LLVMValueRef load)
{
    return parted->place && is_on_its_way(parted, load) && !names_place(load, MOST_STEPS);
}

static void stays(Parted *parted, LLVMValueRef load)
{
    const Access *access = access_of_load(parted->scope, load);
    if (access && parted->asked.count < MOST_ASKED)
        list_add(&parted->asked, (void *)access);
}

static void add(Parted *parted, LLVMValueRef load)
{
    Arena *arena = parted->scope->kernel->plan->arena;
    PartedLoad *found = ARENA_NEW(arena, PartedLoad);
    *found = (PartedLoad){load, parted->place};
    list_add(parted->found, found);
    parted->words += words_of_load(parted->scope->kernel, load);
}

static void begin(Parted *parted, bool any)
{
    parted->place = NULL;
    parted->any = any;
    parted->words = 0;
}

static void look_at(Parted *parted, LLVMValueRef i)
{
    if (!may_be_passed(i)) {
        begin(parted, false);
        return;
    }
    if (is_of_memory(parted, i)) {
        bool near = is_near(parted, i);
        if (parted->place && !near && comes(parted, i)) {
            add(parted, i);
            return;
        }
        stays(parted, i);
        if (!near)
            begin(parted, true);
    }
    if (!parted->place && parted->any && operation_parts(i)) {
        parted->place = i;
        parted->below = map_new(parted->scope->kernel->arena);
        parted->live = pressure_at(parted->pressure, i);
    }
    if (parted->place)
        map_put(parted->below, i, i);
}

/* Where the kernel holds as many words elsewhere, it takes no more registers for those that come first; but not so many that some are spilled. */
static void open_pressure(Parted *parted)
{
    const Costs *costs = &parted->scope->kernel->options.cost;
    parted->pressure = pressure_renewed(parted->scope->kernel->arena, parted->scope->function);
    int held = pressure_most(parted->pressure), most = held < costs->EASY ? held : costs->EASY;
    parted->most = most > costs->DIVIDED_LIVE ? most : costs->DIVIDED_LIVE;
}

List parted_find(Scope *scope)
{
    List found = list_new(scope->kernel->plan->arena);
    Parted parted = {.scope = scope, .found = &found, .asked = list_new(scope->kernel->arena)};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        bool loops = ir_loop_of(scope->kernel->ir, b) != NULL;
        begin(&parted, false);
        parted.asked.count = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); loops && i; i = LLVMGetNextInstruction(i)) {
            if (!parted.pressure && operation_parts(i))
                open_pressure(&parted);
            look_at(&parted, i);
        }
    }
    return found;
}
