/* What happens to a kernel, in order, a line each, on standard error: where coalda<trace> asks for it, and nothing but the lines
 * changes by it. Whoever finds, tries or makes something says so here once; all functions take kernels that are not traced, and no
 * kernel (NULL), and are silent. */
#ifndef COALDA_TRACE_H
#define COALDA_TRACE_H

#include "analysis/ahead/batch.h"
#include "analysis/ahead/lookahead.h"
#include "analysis/banks/banks.h"
#include "analysis/plan/plan.h"
#include "analysis/walks/walks.h"
#include "analysis/reductions/reductions.h"
#include "analysis/rings/rings.h"
#include "analysis/tally/tally.h"
#include "analysis/walks/jam.h"
#include "analysis/walks/walks.h"

/* ---- trace.c: what is found, tried, planned and refused ---- */

bool trace_is_on(const Kernel *kernel);
/* One line: "coalda: trace: KERNEL: ". What is costly to say is asked of a function of its own, which looks first whether it is on. */
void trace(const Kernel *kernel, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The loop of the header, in the kernel's arena: by its line of the source, or else by the name or number of its block. */
const char *trace_loop(const Kernel *kernel, LLVMBasicBlockRef header);
/* "NoGain (a rewrite would not be faster)" */
const char *trace_why(const Kernel *kernel, Why why);
/* Why the longer loop of the walk is not rewritten. */
const char *trace_walk_why(const Kernel *kernel, const Block *block);

void trace_tiles(const Kernel *kernel);
void trace_fills(const Kernel *kernel);
/* Of the plan's, those from this one on. */
void trace_tallies(const Kernel *kernel, size_t from);
void trace_lookaheads(const Kernel *kernel);
void trace_batches(const Kernel *kernel);
void trace_additions(const Kernel *kernel);
void trace_walks(const Kernel *kernel, size_t from);
/* Groups with larger numbers, and regions from this one on. */
void trace_plan(const Kernel *kernel, int groups, size_t regions);
/* What is left as it is in the end. */
void trace_refusals(const Kernel *kernel);
void trace_trial(const Kernel *kernel, const Block *block, const char *where);
/* What came of it on a copy, of which nothing is made. */
void trace_rehearsed(const Kernel *kernel, const Block *block);
void trace_turn(const Kernel *kernel, const Turn *turn);

/* ---- made.c: what is made is counted, whether or not it is traced ---- */

void made_ring(const Kernel *kernel, const Ring *ring);
void made_fills(const Kernel *kernel, const List *fills);
void made_batch(const Kernel *kernel, const Batch *batch);
void made_sought(const Kernel *kernel, const SoughtRows *sought);
void made_lookahead(const Kernel *kernel, const Lookahead *ahead);
void made_additions(const Kernel *kernel, const AddedStretch *stretch);
void made_tally(const Kernel *kernel, const Tally *tally);
/* A walk that was tried, whose loop's header this is in the body as it was: it stays longer where it pays. */
void made_walk(const Kernel *kernel, const Block *block, LLVMBasicBlockRef header);
void made_tail(const Kernel *kernel, const Tail *tail);
void made_gate(const Kernel *kernel);
void made_jam(const Kernel *kernel, const Jam *jam);
void made_region(const Region *region);
void made_turn(const Kernel *kernel);
void made_padding(const Kernel *kernel, const Padding *padding);
void made_spare(const Kernel *kernel, const char *name);
void made_arrays(const Kernel *kernel);
void made_limit(const Kernel *kernel, int registers);
/* In all, up to now; of a trace of all kernels alone. */
void made_totals(const Options *options);

#endif
