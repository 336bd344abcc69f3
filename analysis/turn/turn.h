/* Blocks whose threads had better be numbered along y first. */
#ifndef COALDA_TURN_H
#define COALDA_TURN_H

#include "analysis/facts/facts.h"

#define TURN_X "llvm.nvvm.read.ptx.sreg.tid.x"
#define TURN_Y "llvm.nvvm.read.ptx.sreg.tid.y"

/* Does it read both indices, in blocks that are not known to be flat or higher than wide? */
bool turn_is_possible(const Kernel *kernel);
/* Measured: is an access wasteful that depends on threadIdx.y? */
bool turn_is_wanted(const Kernel *kernel);
/* Does a loop of it go on to where it has loaded? */
bool turn_is_led(const Kernel *kernel);
bool turn_pays(const Kernel *kernel);
/* WHY_NONE where the threads may change places. */
Why turn_hazard(Kernel *kernel);

#endif
