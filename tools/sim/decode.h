/* Between the files that decode: image.c, constant.c, emit.c, flow.c, arithmetic.c, memop.c, member.c, call.c, decode.c and the
 * ptx files. LLVM is asked only here. */
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
    LLVMValueRef kernel; /* that runs */
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
    uint32_t fixups, fixup_capacity;
    Map *starts;                /* basic block -> 1 + index in RPO */
    LLVMBasicBlockRef *order;
    uint32_t *start;
    unsigned blocks;
    uint32_t where_capacity, access_capacity, func_capacity;
} Decoder;

const Shape *type_shape(Decoder *d, LLVMTypeRef type);

/* constant.c */
uint32_t constant_ref(Decoder *d, uint64_t bits, uint64_t undef);
/* The scalars of a constant. */
const uint32_t *constant_refs(Decoder *d, LLVMValueRef value);
bool constant_bytes(Decoder *d, LLVMValueRef value, uint8_t *data, uint64_t offset);
uint64_t constant_bits(const Decoder *d, uint32_t ref);
/* Where the generic addresses of an address space begin. */
uint64_t space_base(unsigned space);

/* emit.c */
/* The array, moved if need be, with room for one item more. */
void *array_room(Arena *arena, void *items, uint32_t count, uint32_t *capacity, size_t size);
const uint32_t *value_refs(Decoder *d, LLVMValueRef value);
/* The first scalar of an instruction's operand. */
uint32_t operand(Decoder *d, LLVMValueRef inst, unsigned index);
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
uint32_t where_of(Decoder *d, LLVMValueRef inst);

/* flow.c */
enum { NO_BLOCK = -1 };
/* Reverse postorder of the reachable blocks: a definition comes before its uses, but for phis. */
void blocks_order(Decoder *d);
unsigned block_index(Decoder *d, LLVMBasicBlockRef block);
/* post[b]: the immediate post-dominator of block b; d->blocks: the exit; NO_BLOCK: none (never returns). */
int *post_dominators(Decoder *d);
void decode_branch(Decoder *d, LLVMValueRef inst, const int *post);
void decode_switch(Decoder *d, LLVMValueRef inst, const int *post);
void decode_return(Decoder *d, LLVMValueRef inst);

/* arithmetic.c */
/* NOP: no binary operation. */
Op binary_op(LLVMOpcode opcode);
void decode_binary(Decoder *d, LLVMValueRef inst, Op op, LLVMOpcode opcode);
/* Negation of a real, freeze. */
void decode_unary(Decoder *d, LLVMValueRef inst, Op op);
void decode_cast(Decoder *d, LLVMValueRef inst, LLVMOpcode opcode);
/* The flags that reals of this type need. */
uint32_t real_flags(const Decoder *d, const Elem *elem);
typedef void Decode(Decoder *d, LLVMValueRef inst);
Decode decode_icmp, decode_fcmp, decode_select, decode_space_cast, decode_bitcast;

/* memop.c */
unsigned space_of(LLVMValueRef pointer);
/* An access to a value of this type; refs: its scalars. */
Access *access_for(Decoder *d, LLVMTypeRef type, const uint32_t *refs, LLVMValueRef pointer, unsigned align);
/* What a compare-and-swap puts in the place of what it expects. */
void access_wants(Decoder *d, Access *access, const uint32_t *wanted);
Decode decode_gep, decode_load, decode_store, decode_rmw, decode_cmpxchg, decode_fence, decode_alloca;

/* member.c */
Decode decode_extract_value, decode_insert_value, decode_extract_element, decode_insert_element, decode_shuffle;

/* decode.c */
/* Requires: the prototype exists. Afterwards func is complete; functions that it names are in the queue. */
void func_decode(Decoder *d, Func *func);

/* call.c */
void decode_call(Decoder *d, LLVMValueRef call);
/* ptx.c: false when the text is not understood (nothing was emitted then) */
bool decode_asm(Decoder *d, LLVMValueRef call);
#endif
