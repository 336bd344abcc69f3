#ifndef COALDA_HINTS_H
#define COALDA_HINTS_H

#include "analysis/address/kernel.h"
#include "transform/emit/emit.h"

/* Operands of the mark: what is told, and, where the access is still what it was, how it was written. */
enum { HINT_HEAD, HINT_TOLD, HINT_TEXT = HINT_TOLD, HINT_CONSTRAINTS, HINT_FLAGS, HINT_TYPE, HINT_WRITTEN };

/* A letter each: its elements have signs; it is volatile; attributes of the call. */
enum { HINT_SIGNED = 's', HINT_VOLATILE = 'v', HINT_CONVERGENT = 'c', HINT_NOTHROW = 'n', HINT_NO_MEMORY = 'm' };

static inline unsigned metadata_kind(LLVMContextRef context, const char *name)
{
    return LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
}

/* Where an error of the assembler is said to be. */
#define SOURCE_METADATA "srcloc"

#endif
