/* Between the files that read inline PTX: ptx.c (the text), ptxread.c (words and operands), ptxalu.c and ptxmem.c (statements). */
#ifndef PTX_H
#define PTX_H

#include "decode.h"

enum { MOST_OPERANDS = 16, MOST_NAMES = 64, MOST_PARTS = 12, NAME_SIZE = 48 };

typedef enum { IN_REGISTER, IN_MEMORY, IN_LABEL } OperandKind;
typedef struct {
    OperandKind kind;
    uint32_t ref[8];            /* of a vector; one else */
    unsigned count;
    int64_t offset;             /* IN_MEMORY */
    char name[NAME_SIZE];       /* IN_LABEL */
    bool negated, writable, predicate;
} Operand;

typedef struct {
    char name[NAME_SIZE];
    uint32_t slot;
    bool predicate;
} Name;

typedef struct {
    unsigned width;
    bool real, is_signed, bf16, pair;
} Type;

typedef struct {
    Decoder *d;
    const char *at;
    uint32_t bound[64];         /* $N */
    unsigned bounds;
    Name reg[MOST_NAMES], label[MOST_NAMES];
    unsigned regs, labels;
    struct {
        uint32_t *place;
        char name[NAME_SIZE];
    } jump[MOST_NAMES];
    unsigned jumps;
    Targets *branches[2 * MOST_NAMES];  /* that join at the end of the text */
    unsigned branch_count;
    uint32_t carry;
    bool failed;
    /* the statement at hand */
    char name[96];
    char part[MOST_PARTS][16];
    unsigned parts;
    Type type;                  /* the last that it names; width 0: none */
    Operand operand[MOST_OPERANDS];
    unsigned operands;
    int64_t imm;                /* from ptx.def */
} Asm;

/* ptxread.c: the functions that take say whether they found what they were to take. */
void skip_space(Asm *a);
bool take(Asm *a, char c);
bool word_take(Asm *a, char *word, size_t size);
bool scalar_take(Asm *a, Operand *operand);
bool operands_take(Asm *a);
/* The name at hand into its parts. */
void parts_cut(Asm *a);
bool has(const Asm *a, const char *part);
/* The index-th type suffix from the end. */
bool type_at(const Asm *a, unsigned from_end, Type *type);
uint32_t real_bits(const Asm *a, const Type *type);
uint32_t src(const Asm *a, unsigned index);
uint32_t temporary(Asm *a);
Inst *alu(Asm *a, Op op, unsigned width, unsigned from, uint32_t dst, uint32_t x, uint32_t y, uint32_t z);
/* Operands of narrow types may hold more bits in their register. */
uint32_t cut(Asm *a, uint32_t ref, unsigned width);
/* Bits [low, low + width) of a register of `whole` bits: shifted at the whole's width, then cut to the part's. */
void part_of(Asm *a, uint32_t to, uint32_t from, unsigned whole, unsigned low, unsigned width);

/* Statements of ptx.def. False: not understood. */
typedef bool Statement(Asm *a);
/* ptx.c */
Statement ptx_bra;
/* ptxalu.c */
Statement ptx_skip, ptx_zero, ptx_plain, ptx_mov, ptx_cvta, ptx_cvt, ptx_shr, ptx_bfind, ptx_wide, ptx_carry, ptx_borrow,
    ptx_mad_carry, ptx_bfi, ptx_lop3, ptx_prmt, ptx_shf, ptx_selp, ptx_setp, ptx_set, ptx_dp4a, ptx_dp2a;
/* Arithmetic with one operation for each kind of number. */
bool ptx_alu(Asm *a, Op s, Op u, Op real);
/* ptxmem.c */
Statement ptx_isspace, ptx_load, ptx_store, ptx_atomic, ptx_fence, ptx_barrier, ptx_barrier_red, ptx_warpsync, ptx_shfl, ptx_vote,
    ptx_match, ptx_redux, ptx_tensor, ptx_activemask, ptx_prefetch, ptx_cpasync, ptx_wait, ptx_wait_all, ptx_cpmbar, ptx_bulk,
    ptx_mbar, ptx_pending, ptx_proxyfence;
#endif
