/* Switches whose ways are short. */
#ifndef COALDA_SHORT_WAYS_H
#define COALDA_SHORT_WAYS_H

#include "pass/bridge/bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a switch: how many cases it has, how many instructions stand on all of its ways, and between how many values is to be chosen. 0 cases where
 * any way is more than what may be computed in any case, and leads on to where all others do. */
typedef struct {
    int cases, instructions, choices;
} IrShortWays;
IrShortWays ir_short_ways(LLVMValueRef jump);
/* What the ways compute is computed in front of the switch, and chosen; it is no switch any more. */
void ir_choose_ways(LLVMValueRef jump);

#ifdef __cplusplus
}
#endif

#endif
