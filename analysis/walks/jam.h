/* Loops around others whose iterations had better stand side by side. */
#ifndef COALDA_JAM_H
#define COALDA_JAM_H

#include "analysis/access/access.h"

/* That what the loop stores through one pointer is apart from all that it touches through another is asked on entry. */
typedef struct {
    LLVMValueRef store, other;
    int64_t stored, touched; /* bytes, from where each begins */
} JamTest;

typedef struct {
    LLVMValueRef function;
    LLVMBasicBlockRef header;
    int times;  /* so many iterations stand side by side; the original does what remains */
    int least;  /* fewer are not worth it */
    bool is_uneven; /* loops inside run unequally often */
    List tests; /* of JamTest */
} Jam;

/* ---- jam.c ---- */

/* Of Jam, of all that the kernel runs; none is inside of another. */
List jam_find(Kernel *kernel);
/* The loop around others that moves the access along a row that wastes sectors; NULL: none does. */
IrLoop *jam_loop(const Access *access);
/* What keeps the loop around others that moves the access from that, or from being worth it; WHY_NONE where nothing does. */
Why jam_obstacle(Kernel *kernel, const Access *access);

/* ---- jam_memory.c ---- */

/* What keeps so many iterations of the loop from loading and storing side by side; WHY_NONE where nothing does, if those tests hold that
 * are added to the list. */
Why jam_order(Scope *scope, IrLoop *loop, int times, List *tests);

#endif
