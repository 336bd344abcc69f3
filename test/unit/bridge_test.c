/* What the bridge and the walk over operands promise where they cannot tell. */
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <string.h>

#include "analysis/facts/facts.h"

#include "unit.h"

static const char loop[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
                           "define void @k(ptr %p, ptr %q, i32 %n) {\n"
                           "entry:\n  br label %h\n"
                           "h:\n  %i = phi i32 [ 0, %entry ], [ %j, %h ]\n  %a = getelementptr i32, ptr %p, i32 %i\n"
                           "  %l = load ptr, ptr %q\n  %v = load i32, ptr %l\n  store i32 %v, ptr %a\n"
                           "  %j = add nsw i32 %i, 1\n  %m = icmp slt i32 %j, %n\n  br i1 %m, label %h, label %out\n"
                           "out:\n  ret void\n}\n";

static LLVMModuleRef module_of(LLVMContextRef context, const char *text)
{
    LLVMModuleRef module;
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
    assert_false(LLVMParseIRInContext(context, buffer, &module, &message));
    return module;
}

static LLVMValueRef value_named(LLVMBasicBlockRef block, const char *name)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    size_t length;
    while (strcmp(LLVMGetValueName2(i, &length), name) != 0)
        i = LLVMGetNextInstruction(i);
    return i;
}

/* An extent that LLVM cannot tell holds never: whoever tests it takes the original. */
static void test_unknown_extent(void **state)
{
    (void)state;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = module_of(context, loop);
    LLVMValueRef function = LLVMGetNamedFunction(module, "k");
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function), header = LLVMGetNextBasicBlock(entry);
    LLVMValueRef place = LLVMGetBasicBlockTerminator(entry);
    IrModule *ir = ir_module_open();
    IrExtent extent;
    memset(&extent, 0x5a, sizeof extent);
    assert_false(ir_extent(ir, function, header, value_named(header, "l"), 4, place, &extent));
    assert_true(LLVMIsAConstantInt(extent.holds) && LLVMConstIntGetZExtValue(extent.holds) == 0);
    assert_true(LLVMIsConstant(extent.base) && LLVMIsConstant(extent.low) && LLVMIsConstant(extent.high));
    assert_true(ir_extent(ir, function, header, value_named(header, "a"), 4, place, &extent));
    assert_false(LLVMIsAConstantInt(extent.holds));
    ir_module_close(ir);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

/* ---- slices ---- */

static SlicePart ask_counting(Slice *slice, const void *context, LLVMValueRef value)
{
    (void)slice;
    ++*(int *)context;
    return LLVMIsAInstruction(value) ? SLICE_MADE : SLICE_KNOWN;
}

static bool is_instruction(const void *context, LLVMValueRef value)
{
    (void)context;
    return LLVMIsAInstruction(value) != NULL;
}

/* x1 = x0 * x0, x2 = x1 * x1, ...: the last. */
static LLVMValueRef squares(LLVMContextRef context, LLVMModuleRef module, int count)
{
    LLVMTypeRef number = LLVMInt32TypeInContext(context);
    LLVMValueRef function = LLVMAddFunction(module, "f", LLVMFunctionType(number, &number, 1, false));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
    LLVMValueRef value = LLVMGetParam(function, 0);
    for (int i = 0; i < count; i++)
        value = LLVMBuildMul(builder, value, value, "");
    LLVMBuildRet(builder, value);
    LLVMDisposeBuilder(builder);
    return value;
}

/* Each value is met once, whatever shares it; of too many, nothing holds; and the order has operands first. */
static void test_slices(void **state)
{
    (void)state;
    LLVMContextRef context = LLVMContextCreate();
    Arena *arena = arena_new();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("test", context);
    int met = 0;
    LLVMValueRef shared = squares(context, module, 60);
    assert_true(slice_of(arena, shared, ask_counting, &met));
    assert_int_equal(met, 61);
    List order = slice_order(arena, shared, is_instruction, NULL);
    assert_int_equal(order.count, 60);
    for (size_t i = 1; i < order.count; i++)
        assert_true(LLVMGetOperand(order.item[i], 0) == order.item[i - 1]);
    assert_false(slice_of(arena, squares(context, module, 100000), ask_counting, &met));
    arena_free(arena);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unknown_extent), cmocka_unit_test(test_slices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
