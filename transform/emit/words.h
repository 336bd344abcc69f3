#ifndef COALDA_WORDS_H
#define COALDA_WORDS_H

#include "transform/emit/emit.h"

/* A stretch of a record in a register: `bytes` of 1, 2 or 4, in the low bits of an i32. */
typedef struct {
    int64_t offset;
    int bytes;
    LLVMValueRef value;
} Word;

/* What a member holds: words of a copied record, or one value of the program. */
typedef struct {
    int64_t offset;
    int bytes;
    LLVMValueRef value;  /* NULL: */
    const List *words;   /* of Word */
    LLVMValueRef written; /* the condition under which it is; NULL: always */
} Content;

void words_add(List *words, Arena *arena, int64_t offset, int unit_bytes, const Unit *unit);
/* The bytes at the offset as a value of the type. */
LLVMValueRef words_value(Emit *emit, const List *words, int64_t offset, LLVMTypeRef type);
/* The condition under which the byte at the offset is written; NULL: always. */
LLVMValueRef words_written(const List *contents, int64_t offset);
/* The byte at the offset as a number of 32 bits. */
LLVMValueRef words_byte(Emit *emit, const List *words, int64_t offset, bool is_signed);
/* A byte of a word, as such a number. */
typedef struct {
    LLVMValueRef word;
    int place;
    bool is_signed;
} Byte;

bool words_is_byte(LLVMValueRef value, Byte *byte);
/* A unit put together from members in the order in which they were stored: the last one wins. */
Unit words_unit(Emit *emit, const List *contents, int64_t offset, int bytes);

/* ---- dp4a.c ---- */

/* Sums of products of bytes, as words_byte gives them, are made by fours. */
void dots_fuse(Emit *emit, LLVMBasicBlockRef block);

#endif
