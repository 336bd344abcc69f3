/* One atomic addition.
 *
 *     atomicAdd(&f[i].x, v)            atomicrmw fadd ptr, float seq_cst          relaxed, among all threads of the GPU: the backend
 *                                                                                 writes atom.global.add.f32, whatever is said there
 *     atomicAdd_block(&f[i].x, v)      llvm.nvvm.atomic.add.gen.f.cta.f32
 *     atomicAdd(&h[i], v)              asm "{ atom.add.noftz.f16x2 $0,[$1],$2; }"
 *
 * CUDA's atomics are relaxed, and arrive as sequentially consistent where they say nothing. Any other order was asked for. */
#include "analysis/reductions/reductions.h"

enum { BITS_OF_WORD = 32, MOST_TEXT = 128 };

static const char *const texts[] = {
#define X(added, name) name,
    ADDED(X)
#undef X
};

const char *added_text(Added added) { return texts[added]; }

/* ---- atomicrmw ---- */

/* LLVM 22 writes the same instruction for each of these. */
static bool is_of_gpu(LLVMValueRef atomic)
{
    static const char *const names[] = {"", "device", "block"};
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(atomic));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (LLVMGetAtomicSyncScopeID(atomic) == LLVMGetSyncScopeID(context, names[i], strlen(names[i])))
            return true;
    return false;
}

static bool is_relaxed(LLVMValueRef atomic)
{
    LLVMAtomicOrdering order = LLVMGetOrdering(atomic);
    return !LLVMGetVolatile(atomic) && is_of_gpu(atomic) &&
           (order == LLVMAtomicOrderingMonotonic || order == LLVMAtomicOrderingSequentiallyConsistent);
}

static Added added_by(LLVMValueRef atomic)
{
    bool sums = LLVMGetAtomicRMWBinOp(atomic) == LLVMAtomicRMWBinOpFAdd;
    return sums && LLVMGetTypeKind(LLVMTypeOf(atomic)) == LLVMFloatTypeKind ? ADDED_FLOAT : ADDED_OTHER;
}

static Why alone_because(const Addition *addition, bool is_ordered)
{
    if (is_ordered)
        return WHY_ADDED_ORDER;
    if (LLVMGetFirstUse(addition->instruction))
        return WHY_ADDED_ASKED;
    return addition->added == ADDED_OTHER ? WHY_ADDED_TYPE : WHY_NONE;
}

static void read_atomic(const Scope *scope, LLVMValueRef i, Addition *addition)
{
    LLVMValueRef value = LLVMGetOperand(i, 1);
    *addition = (Addition){.instruction = i,
                           .pointer = LLVMGetOperand(i, 0),
                           .value = value,
                           .added = added_by(i),
                           .bytes = (int)LLVMStoreSizeOfType(scope->kernel->layout, LLVMTypeOf(value)),
                           .scope = "gpu"};
    if (addition->added == ADDED_OTHER)
        addition->operation = (int)LLVMGetAtomicRMWBinOp(i);
    addition->why = alone_because(addition, !is_relaxed(i));
}

/* ---- intrinsics of a block, and of the system ---- */

static bool read_intrinsic(LLVMValueRef i, Addition *addition)
{
    static const struct {
        const char *name, *scope;
    } known[] = {{"llvm.nvvm.atomic.add.gen.f.cta.f32.", "cta"}, {"llvm.nvvm.atomic.add.gen.f.sys.f32.", "sys"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (!text_begins(callee_name(i), known[k].name))
            continue;
        *addition = (Addition){.instruction = i,
                               .pointer = LLVMGetOperand(i, 0),
                               .value = LLVMGetOperand(i, 1),
                               .added = ADDED_FLOAT,
                               .bytes = WORD_BYTES,
                               .scope = known[k].scope};
        addition->why = alone_because(addition, false);
        return true;
    }
    return false;
}

/* ---- assembly ---- */

/* The text without spaces and braces, one way to write it among several. */
static void read_dense(const char *text, char dense[MOST_TEXT])
{
    size_t length = 0;
    for (; *text && length + 1 < MOST_TEXT; text++)
        if (!strchr(" \t\r\n{}", *text))
            dense[length++] = *text;
    dense[length] = '\0';
}

static bool takes_pair(LLVMValueRef call)
{
    if (LLVMGetNumArgOperands(call) != 2)
        return false;
    LLVMTypeRef pointer = LLVMTypeOf(LLVMGetOperand(call, 0)), pair = LLVMTypeOf(LLVMGetOperand(call, 1));
    return LLVMGetTypeKind(pointer) == LLVMPointerTypeKind && LLVMGetTypeKind(pair) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(pair) == BITS_OF_WORD;
}

/* Pairs of halves, as the headers of the toolkit add them: the pointer, then the pair. */
static bool read_assembly(LLVMValueRef i, Addition *addition)
{
    static const struct {
        const char *text;
        Added added;
    } known[] = {{"atom.add.noftz.f16x2$0,[$1],$2;", ADDED_HALVES}, {"atom.add.noftz.bf16x2$0,[$1],$2;", ADDED_BFLOATS}};
    LLVMValueRef callee = LLVMGetCalledValue(i);
    size_t length;
    char dense[MOST_TEXT];
    if (!LLVMIsAInlineAsm(callee) || !takes_pair(i))
        return false;
    read_dense(LLVMGetInlineAsmAsmString(callee, &length), dense);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (strcmp(dense, known[k].text) != 0)
            continue;
        *addition = (Addition){.instruction = i,
                               .pointer = LLVMGetOperand(i, 0),
                               .value = LLVMGetOperand(i, 1),
                               .added = known[k].added,
                               .bytes = WORD_BYTES,
                               .scope = "gpu"};
        addition->why = alone_because(addition, false);
        return true;
    }
    return false;
}

bool addition_of(const Scope *scope, LLVMValueRef instruction, Addition *addition)
{
    if (LLVMIsAAtomicRMWInst(instruction)) {
        read_atomic(scope, instruction, addition);
        return true;
    }
    return LLVMIsACallInst(instruction) && (read_intrinsic(instruction, addition) || read_assembly(instruction, addition));
}
