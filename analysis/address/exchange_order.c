/* Which exchanges on condition are CUDA's own. atomicCAS is relaxed and among the threads of the GPU (CUDA C++ Programming Guide, "Atomic
 * Functions"), but clang's headers write it as a user writes a sequentially consistent exchange of the system:
 *
 *     int __iAtomicCAS(int *p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }      ->      cmpxchg ptr, i32, i32 seq_cst seq_cst
 *
 * As long as nothing is inlined, the function around it tells them apart. */
#include <string.h>

#include "analysis/address/kernel.h"

bool function_is_cuda_exchange(LLVMValueRef function)
{
    static const char *const names[] = {"_ZL12__iAtomicCASPiii", "_ZL12__uAtomicCASPjjj", "_ZL14__ullAtomicCASPyyy",
                                        "_ZL13__usAtomicCASPttt"};
    if (LLVMIsDeclaration(function) || LLVMGetLinkage(function) != LLVMInternalLinkage)
        return false;
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

bool exchange_is_ordered(LLVMValueRef i)
{
    return LLVMIsAAtomicCmpXchgInst(i) && !LLVMGetVolatile(i) &&
           LLVMGetAtomicSyncScopeID(i) == LLVMGetSyncScopeID(LLVMGetTypeContext(LLVMTypeOf(i)), "", 0) &&
           LLVMGetCmpXchgSuccessOrdering(i) == LLVMAtomicOrderingSequentiallyConsistent &&
           LLVMGetCmpXchgFailureOrdering(i) == LLVMAtomicOrderingSequentiallyConsistent;
}
