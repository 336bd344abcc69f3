/* The numbers that decisions rest on, as cost.def has them or as a cost table says. */
#ifndef COALDA_COST_H
#define COALDA_COST_H

#include <stdbool.h>

#include "pass/base/arena.h"

typedef struct {
#define COST(name, value, least, most, unit, origin) double name;
#include "pass/base/cost.def"
#undef COST
    bool by_arch; /* asked for: each kernel's by its architecture. The numbers are zero then, as where nothing was said. */
} Costs;

Costs costs_builtin(void);
/* What decides about a kernel of the architecture sm_<arch>: what was read, what is reckoned of that architecture if that was asked for and gpu.def
 * has it, or what is built in. */
Costs costs_for(const Costs *asked, int arch);
/* Reads a cost table, or reckons that of an architecture in gpu.def, whose name `path` is then ("arch": of each kernel's); what it leaves out is as
 * built in. NULL, or what is wrong, allocated in the arena. */
const char *costs_read(Costs *costs, const char *path, Arena *arena);

#endif
