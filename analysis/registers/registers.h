/* Words of a function that its registers must hold. */
#ifndef COALDA_REGISTERS_H
#define COALDA_REGISTERS_H

#include "analysis/access/access.h"

/* ---- register_pressure.c ---- */

/* Of one function, as it is when that is asked for. */
typedef struct Pressure Pressure;
Pressure *pressure_of(Arena *arena, LLVMValueRef function);
/* An integer or an address that one instruction makes of others: cheaper computed where it is used than kept until then... */
bool is_index_step(LLVMValueRef value);
enum { MOST_ANEW = 3 }; /* ... as are those of so many */
/* The words of a function where what MOST_ANEW instructions make of one number, of arguments and of constants is computed for each use. */
Pressure *pressure_renewed(Arena *arena, LLVMValueRef function);
/* The same, where each block's instructions stand in an order in which fewer words are live, which the backend is free to choose. */
Pressure *pressure_ordered(Arena *arena, LLVMValueRef function);
/* The most 32-bit words that are live at once; PRESSURE_UNKNOWN of a function that is too large to be counted. */
int pressure_most(const Pressure *pressure);
/* The most that are live where a block ends; the function is the one that it was asked of. */
int pressure_between(const Pressure *pressure, LLVMValueRef function);
/* Those that are live behind the instruction. */
int pressure_at(const Pressure *pressure, LLVMValueRef instruction);
enum { PRESSURE_UNKNOWN = 1 << 20 };

/* ---- word_order.c ---- */

enum { WORDS_OF_NAME = -1 };
/* What an order goes by. */
typedef struct {
    /* Words that the value takes; WORDS_OF_NAME: it only names others anew. */
    int (*words)(const void *context, LLVMValueRef value);
    /* The value before it in its block that is the same, or itself. */
    LLVMValueRef (*same)(const void *context, LLVMValueRef value);
    const void *context;
} WordOrder;

/* The block's instructions, first to last: values stand close to their uses, and accesses to memory as far from each other as they were where
 * one of them is no load. */
List word_order(Arena *arena, LLVMBasicBlockRef block, const WordOrder *by);

#endif
