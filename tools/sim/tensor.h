/* The tensor cores: an instruction of a whole warp multiplies matrices that its lanes hold, or moves one between them and memory.
 * tensorname.c makes them of names, tensor.c multiplies, tensormem.c moves. */
#ifndef TENSOR_H
#define TENSOR_H

#include "decode.h"

typedef enum {
#define NUMBER(name, bits, sum) NUMBER_##name,
#include "tensor.def"
    NUMBERS
} Number;

enum { PART_A, PART_B, PART_C, PART_D, PARTS };
enum { PART_ROWS = 8, PART_MOST = 32 };         /* rows of a block; rows, and columns, of the largest matrix */

/* A matrix as the lanes hold it; of b, its transpose. Blocks of 8 rows and 4 * run columns lie one below the other, and then side
 * by side. Of row r of each block the lanes 4 * r to 4 * r + 3 hold `run` numbers each, side by side. For mma.sync, ldmatrix and
 * stmatrix that is what the PTX manual says; of wmma it says nothing, and all its shapes are held so as well. */
typedef struct {
    Number number;
    uint8_t bits, rows, columns, run;
    uint8_t per;                /* numbers in a slot of the frame */
    uint8_t slots;              /* of each lane; more than its numbers need: copies of them */
    const uint32_t *ref;
} Part;

typedef enum { TENSOR_PRODUCT, TENSOR_LOAD, TENSOR_STORE } TensorKind;

/* Ext of TENSOR. */
typedef struct {
    TensorKind kind;
    bool saturates;             /* TENSOR_PRODUCT */
    Part part[PARTS];
    unsigned moved;             /* which part is loaded or stored; what follows is about that */
    bool by_lane;               /* lane i gives the address of the i-th line; else all give the first one's */
    bool crossed;               /* a line holds columns of the part, not rows, `block` numbers of each */
    uint8_t block;
    uint32_t address, stride;   /* operands; the stride counts numbers */
    Access *access;
} Tensor;

/* Numbers that each lane holds, copies not counted. */
static inline unsigned part_held(const Part *part) { return (unsigned)part->rows * part->columns / LANES; }
/* Where the index-th number of a lane belongs. */
static inline void part_where(const Part *part, int lane, unsigned index, unsigned *row, unsigned *column)
{
    unsigned block = index / part->run, down = part->rows / PART_ROWS;
    *row = PART_ROWS * (block % down) + (unsigned)lane / 4;
    *column = 4u * part->run * (block / down) + part->run * ((unsigned)lane % 4) + index % part->run;
}

/* ---- tensorname.c ---- */

/* What the name says, operands apart; false: it is not known. In PTX every register has 32 bits. */
bool tensor_named(Decoder *d, Tensor *tensor, const char *name, bool is_ptx);
/* An intrinsic's call; false: it is none of these. */
bool call_tensor(Decoder *d, LLVMValueRef call, const char *name);

/* ---- tensor.c ---- */

/* The lanes that came, each with its frame. */
typedef struct {
    Mask mask;
    Ctx *lane[LANES];
} Crew;

uint64_t number_get(const Crew *crew, int lane, const Part *part, unsigned index, uint64_t *undef);
/* All that a lane holds. */
void numbers_put(const Crew *crew, int lane, const Part *part, const uint64_t *bits, const uint64_t *undef);

/* ---- tensormem.c ---- */

void tensor_load(const Crew *crew, const Tensor *tensor);
void tensor_store(const Crew *crew, const Tensor *tensor);
#endif
