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

/* Does every statement compute, alone or with the other lanes of its warp, or read memory, and do nothing else? Reads that order
 * anything are not among them. */
bool text_only_reads(const char *ptx);

/* What becomes of an address that the text is given: it is read there, and nothing else is made of it; or the result is the address,
 * in another space or moved by a number; or who knows. */
typedef enum { TEXT_ADDRESS_UNKNOWN, TEXT_ADDRESS_READ, TEXT_ADDRESS_MOVED } TextAddress;

TextAddress text_address(const char *ptx);

/* Where the text makes threads of a block wait for each other: nowhere; once, all of them, at barrier 0; or otherwise. */
typedef enum { TEXT_NO_BARRIER, TEXT_BARRIER, TEXT_OTHER_BARRIER } TextBarrier;

/* Barriers of another number than 0 meet none of barrier 0, and are not counted. */
TextBarrier text_barrier(const char *ptx);

#ifdef __cplusplus
}
#endif
#endif
