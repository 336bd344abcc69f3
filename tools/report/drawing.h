/* Which lane of a warp touches which sector. */
#ifndef COALDA_DRAWING_H
#define COALDA_DRAWING_H

#include <stdio.h>

#include "pass/report/row.h"

/* Nothing where only run time can tell. */
void drawing_print(FILE *out, const Row *row);

#endif
