/* The numbers that decisions rest on, as cost.def has them or as a cost table says. */
#ifndef COALDA_COST_H
#define COALDA_COST_H

#include <stdbool.h>

#include "pass/base/arena.h"

typedef struct {
#define COST(name, value, least, most, unit, origin) double name;
#include "pass/base/cost.def"
#undef COST
} Costs;

Costs costs_builtin(void);
/* All numbers are zero, which not all of them may be, where nothing was said. */
bool costs_are_given(const Costs *costs);
/* Reads a cost table, or reckons that of an architecture in gpu.def, whose name `path` is then; what it leaves out is as built in. NULL, or what is wrong, allocated in the arena. */
const char *costs_read(Costs *costs, const char *path, Arena *arena);

#endif
