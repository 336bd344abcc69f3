/* Kernels are given what a profile decided for them. */
#ifndef COALDA_PROFILE_OBEY_H
#define COALDA_PROFILE_OBEY_H

#include <llvm-c/Core.h>

#include "analysis/address/kernel.h"

/* Before anything else changes the module: kernels are given what a profile decided for them, and their hashes are written down, where
 * the options ask for that. What is wrong with a file is an error of the compilation. */
void profile_obey(LLVMModuleRef module, const Options *options);
/* When all is done, no kernel shows it. */
void profile_forget(LLVMModuleRef module);

#endif
