/* The text of inline assembly, PTX: what its statements do to other threads. */
#ifndef COALDA_STATEMENT_H
#define COALDA_STATEMENT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Does every statement compute from its operands, and from what a thread always reads alike, and do nothing else? What is not
 * known to is no arithmetic: operations of the warp, clocks, jumps. */
bool text_is_pure(const char *ptx);

/* Where the text makes threads of a block wait for each other: nowhere; once, all of them, at barrier 0; or otherwise. */
typedef enum { TEXT_NO_BARRIER, TEXT_BARRIER, TEXT_OTHER_BARRIER } TextBarrier;

/* Barriers of another number than 0 meet none of barrier 0, and are not counted. */
TextBarrier text_barrier(const char *ptx);

#ifdef __cplusplus
}
#endif
#endif
