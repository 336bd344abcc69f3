// LLVM's statistics of what is made. A plain STATISTIC counts nothing in releases of LLVM: these do whatever LLVM was built with.
#include "pass/bridge/bridge.h"

#include "llvm/ADT/Statistic.h"

using namespace llvm;

static TrackingStatistic statistics[] = {
#define COUNT(id, name, what) {"coalda", name, what},
#include "pass/base/counts.def"
#undef COUNT
};

extern "C" {

void ir_count(IrCount what, size_t times) {
  if (times)
    statistics[what] += times;
}

size_t ir_counted(IrCount what) { return statistics[what].getValue(); }

const char *ir_count_name(IrCount what) { return statistics[what].getName(); }

} // extern "C"
