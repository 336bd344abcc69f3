/* Bodies that are put aside, and become functions of their own. */
#ifndef COALDA_BODIES_H
#define COALDA_BODIES_H

#include "pass/bridge/bridge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Another function of its module that has the body, of that name, which other modules see where they may see the first. Of the body nothing is
 * left. */
LLVMValueRef ir_body_copy(IrBody *body, const char *name);

#ifdef __cplusplus
}
#endif
#endif
