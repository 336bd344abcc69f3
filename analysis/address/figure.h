/* The figures of one access: sectors, lines and banks of its requests, averaged over the warps that make them.
 * What the form leaves open is said: `assumes` names every assumption, sectors_min and sectors_max bound the
 * figure without the one on alignment, and an address that depends on data has no figure at all. */
#ifndef COALDA_FIGURE_H
#define COALDA_FIGURE_H

#include "analysis/address/form.h"
#include "analysis/address/warp.h"

/* name, sentence */
#define ASSUMPTIONS(X) \
    X(ASSUME_ROWS, "rows", "warps are rows of 32 threads along x") \
    X(ASSUME_ALIGNED, "aligned", "terms that no thread changes are multiples of 128 bytes") \
    X(ASSUME_WIDE, "wide", "a stride known only at run time is longer than a line") \
    X(ASSUME_INSIDE, "inside", "the threads are inside the bounds and no index wraps around")

enum {
#define X(flag, name, sentence) flag##_BIT,
    ASSUMPTIONS(X)
#undef X
#define X(flag, name, sentence) flag = 1 << flag##_BIT,
        ASSUMPTIONS(X)
#undef X
};

typedef struct {
    const Form *address;
    int bytes;        /* of one thread */
    int piece;        /* most bytes that one instruction moves for it: 1 to 16 */
    const List *guards; /* of Guard: what holds of a thread that gets here */
    bool is_lone;     /* of a warp, one lane at most gets here */
    bool is_banked;   /* in shared memory */
} Request;

typedef struct {
    bool known;          /* sectors and what follows hold */
    double requests;     /* instructions a warp issues for the access */
    double sectors, ideal, lines;
    int sectors_min, sectors_max;
    bool banks_known;
    double wavefronts, wavefronts_ideal; /* shared memory alone */
    int ways;
    WarpStride regularity;
    int64_t stride;      /* bytes from lane to lane, unless STRIDE_NONE */
    bool dense;          /* the lanes' bytes are one run without gap */
    double lanes;        /* active */
    unsigned assumes;
} Figure;

Figure figure_of(const FormSpace *space, const Request *request);

#endif
