/* What the transforms build with: the sole maker of shuffles, votes, barriers and of accesses on behalf of other lanes. */
#ifndef COALDA_EMIT_H
#define COALDA_EMIT_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>

#include "pass/base/arena.h"
#include "pass/base/ir.h"
#include "pass/bridge/bridge.h"

enum { UNIT_WORDS = 4, WORD = 4 };

typedef struct {
    Arena *arena;
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    LLVMBuilderRef builder;
    LLVMTypeRef i1, i8, i32, i64, global; /* global: a pointer to global memory */
    LLVMValueRef lane;                    /* of this region; NULL until it is needed */
    LLVMValueRef here;                    /* bits of the lanes that take part; NULL: all 32 */
    LLVMValueRef takes;                   /* of the lanes that take part: does this one's record move? NULL: it does */
    const char *hint;                     /* what accesses to memory tell the caches; NULL: nothing */
} Emit;

/* 1 to 16 bytes of one thread's record, as words; a unit of less than a word in the low bits of one. */
typedef struct {
    LLVMValueRef word[UNIT_WORDS];
    int words;
} Unit;

Emit emit_open(Arena *arena, LLVMValueRef function);
void emit_close(Emit *emit);
/* What is built from here on stands before the instruction and has its source line. */
void emit_before(Emit *emit, LLVMValueRef instruction);

LLVMValueRef emit_int(Emit *emit, int64_t value);
LLVMValueRef emit_binary(Emit *emit, LLVMOpcode op, LLVMValueRef a, int64_t b);
LLVMValueRef emit_select(Emit *emit, LLVMValueRef condition, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef emit_wide(Emit *emit, LLVMValueRef number); /* of 64 bits, without a sign */
LLVMValueRef emit_both(Emit *emit, LLVMValueRef all, LLVMValueRef test); /* do both hold? NULL asks for nothing */
LLVMValueRef emit_all_of(Emit *emit, const List *tests); /* NULL where there are none */
/* The first instruction that is no phi; and where a loop leads that ends with its latch. */
LLVMValueRef phis_end(LLVMBasicBlockRef block);
LLVMBasicBlockRef block_behind(LLVMBasicBlockRef latch, LLVMBasicBlockRef header);

/* A phi in front of another, with the value by each of its ways, but by that from one block (NULL: by all). */
LLVMValueRef emit_phi_like(Emit *emit, LLVMValueRef other, LLVMValueRef value, LLVMBasicBlockRef but);

/* For a moment: ir_locals_to_registers is to follow. */
LLVMValueRef emit_local(Emit *emit, LLVMValueRef function, LLVMTypeRef type, const char *name);
LLVMValueRef emit_call(Emit *emit, const char *name, LLVMTypeRef result, LLVMValueRef *args, unsigned count);

/* The thread's number in the block, and how many there are. */
LLVMValueRef emit_number_of_thread(Emit *emit, LLVMValueRef *threads);
/* Threads of a block, along an axis. */
LLVMValueRef emit_block_size(Emit *emit, int axis);
/* Has the launch fewer threads? Asked once, where the kernel begins. */
LLVMValueRef emit_launch_is_small(Emit *emit, LLVMValueRef kernel, int64_t threads);
LLVMValueRef emit_lane(Emit *emit);                             /* 0 to 31 */
LLVMValueRef emit_lanes_here(Emit *emit);                       /* bits of the lanes that have come together */
LLVMValueRef emit_are_all(Emit *emit, LLVMValueRef lanes);      /* are they all 32? */
LLVMValueRef emit_full_warp(Emit *emit);                        /* are all 32 lanes here? */
void emit_together(Emit *emit);                                 /* they are, and ptxas may know */
LLVMValueRef emit_count(Emit *emit, LLVMValueRef bits);         /* how many are set */
LLVMValueRef emit_is_among(Emit *emit, LLVMValueRef bits, LLVMValueRef lane); /* is that lane's bit set? */
LLVMValueRef emit_first_lane(Emit *emit);                       /* of those that take part, */
LLVMValueRef emit_last_lane(Emit *emit);                        /* of which there is one at least */
LLVMValueRef emit_is_here(Emit *emit, LLVMValueRef lane);       /* does that lane take part? */
LLVMValueRef emit_all(Emit *emit, LLVMValueRef condition);      /* does it hold in all lanes that take part? */
LLVMValueRef emit_all_among(Emit *emit, LLVMValueRef lanes, LLVMValueRef condition); /* in all of these, which are here? */
LLVMValueRef emit_bits_here(Emit *emit, LLVMValueRef condition); /* of those that are here, bits of the lanes in which it holds */
LLVMValueRef emit_all_here(Emit *emit, LLVMValueRef condition); /* in all that are here, be they 32 or fewer? */
LLVMValueRef emit_bits(Emit *emit, LLVMValueRef condition);     /* of those of them in which it holds */
LLVMValueRef emit_lanes(Emit *emit, LLVMValueRef condition);    /* in how many of them does it hold? */
void emit_warp_barrier(Emit *emit);                             /* orders the memory of the warp's lanes */
LLVMValueRef emit_word_of_lane(Emit *emit, LLVMValueRef word, LLVMValueRef lane);
Unit emit_unit_of_lane(Emit *emit, const Unit *unit, LLVMValueRef lane);
Unit emit_unit_across(Emit *emit, const Unit *unit, int lanes);
Unit emit_unit_select(Emit *emit, LLVMValueRef condition, const Unit *a, const Unit *b);

LLVMValueRef emit_address(Emit *emit, LLVMValueRef pointer);    /* as a number */
LLVMValueRef emit_address_of_lane(Emit *emit, LLVMValueRef address, LLVMValueRef lane);
/* Have the addresses from start to end none in common with those from low to high, the ends left out? */
LLVMValueRef emit_is_apart(Emit *emit, LLVMValueRef start, LLVMValueRef end, LLVMValueRef low, LLVMValueRef high);
LLVMValueRef emit_is_global(Emit *emit, LLVMValueRef pointer);
LLVMValueRef emit_pointer(Emit *emit, LLVMValueRef address);    /* to global memory */
/* The same in global memory. The backend sees still in what distance it lies from others, and whether anybody writes there; of a number it does not. */
LLVMValueRef emit_as_global(Emit *emit, LLVMValueRef pointer);
LLVMValueRef emit_advance(Emit *emit, LLVMValueRef pointer, LLVMValueRef bytes);
LLVMValueRef emit_advance_by(Emit *emit, LLVMValueRef pointer, int64_t bytes);
/* By so many times, a value of 32 bits, that many bytes, and more. */
LLVMValueRef emit_advance_times(Emit *emit, LLVMValueRef pointer, LLVMValueRef times, int64_t bytes, int64_t more);
Unit emit_load(Emit *emit, LLVMValueRef pointer, int bytes);
void emit_store(Emit *emit, LLVMValueRef pointer, const Unit *unit, int bytes);
/* An asynchronous copy of 4, 8 or 16 bytes from global to shared memory; of `size` bytes, zeros behind them, unless NULL. */
LLVMValueRef emit_copy_async(Emit *emit, LLVMValueRef target, LLVMValueRef source, int bytes, LLVMValueRef size);
/* The same, through the first-level cache whatever its length. */
LLVMValueRef emit_copy_cached(Emit *emit, LLVMValueRef target, LLVMValueRef source, int bytes, LLVMValueRef size);
/* The source of a copy that reads none of it: a place that is there for every copy. */
LLVMValueRef emit_unread(Emit *emit, LLVMTypeRef type);
LLVMValueRef emit_commit(Emit *emit); /* the copies since the last one are a group */
/* Empty groups behind it, so that there are most / slots in all: both are powers of two, and slots, of 32 bits, is no more than `most`. */
void emit_commit_more(Emit *emit, LLVMValueRef slots, int most);
LLVMValueRef emit_wait(Emit *emit, int groups); /* until no more than the last `groups` are under way */
/* Where the condition holds, in launches with fewer threads: into the second-level cache, from global memory. */
void emit_prefetch(Emit *emit, LLVMValueRef pointer, LLVMValueRef condition, int64_t threads);
void emit_wait_all(Emit *emit); /* for all copies of the thread, in a group or not */
/* To one of the blocks, where the builder stands: what is likely comes next in the code, and weighs more. */
void emit_branch(Emit *emit, LLVMValueRef condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no, bool likely);
/* Until emit_end_if, builds what is done where the condition holds. The builder must stand at the end of a block, before its
 * jump, and does so again afterwards. */
void emit_if(Emit *emit, LLVMValueRef condition);
/* And what is done where it does not; `asked`: the block that emit_if was called in. */
void emit_else(Emit *emit, LLVMBasicBlockRef asked);
void emit_end_if(Emit *emit);
/* do {} while: returns the block it begins with, whose phis are the caller's. */
LLVMBasicBlockRef emit_do(Emit *emit);
void emit_while(Emit *emit, LLVMBasicBlockRef body, LLVMValueRef condition);
/* Stops the program where the condition does not hold, naming the source line. */
void emit_check(Emit *emit, LLVMValueRef condition, const char *file, unsigned line);

/* ---- lift_hints.c ---- */

/* The access, of words or less than one, tells the caches this. */
void hint_give(LLVMValueRef access, const char *hint);

/* ---- give_back.c ---- */

/* A product that was rounded for itself though nobody knows whether it is. */
typedef struct {
    LLVMValueRef product, settled; /* as it was, which is gone, and as it is */
    LLVMFastMathFlags flags; /* that it had */
} OpenProduct;

/* A sum that has become one with a product. */
typedef struct {
    LLVMValueRef fused; /* the call that it is */
    int at; /* its operand that the product was; -1: that was its negation, or the sum stood behind a phi */
    bool minus;
} TakenSum;

/* What has been settled of a function. */
typedef struct {
    List open; /* of OpenProduct */
    Map *taken; /* a product as it was -> List of TakenSum */
} Settled;

/* When the function is settled: what stands around each of the open products is noted on it. */
void open_products_note(Arena *arena, const Settled *settled);

/* ---- mark.c ---- */

void mark_add(LLVMValueRef instruction, const char *name);
void call_promise(LLVMValueRef call, const char *attribute); /* what an attribute without a value promises of it */
/* The compiler moves no access across, and nothing is executed. */
void order_keep(LLVMBuilderRef builder);
/* The backend computes the number here, and not where it is used; nothing is executed. Of 32 or 64 bits. */
void order_compute(LLVMBuilderRef builder, LLVMValueRef number);
/* Nor does ptxas, which writes an instruction that does nothing: of a fence for barriers in shared memory that are set up, which has no other use
 * here. Where there are such fences. */
void order_hold(Emit *emit);
void mark_texts(LLVMValueRef instruction, const char *name, const char *const *text, size_t count); /* with operands */
void mark_drop(LLVMValueRef instruction, const char *name); /* or any other metadata */
/* What is promised of one iteration is not promised of all: for what leaves its loop. */
void mark_forget_iteration(LLVMValueRef access);
/* Such instructions of the loop. */
void mark_loop(IrModule *ir, LLVMBasicBlockRef header, bool (*is_such)(LLVMValueRef instruction), const char *name);

#endif
