/* Source lines, read as the plugin reads them: where.c is the only file here that sees its headers. */
#ifndef WHERE_H
#define WHERE_H

#include "pass/base/arena.h"

#include <llvm-c/Types.h>
#include <stdbool.h>

typedef struct {
    const char *file;           /* "" unknown */
    unsigned line, column;
    bool users;                 /* no toolkit header's */
} Where;

/* The innermost place outside the toolkit's headers, so that a wrapper in one is charged to its user. */
Where where_read(Arena *arena, LLVMValueRef inst);
#endif
