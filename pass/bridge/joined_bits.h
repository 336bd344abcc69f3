/* Rows whose length is a power of two, and whose words are found by joining bits: joined_bits.cpp. */
#ifndef COALDA_JOINED_BITS_H
#define COALDA_JOINED_BITS_H

#include "pass/bridge/bridge.h"

#ifdef __cplusplus
namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

/* Bits of the loop's counter and of what is shifted above it are said to be added where they are joined. True where there are any. */
bool loop_add_joined(llvm::Loop &loop, llvm::ScalarEvolution &evolution);

extern "C" {
#endif

/* The same of all loops of the function, once those that count to a power of two end by a comparison. True where anything changed. */
bool ir_add_joined(IrModule *ir, LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
