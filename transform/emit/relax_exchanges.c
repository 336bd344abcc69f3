/* atomicCAS as CUDA means it. At the very beginning the exchanges in clang's own functions get a mark, and behind all else they are relaxed:
 *
 *     cmpxchg ptr p, i32 c, i32 v seq_cst seq_cst, !coalda.relaxed
 *                ->    asm sideeffect "", "~{memory}"; cmpxchg ptr p, i32 c, i32 v syncscope("device") monotonic monotonic; asm sideeffect "", "~{memory}"
 *     fence.sc.sys; atom.acquire.sys.global.cas.b32
 *                ->    atom.relaxed.gpu.global.cas.b32
 *
 * No access of the thread comes to stand on the other side of it, as if it were still ordered: until here for LLVM and for every rewrite, and from
 * here on for the backend's own passes, which the empty assembly tells so. That is what nvcc does as well, and what locks made of atomicCAS count on.
 * A mark that a pass drops leaves an exchange that is ordered: slower, and right. */
#include "transform/emit/hints.h"
#include "transform/transform.h"

void exchanges_mark(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!function_is_cuda_exchange(f))
            continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (exchange_is_ordered(i))
                    mark_add(i, RELAXED_METADATA);
    }
}

static void relax(LLVMBuilderRef builder, LLVMValueRef exchange)
{
    static const char scope[] = "device";
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(exchange));
    LLVMPositionBuilderBefore(builder, exchange);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(exchange));
    order_keep(builder);
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(exchange));
    order_keep(builder);
    LLVMSetCmpXchgSuccessOrdering(exchange, LLVMAtomicOrderingMonotonic);
    LLVMSetCmpXchgFailureOrdering(exchange, LLVMAtomicOrderingMonotonic);
    LLVMSetAtomicSyncScopeID(exchange, LLVMGetSyncScopeID(context, scope, sizeof scope - 1));
}

bool exchanges_relax(LLVMValueRef function, bool relaxes)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    unsigned kind = metadata_kind(context, RELAXED_METADATA);
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAAtomicCmpXchgInst(i) || !LLVMGetMetadata(i, kind))
                continue;
            mark_drop(i, RELAXED_METADATA);
            any = true;
            if (relaxes && exchange_is_ordered(i))
                relax(builder, i);
        }
    LLVMDisposeBuilder(builder);
    return any;
}
