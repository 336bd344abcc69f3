/* What the user is told. */
#ifndef COALDA_REMARK_H
#define COALDA_REMARK_H

#include "analysis/ahead/batch.h"
#include "analysis/ahead/lookahead.h"
#include "analysis/banks/banks.h"
#include "analysis/rings/rings.h"
#include "analysis/walks/walks.h"
#include "pass/report/row.h"
#include "pass/report/transfer_row.h"

/* ---- representative.c: one access of those that an access of the source has become ---- */

/* What is told in one sentence: an access, or the fields of a record of which the same is to be said. */
typedef struct {
    List fields; /* of Access */
} Told;

Told told_alone(const Access *access);
/* Of Told: what is to be told of the kernel's accesses, of those that are wanted. NULL: of all. */
List told_of(const Kernel *kernel, bool (*is_wanted)(const Access *access));

/* ---- obstacle.c: what stands in the way of a rewrite ---- */

/* "the store in line 23"; "" where there is none, or no line is known. Files are named where the one of `at`, which is told with it, is
 * another. */
const char *obstacle_text(const Scope *scope, LLVMValueRef obstacle, LLVMValueRef at);

/* A function's name as the source has it; of a long one without its parameters, of a longer one without what is in angle brackets. */
const char *name_said(Arena *arena, const char *linked);

/* ---- remark.c: what the user is told ---- */

Row row_of_access(const Access *access);
bool access_is_rewritten(const Access *access);
/* Are its sectors, which are known, so many more than would do that it is worth a word? */
bool figure_is_wasteful(const Figure *figure);
const char *told_sentence(const Told *told);
const char *tile_sentence(Arena *arena, const Tile *tile);
const char *fill_sentence(const Kernel *kernel, const Fill *fill);
void remark_emit(const Kernel *kernel);
/* Of a loop that loads one iteration ahead, before it does; or that does not, and why. */
void remark_batch(const Kernel *kernel, const Batch *batch);
/* Before it is made. */
void remark_sought(const Kernel *kernel, const SoughtRows *sought);
void remark_lookahead(const Kernel *kernel, const Lookahead *ahead);
/* Of an array whose rows become longer, before they do. */
void remark_padding(const Kernel *kernel, const Padding *padding);
/* Of copies that the program has begun and never waits for, that fill what may still be read, and of waits for none, each place of the source
 * once: before anything is made of them. */
void remark_copies(Kernel *kernel);
void warn_copies(Kernel *kernel); /* the same, whether remarks are wanted or not */
void remark_unoptimized(Kernel *kernel); /* that nothing of it is rewritten */

/* A shared array by its own name, and by its function's: `tiles::t`, of `void tiles<4>(float const*, int)::t` as well. */
const char *array_name(Arena *arena, LLVMValueRef array);

/* ---- transfers.c: copies from global to shared memory, and what keeps them from better ---- */

/* Of a ring that is about to be made, for its copies to carry. */
const char *transfers_told(const Kernel *kernel, const Ring *ring);
/* Of Transfer: all copies of the kernel, once its fills have been looked for. */
List transfers_of(const Kernel *kernel);
/* For the file of remarks alone. */
void remark_transfers(const Kernel *kernel);

/* ---- required.c ---- */

/* An error of the compilation for each thing that the kernel requires and that has not been made of it, as it is by now. */
void required_check(const Kernel *kernel);

#endif
