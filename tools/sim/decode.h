/* Between the files that decode: image.c, constant.c, decode.c, call.c, ptx.c. LLVM is asked only here. */
#ifndef DECODE_H
#define DECODE_H

#include "sim.h"

typedef struct {
    uint8_t width;              /* bits, at most 64; a wider integer takes several limbs */
    bool real, bf16;
    uint32_t offset;
} Elem;

/* A type as its scalars, in order. */
typedef struct {
    unsigned count;
    const Elem *elem;
    unsigned wide;              /* bits of an integer of more than 64; 0 else */
    uint64_t bytes;             /* store size */
    bool unsupported;
} Shape;

typedef struct {
    uint32_t *place;
    LLVMBasicBlockRef block;
} Fixup;

typedef struct {
    Image *image;
    Arena *arena;
    Map *shapes, *wheres, *funcs, *variables, *constants;
    List queue;                 /* functions to decode */
    uint32_t *constant_slot;    /* hash table of the pool */
    unsigned constant_slots, constant_capacity;
    /* of the function at hand */
    Func *func;
    Map *values;
    Inst *code;
    uint32_t count, capacity, slots;
    LLVMValueRef at;
    uint32_t where;
    bool ftz;
    Fixup *fixup;
    unsigned fixups, fixup_capacity;
    Map *starts;                /* basic block -> 1 + index in RPO */
    LLVMBasicBlockRef *order;
    uint32_t *start;
    unsigned blocks;
    unsigned where_capacity, access_capacity, func_capacity;
} Decoder;

const Shape *type_shape(Decoder *d, LLVMTypeRef type);

/* constant.c */
uint32_t constant_ref(Decoder *d, uint64_t bits, uint64_t undef);
/* The scalars of a constant. */
const uint32_t *constant_refs(Decoder *d, LLVMValueRef value);
bool constant_bytes(Decoder *d, LLVMValueRef value, uint8_t *data, uint64_t offset);
uint64_t constant_bits(const Decoder *d, uint32_t ref);

/* decode.c */
const uint32_t *value_refs(Decoder *d, LLVMValueRef value);
uint32_t slots_take(Decoder *d, unsigned count);
/* Binds an instruction's result to new consecutive slots and gives the first. */
uint32_t result_take(Decoder *d, LLVMValueRef value, unsigned count);
void result_bind(Decoder *d, LLVMValueRef value, const uint32_t *refs);
Inst *emit(Decoder *d, Op op);
Inst *emit_alu(Decoder *d, Op op, unsigned width, unsigned from, uint32_t dst, uint32_t a, uint32_t b, uint32_t c);
/* The instruction stops the run when a thread reaches it. */
void emit_refuse(Decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
Access *access_new(Decoder *d, unsigned count);
Func *func_get(Decoder *d, LLVMValueRef value);
char *value_text(Decoder *d, LLVMValueRef value);

/* call.c */
void decode_call(Decoder *d, LLVMValueRef call);
/* ptx.c: false when the text is not understood (nothing was emitted then) */
bool decode_asm(Decoder *d, LLVMValueRef call);

unsigned space_of(LLVMValueRef pointer);
#endif
