/* Walks backward from an address to what it is made of, by the table of automaton.def. Loops become iteration
 * counters, calls are entered, and what is left over is an unknown that says whether the lanes of a warp share it.
 *
 *     for (i = t; i < n; i += 256) p[i]      p + 4*t + 1024*iteration
 *     i' = phi(t, i' + 256)                  i' := placeholder;  i' + 256 = 1*placeholder + 256: a step of 256 */
#include "analysis/address/automaton.h"

enum { MOST_NESTING = 400 };

/* ---- leaves ---- */

IrLoop *loop_of_value(Scope *scope, LLVMValueRef value)
{
    if (!value || !LLVMIsAInstruction(value))
        return NULL;
    return ir_loop_of(scope->kernel->ir, LLVMGetInstructionParent(value));
}

const Form *automaton_unknown(Scope *scope, SymbolKind kind, LLVMValueRef value, const char *name, Why why)
{
    char source[64];
    if (!name && value && ir_source_name(value, source, sizeof source))
        name = arena_text(scope->kernel->arena, "%s", source);
    const Form *form = form_unknown(scope->kernel->forms, kind, name, (int)why, loop_of_value(scope, value));
    int64_t low, high;
    if (value && ir_range(value, &low, &high))
        form_ranged(scope->kernel->forms, form, low, high);
    return form;
}

int bits_of_value(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? (int)LLVMGetIntTypeWidth(type) : 64;
}

/* The cause that an unknown part of a form was given, for what is made of it. */
Why automaton_cause(const Form *form)
{
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->term[i].degree; j++) {
            const Symbol *symbol = form->term[i].symbol[j];
            if (!symbol->unknown)
                continue;
            if (symbol->kind != SYM_OP)
                return (Why)symbol->cause;
            Why why = automaton_cause(symbol->a);
            return why || !symbol->b ? why : automaton_cause(symbol->b);
        }
    return WHY_NONE;
}

/* Is it a quotient of numbers that go on by one from lane to lane? Of a divisor that nobody knows a warp has one of those, or two. */
static bool is_quotient(LLVMValueRef value, const Form *const *operand, int count)
{
    LLVMOpcode opcode = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : (LLVMOpcode)0;
    return count == 2 && (opcode == LLVMUDiv || opcode == LLVMSDiv) && !form_varies(operand[1]) && !form_loaded(operand[0]);
}

/* An unknown that is as uniform as what it is computed from. */
static const Form *mixed(Scope *scope, LLVMValueRef value, const Form *const *operand, int count, Why why)
{
    SymbolKind kind = SYM_UNIFORM;
    bool restless = false;
    for (int i = 0; i < count; i++) {
        restless |= form_restless(operand[i]);
        if (form_varies(operand[i]) && kind != SYM_LOADED)
            kind = form_loaded(operand[i]) ? SYM_LOADED : SYM_OPAQUE;
        if (automaton_cause(operand[i]))
            why = automaton_cause(operand[i]);
    }
    const Form *form = automaton_unknown(scope, kind, value, NULL, kind == SYM_UNIFORM ? WHY_NONE : why);
    return restless && !is_quotient(value, operand, count) ? form : form_calmed(form);
}

static const Form *blended(Scope *scope, LLVMValueRef value, Why why)
{
    enum { MOST_OPERANDS = 16 };
    const Form *operand[MOST_OPERANDS];
    int count = LLVMGetNumOperands(value);
    if (count > MOST_OPERANDS)
        return automaton_unknown(scope, SYM_OPAQUE, value, NULL, WHY_TOO_LARGE);
    for (int i = 0; i < count; i++)
        operand[i] = automaton_form(scope, LLVMGetOperand(value, (unsigned)i));
    return mixed(scope, value, operand, count, why);
}

static const Form *step_blend(Scope *scope, LLVMValueRef value) { return blended(scope, value, WHY_NOT_LINEAR); }

/* The result of form arithmetic, or an unknown where that gave up. */
static const Form *or_blend(Scope *scope, LLVMValueRef value, const Form *form, Why why)
{
    return form ? form : blended(scope, value, why);
}

/* ---- pointers ---- */

static const Form *step_through(Scope *scope, LLVMValueRef value) { return automaton_form(scope, LLVMGetOperand(value, 0)); }

/* One index of a GEP in bytes, and the type it leads into. */
static const Form *gep_index(Scope *scope, LLVMTypeRef *type, LLVMValueRef index, bool first)
{
    Kernel *kernel = scope->kernel;
    if (!first && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        uint64_t offset = LLVMOffsetOfElement(kernel->layout, *type, field);
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return form_constant(kernel->forms, (int64_t)offset);
    }
    if (!first)
        *type = LLVMGetElementType(*type);
    if (LLVMGetTypeKind(*type) == LLVMScalableVectorTypeKind)
        return NULL;
    /* an index is read as signed and multiplied by the element's size */
    const Form *form = form_extend(kernel->forms, automaton_form(scope, index), bits_of_value(index), true);
    return form ? form_scale(kernel->forms, form, (int64_t)LLVMABISizeOfType(kernel->layout, *type)) : NULL;
}

static const Form *step_offset(Scope *scope, LLVMValueRef gep)
{
    const Form *sum = automaton_form(scope, LLVMGetOperand(gep, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned i = 1; sum && i < (unsigned)LLVMGetNumOperands(gep); i++) {
        const Form *index = gep_index(scope, &type, LLVMGetOperand(gep, i), i == 1);
        sum = index ? form_add(scope->kernel->forms, sum, index) : NULL;
    }
    return or_blend(scope, gep, sum, WHY_TOO_LARGE);
}

/* ---- integers ---- */

static const Form *left_of(Scope *scope, LLVMValueRef value) { return automaton_form(scope, LLVMGetOperand(value, 0)); }
static const Form *right_of(Scope *scope, LLVMValueRef value) { return automaton_form(scope, LLVMGetOperand(value, 1)); }

/* A sum is exact where its operands are and the instruction promises not to wrap, or where its range fits. */
static const Form *arithmetic(Scope *scope, LLVMValueRef value, const Form *form, bool keeps_unsigned)
{
    if (!form)
        return blended(scope, value, WHY_TOO_LARGE);
    return form_flagged(scope->kernel->forms, form, form->exact_signed && LLVMGetNSW(value),
                        form->exact_unsigned && keeps_unsigned && LLVMGetNUW(value));
}

static const Form *step_add(Scope *scope, LLVMValueRef value)
{
    return arithmetic(scope, value, form_add(scope->kernel->forms, left_of(scope, value), right_of(scope, value)), true);
}

static const Form *step_sub(Scope *scope, LLVMValueRef value)
{
    return arithmetic(scope, value, form_sub(scope->kernel->forms, left_of(scope, value), right_of(scope, value)), false);
}

static const Form *step_mul(Scope *scope, LLVMValueRef value)
{
    return arithmetic(scope, value, form_mul(scope->kernel->forms, left_of(scope, value), right_of(scope, value)), true);
}

static const Form *operation(Scope *scope, LLVMValueRef value, FormOp op, Why why)
{
    const Form *form = form_op(scope->kernel->forms, op, bits_of_value(value), left_of(scope, value), right_of(scope, value));
    return or_blend(scope, value, form, why);
}

static const Form *step_shl(Scope *scope, LLVMValueRef value)
{
    const Form *form = operation(scope, value, OP_SHL, WHY_NOT_LINEAR);
    const Form *left = left_of(scope, value);
    bool is_signed = left->exact_signed && LLVMGetNSW(value), is_unsigned = left->exact_unsigned && LLVMGetNUW(value);
    /* by lanes: evaluated at its width, as flagged */
    return form_unknown_in(form) || form_varies(right_of(scope, value))
               ? form
               : form_flagged(scope->kernel->forms, form, is_signed, is_unsigned);
}

/* How many of its lowest bits are 0 whatever its symbols are? */
static int zeros_below(const Form *form)
{
    enum { MOST = 62 };
    uint64_t bits = UINT64_C(1) << MOST | (uint64_t)form->constant;
    for (int i = 0; i < form->count; i++)
        bits |= (uint64_t)form->term[i].coefficient;
    return __builtin_ctzll(bits);
}

/* The number of the thread in its row, and nothing else, of a block that may be of any size. */
static bool is_place_in_row(const Form *form)
{
    const Symbol *symbol = form_symbol(form);
    return symbol && symbol->kind == SYM_TID && symbol->axis == 0;
}

/* (blockIdx.x << 6) | threadIdx.x is a sum: in blocks of up to 64 threads, as launch bounds say; where nobody says so, that is taken for granted, as
 * a program of other blocks would have threads that do the same work. NULL: they may have bits in common. */
static const Form *joined(Scope *scope, int bits, const Form *high, const Form *low)
{
    enum { WARP_BITS = 5 };
    int64_t least, most;
    int zeros = zeros_below(high) < bits ? zeros_below(high) : bits - 1;
    FormSpace *forms = scope->kernel->forms;
    Shape shape = form_shape(forms);
    const Form *sum = form_add(forms, high, low);
    if (!sum || !form_range(low, &least, &most) || least < 0)
        return NULL;
    bool is_apart = most >> zeros == 0, is_open = !shape.extent[0] && !shape.limit;
    if (!is_apart && !(is_open && high->count && zeros >= WARP_BITS && is_place_in_row(low)))
        return NULL;
    sum = form_flagged(forms, sum, high->exact_signed, high->exact_unsigned);
    return is_apart ? sum : form_bounded(forms, sum);
}

static const Form *step_or(Scope *scope, LLVMValueRef value)
{
    const Form *left = left_of(scope, value), *right = right_of(scope, value);
    if (LLVMGetIsDisjoint(value))
        return or_blend(scope, value, form_add(scope->kernel->forms, left, right), WHY_TOO_LARGE);
    const Form *sum = joined(scope, bits_of_value(value), left, right);
    sum = sum ? sum : joined(scope, bits_of_value(value), right, left);
    return sum ? sum : operation(scope, value, OP_OR, WHY_NOT_LINEAR);
}

/* Does the compiler know that the loop around keeps the number below so much? */
static bool is_kept_below(Scope *scope, LLVMValueRef value, int64_t bound)
{
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    return block && ir_loop_of(scope->kernel->ir, block) && ir_is_below(scope->kernel->ir, scope->function, value, bound);
}

/* Of n & 1016, n below 1024, all bits but the last three: the mask is made as narrow as the number. */
static const Form *step_and(Scope *scope, LLVMValueRef value)
{
    int64_t mask;
    FormSpace *forms = scope->kernel->forms;
    bool masks = form_is_constant(right_of(scope, value), &mask) && mask > 0 && mask < INT32_MAX;
    int64_t below = masks ? (mask & -mask) - 1 : 0, top = (mask | below) + 1;
    if (!below || (top & (top - 1)) || !left_of(scope, value)->exact_signed || !is_kept_below(scope, LLVMGetOperand(value, 0), top))
        return operation(scope, value, OP_AND, WHY_NOT_LINEAR);
    const Form *form = form_op(forms, OP_AND, bits_of_value(value), left_of(scope, value), form_constant(forms, ~below));
    return or_blend(scope, value, form, WHY_NOT_LINEAR);
}

/* The loop around may keep it shorter than its form says. */
int automaton_bits(Scope *scope, LLVMValueRef value)
{
    enum { MOST = 16 };
    int64_t low, high;
    int few = 0, many = MOST; /* it has more than few bits, and no more than many */
    const Form *form = automaton_form(scope, value);
    bool ranged = !form->bounded && form_range(form, &low, &high) && low >= 0 && high < INT64_C(1) << MOST;
    bool kept = is_kept_below(scope, value, INT64_C(1) << MOST);
    while (many - few > 1) {
        int middle = (few + many) / 2;
        bool below = (ranged && high < INT64_C(1) << middle) || (kept && is_kept_below(scope, value, INT64_C(1) << middle));
        *(below ? &many : &few) = middle;
    }
    return ranged || kept ? many : 0;
}

static const Form *step_xor(Scope *scope, LLVMValueRef value)
{
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
        return blended(scope, value, WHY_NOT_LINEAR);
    Crossed side[2];
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef operand = LLVMGetOperand(value, i);
        side[i] = (Crossed){automaton_form(scope, operand), automaton_bits(scope, operand)};
    }
    const Form *form = form_xor(scope->kernel->forms, bits_of_value(value), side[0], side[1]);
    return form ? form : operation(scope, value, OP_XOR, WHY_NOT_LINEAR);
}

#define STEP_OPERATION(name, op, why) \
    static const Form *step_##name(Scope *scope, LLVMValueRef value) { return operation(scope, value, op, why); }
STEP_OPERATION(udiv, OP_UDIV, WHY_DIVIDED)
STEP_OPERATION(sdiv, OP_SDIV, WHY_DIVIDED)
STEP_OPERATION(urem, OP_UREM, WHY_DIVIDED)
STEP_OPERATION(srem, OP_SREM, WHY_DIVIDED)
STEP_OPERATION(ashr, OP_ASHR, WHY_NOT_LINEAR)

static const Form *step_lshr(Scope *scope, LLVMValueRef value)
{
    int64_t by;
    FormSpace *forms = scope->kernel->forms;
    if (!form_is_constant(right_of(scope, value), &by) || by < 0 || by > 62)
        return blended(scope, value, WHY_NOT_LINEAR);
    const Form *form = form_op(forms, OP_UDIV, bits_of_value(value), left_of(scope, value), form_constant(forms, INT64_C(1) << by));
    return or_blend(scope, value, form, WHY_NOT_LINEAR);
}

static const Form *extension(Scope *scope, LLVMValueRef value, bool is_signed)
{
    const Form *form = left_of(scope, value);
    int bits = bits_of_value(LLVMGetOperand(value, 0));
    return or_blend(scope, value, form_extend(scope->kernel->forms, form, bits, is_signed), WHY_TOO_LARGE);
}

static const Form *step_sext(Scope *scope, LLVMValueRef value) { return extension(scope, value, true); }

static const Form *step_zext(Scope *scope, LLVMValueRef value)
{
    /* not negative: both readings agree, so an exact signed sum will do */
    bool agree = LLVMGetNNeg(value) && left_of(scope, value)->exact_signed;
    return extension(scope, value, agree);
}

static const Form *step_trunc(Scope *scope, LLVMValueRef value)
{
    FormSpace *forms = scope->kernel->forms;
    const Form *form = left_of(scope, value);
    int64_t low, high, limit = bits_of_value(value) < 64 ? INT64_C(1) << (bits_of_value(value) - 1) : 0;
    bool small = limit && form_range(form, &low, &high) && low >= -limit && high < limit;
    return form_flagged(forms, form, small || (form->exact_signed && LLVMGetNSW(value)),
                        (small && low >= 0) || (form->exact_unsigned && LLVMGetNUW(value)));
}

static const Form *step_select(Scope *scope, LLVMValueRef value)
{
    LLVMValueRef condition = LLVMGetOperand(value, 0);
    const Form *a = automaton_form(scope, LLVMGetOperand(value, 1));
    const Form *b = automaton_form(scope, LLVMGetOperand(value, 2));
    Guard guard;
    if (LLVMGetTypeKind(LLVMTypeOf(condition)) != LLVMIntegerTypeKind)
        return blended(scope, value, WHY_NOT_LINEAR);
    if (!guard_of_condition(scope, condition, true, &guard)) {
        const Form *zero = form_constant(scope->kernel->forms, 0);
        guard = (Guard){.compare = CMP_NE, .left = automaton_form(scope, condition), .right = zero};
    }
    return or_blend(scope, value, form_select(scope->kernel->forms, &guard, a, b), WHY_BRANCHED);
}

static const Form *step_phi(Scope *scope, LLVMValueRef value) { return phi_form(scope, value); }

/* ---- loads and calls ---- */

/* What is read at one address is one value; what is read at many is data. */
static const Form *step_load(Scope *scope, LLVMValueRef load)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(load)) == LLVMPointerTypeKind;
    const Form *address = automaton_form(scope, pointer);
    Space space = space_of(scope, pointer);
    if (space == SPACE_LOCAL)
        return automaton_unknown(scope, SYM_OPAQUE, load, NULL, WHY_LOCAL_DATA);
    if (form_varies(address)) {
        const Form *data = automaton_unknown(scope, SYM_LOADED, load, NULL, is_pointer ? WHY_POINTER : WHY_NONE);
        return form_restless(address) ? data : form_calmed(data);
    }
    /* parameters and constants do not change: two loads of one place are one symbol */
    bool fixed = space == SPACE_PARAM || space == SPACE_CONSTANT;
    const Form *form = fixed && form_is_invariant(address, NULL)
                           ? form_op_leaf(scope->kernel->forms, address, is_pointer ? SYM_BASE : SYM_UNIFORM)
                           : NULL;
    if (form)
        return form;
    return automaton_unknown(scope, is_pointer ? SYM_BASE : SYM_UNIFORM, load, NULL, WHY_NONE);
}

typedef const Form *(*IntrinsicStep)(Scope *scope, LLVMValueRef call, int what, int axis);

static const Form *intrinsic_sreg(Scope *scope, LLVMValueRef call, int what, int axis)
{
    (void)call;
    return form_sreg(scope->kernel->forms, (SymbolKind)what, axis);
}

static const Form *intrinsic_pure(Scope *scope, LLVMValueRef call, int what, int axis)
{
    (void)axis;
    return operation(scope, call, (FormOp)what, WHY_NOT_LINEAR);
}

static const Form *intrinsic_same(Scope *scope, LLVMValueRef call, int what, int axis)
{
    (void)what, (void)axis;
    return automaton_unknown(scope, SYM_UNIFORM, call, NULL, WHY_NONE);
}

static const Form *intrinsic_other(Scope *scope, LLVMValueRef call, int what, int axis)
{
    (void)axis;
    return automaton_unknown(scope, what == WHY_ATOMIC_INDEX ? SYM_LOADED : SYM_OPAQUE, call, NULL, (Why)what);
}

static const struct {
    const char *name;
    IntrinsicStep step;
    int what, axis;
} intrinsics[] = {
#define SREG(name, symbol, axis) {name, intrinsic_sreg, symbol, axis},
#define PURE(name, op) {name, intrinsic_pure, op, 0},
#define SAME(name) {name, intrinsic_same, 0, 0},
#define OTHER(name, why) {name, intrinsic_other, why, 0},
#include "analysis/address/intrinsics.def"
};

static const Form *intrinsic_form(Scope *scope, LLVMValueRef call, LLVMValueRef callee)
{
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (text_begins(name, intrinsics[i].name))
            return intrinsics[i].step(scope, call, intrinsics[i].what, intrinsics[i].axis);
    return blended(scope, call, WHY_CALLED);
}

/* What a function returns, where all its returns agree or all lanes share them. */
static const Form *returned(Scope *callee, LLVMValueRef call)
{
    const Form *form = NULL;
    bool agree = true, varies = false, loaded = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(callee->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!end || LLVMGetInstructionOpcode(end) != LLVMRet || LLVMGetNumOperands(end) != 1)
            continue;
        const Form *other = automaton_form(callee, LLVMGetOperand(end, 0));
        agree &= !form || form_equal(form, other);
        varies |= form_varies(other);
        loaded |= form_loaded(other);
        form = form && agree ? form_either(callee->kernel->forms, form, other) : other;
    }
    if (form && agree)
        return form;
    return automaton_unknown(callee->caller, loaded ? SYM_LOADED : SYM_OPAQUE, call, NULL, varies ? WHY_BRANCHED : WHY_CALLED);
}

static const Form *step_call(Scope *scope, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (callee && LLVMGetIntrinsicID(callee))
        return intrinsic_form(scope, call, callee);
    if (assembly_reads_lane(call))
        return form_sreg(scope->kernel->forms, SYM_LANE, 0);
    Scope *inside = scope_of_call(scope, call);
    return inside ? returned(inside, call) : automaton_unknown(scope, SYM_OPAQUE, call, NULL, WHY_CALLED);
}

/* ---- the machine ---- */

typedef const Form *(*Step)(Scope *scope, LLVMValueRef value);

static const struct {
    LLVMOpcode opcode;
    Step pointer, integer;
} steps[] = {
#define STEP(opcode, pointer, integer) {LLVM##opcode, step_##pointer, step_##integer},
#include "analysis/address/automaton.def"
};

static Step step_of(LLVMOpcode opcode, bool is_pointer)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i].opcode == opcode)
            return is_pointer ? steps[i].pointer : steps[i].integer;
    return step_blend;
}

static const Form *constant_form(Scope *scope, LLVMValueRef value)
{
    FormSpace *forms = scope->kernel->forms;
    if (LLVMIsAConstantInt(value)) {
        bool fits = bits_of_value(value) <= 64;
        return fits ? form_constant(forms, LLVMConstIntGetSExtValue(value))
                    : automaton_unknown(scope, SYM_UNIFORM, NULL, NULL, WHY_NONE);
    }
    if (LLVMIsAConstantPointerNull(value) || LLVMIsUndef(value))
        return form_constant(forms, 0);
    if (LLVMIsAGlobalVariable(value)) {
        size_t length;
        return form_named_base(forms, value, LLVMGetValueName2(value, &length));
    }
    return automaton_unknown(scope, SYM_UNIFORM, NULL, "constant", WHY_NONE);
}

static const Form *evaluate(Scope *scope, LLVMValueRef value)
{
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    if (LLVMIsAConstantExpr(value))
        return step_of(LLVMGetConstOpcode(value), is_pointer)(scope, value);
    if (LLVMIsAConstant(value))
        return constant_form(scope, value);
    if (!LLVMIsAInstruction(value))
        return automaton_unknown(scope, SYM_UNIFORM, NULL, NULL, WHY_NONE);
    if (LLVMIsAAllocaInst(value))
        return form_named_base(scope->kernel->forms, value, "local");
    if (!ir_reachable(scope->kernel->ir, LLVMGetInstructionParent(value)))
        return automaton_unknown(scope, SYM_OPAQUE, NULL, NULL, WHY_BRANCHED);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    if (opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg)
        return automaton_unknown(scope, SYM_LOADED, value, NULL, WHY_ATOMIC_INDEX);
    return step_of(opcode, is_pointer)(scope, value);
}

static int argument_index(Scope *scope, LLVMValueRef argument)
{
    int count = (int)LLVMCountParams(scope->function);
    for (int i = 0; i < count; i++)
        if (LLVMGetParam(scope->function, (unsigned)i) == argument)
            return i;
    return -1;
}

const Form *automaton_form(Scope *scope, LLVMValueRef value)
{
    if (LLVMIsAArgument(value)) {
        int index = argument_index(scope, value);
        return index >= 0 ? scope->argument[index] : automaton_unknown(scope, SYM_OPAQUE, NULL, NULL, WHY_ARGUMENT);
    }
    const Form *form = map_get(scope->forms, value);
    if (form)
        return form;
    if (scope->nesting >= MOST_NESTING)
        return automaton_unknown(scope, SYM_OPAQUE, value, NULL, WHY_TOO_LARGE);
    scope->nesting++;
    form = evaluate(scope, value);
    scope->nesting--;
    map_put(scope->forms, value, (void *)form);
    list_add(&scope->journal, value);
    if (scope->nesting == 0)
        scope->journal.count = 0;
    return form;
}
