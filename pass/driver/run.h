/* The pass over a module. */
#ifndef COALDA_RUN_H
#define COALDA_RUN_H

#include "analysis/address/kernel.h"
#include "pass/obey/profile_obey.h"

/* Receives each kernel when its table is complete; the kernel lives until it returns. */
typedef void (*KernelSink)(void *context, const Kernel *kernel);

/* Is the kernel one that is looked at at all? */
bool coalda_is_for(LLVMModuleRef module, LLVMValueRef function, const Options *options);
/* And may its loops that look for something be unrolled away? */
bool coalda_repeats_searches(LLVMModuleRef module, LLVMValueRef function, const Options *options);
/* Would a loop that was kept from being unrolled become a ring? */
bool coalda_has_kept_ring(IrModule *ir, LLVMModuleRef module, const Options *options);
/* Would iterations of a loop around others, kept from being unrolled, stand side by side? */
bool coalda_has_kept_jam(IrModule *ir, LLVMModuleRef module, const Options *options);
/* Would pieces of a row be loaded at once that a loop kept from being unrolled looks for something in? */
bool coalda_has_kept_search(IrModule *ir, LLVMModuleRef module, const Options *options);
/* Before anything is inlined: what is known of functions that are there then alone. */
void coalda_begin(LLVMModuleRef module, const Options *options);
/* True where the module has changed. */
bool coalda_run(IrModule *ir, LLVMModuleRef module, const Options *options, bool rewrites, KernelSink sink, void *context);

#endif
