#ifndef COALDA_SHAPE_H
#define COALDA_SHAPE_H

#include <stdbool.h>

enum { MOST_THREADS = 1024 }; /* of a block: CUDA C++ Programming Guide, compute capabilities */

/* The threads of a block, as far as the kernel says. */
typedef struct {
    int extent[3]; /* threads along x, y, z; 0 where unknown */
    int limit;     /* most threads of a block; 0 where unknown */
    bool turned;   /* the threads are numbered along y first: extents and axes of symbols are in the order y, x, z */
} Shape;

#endif
