/* What holds of values, blocks and barriers, whoever asks. */
#ifndef COALDA_FACTS_H
#define COALDA_FACTS_H

#include "analysis/registers/registers.h"

/* ---- occupancy.c ---- */

int64_t shared_of_sm(int arch); /* bytes */
/* Of a kernel whose blocks have so many bytes of shared memory. */
int resident_blocks(const Kernel *kernel, int64_t shared);

/* Static shared memory of the kernel, without some arrays; and what is left of what a block may have. */
int64_t shared_bytes(const Kernel *kernel, const List *without);
int64_t shared_room(const Kernel *kernel);
/* Does the kernel, collected, call what may have shared memory that nobody knows of before the modules are linked? */
bool shared_is_elsewhere(const Kernel *kernel);
/* Has the kernel shared memory of the host's choice? What it asks for may just fit beside what there is. */
bool shared_is_dynamic(const Kernel *kernel);
/* Blocks that the kernel's launch bounds want on an SM. */
int64_t blocks_wanted(const Kernel *kernel);
enum { SHARED_BUDGET = 48 * 1024 }; /* static shared memory of a block */

/* ---- usual_blocks.c ---- */

enum { USUAL_BLOCKS = 5 };
/* Threads along x, y and z of the block of that number, where the kernel says nothing of its own: of the one that a profile has seen most, or of
 * each that is usual and not larger than the kernel says; false where there are no more. */
bool usual_block(const Kernel *kernel, int number, int extent[3]);
/* The kernel as if it said that its blocks have that shape, its accesses collected; they are those of the kernel, in their order. */
Kernel *kernel_in_block(const Kernel *kernel, const int extent[3], bool turned);

/* ---- register_limit.c ---- */

/* Words that are live behind the instruction, in the body that the scope runs. */
int registers_live(Scope *scope, LLVMValueRef instruction);
/* May the kernel take more registers than it does, and every block still be launched? */
bool registers_may_grow(Kernel *kernel);
/* Do the kernel's registers hold so many words, live at once, without spilling? */
bool registers_hold(Kernel *kernel, int words);
/* And where they are live all through a loop, so that each that is spilled is loaded and stored again in every iteration? `before`: of
 * the kernel as it was, counted alike. */
bool registers_hold_throughout(Kernel *kernel, int before, int words);
/* And where there is no loop, so that each that is spilled is stored and loaded once? `saved`: words that lie in local memory no longer. */
bool registers_hold_once(Kernel *kernel, int before, int words, int saved);
/* Words of the function's arrays in a thread's own memory: ptxas may hold what is loaded there, and takes registers for it that nobody has counted. */
int words_in_arrays(LLVMValueRef function);
/* Words that the backend keeps of the function as it is, at least: of arrays in memory it moves one after the other. */
int registers_of_plain(Arena *arena, LLVMValueRef function);
/* Has the backend to be told the limit? 0: the kernel's launch bounds say it already, or it may need more as it is. */
int registers_to_cap(Kernel *kernel);
/* Where nothing keeps the backend to a number of registers: are those few that records hold at once beside what the kernel holds, so that blocks are
 * launched as before? */
bool registers_stay(Kernel *kernel, int held);
/* May the kernel have fewer than that? */
bool registers_are_few(Kernel *kernel, int least);
/* ... where it walks lists alone and holds so many words: as few as hold them, so that many threads wait side by side. Lone: each is all that
 * its loop walks. */
int registers_to_walk(Kernel *kernel, int words, bool lone);
/* Threads of a block that the backend may be told of instead: as many as any block has, so that nothing is promised which was not so before; 0
 * where the limit is another one, or not to be told. */
int registers_to_bound(Kernel *kernel);
/* The same of a kernel that held about as many words as there are registers then: the backend may have kept to these or not. */
int registers_to_bound_near(Kernel *kernel);
/* The same of one that holds so many words by now that the backend may take more where it is not told. Packed: it moves records with elements of less than a word,
 * which are counted a word each, and of which the backend makes more or fewer registers. */
int registers_to_bound_many(Kernel *kernel, bool packed);
/* Did it hold so few words before anything was rewritten that the backend keeps to such a limit unasked? */
bool registers_are_easy(Kernel *kernel);
/* Has it to be told the limit of as few as a kernel keeps to that holds so many words by now; 0: it may have what it wants. */
int registers_to_keep(Kernel *kernel, int words);
/* The same of one several of whose iterations stand in one body, and which holds no more than that: rows too short for those wait beside others, and registers
 * that they do not use keep these away. What the backend has for doubles is not known here. `thin`: such iterations go different ways, load a few words and store. */
int registers_to_repeat(Kernel *kernel, int words, bool thin);

/* ---- block_bound.c ---- */

/* Threads that a block of the kernel has at most, as its stores to shared arrays and the axes that it asks for tell. */
int block_most_threads(Kernel *kernel);

/* ---- paths.c ---- */

/* Does a way lead from the block's end to `to` (NULL: to a return), through neither `around` nor, any further, `end`? */
bool path_leads(Arena *arena, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef around, LLVMBasicBlockRef end);
/* The same, to any of those in the map, and no farther than to the end. */
bool path_leads_to_any(Arena *arena, LLVMBasicBlockRef from, const Map *those, LLVMBasicBlockRef end);
/* Does a way lead from the block to a return, and not all into traps or around for ever? */
bool path_returns(Scope *scope, LLVMBasicBlockRef block);
/* Does the loop's block lead out of it? */
bool loop_leaves(IrLoop *loop, LLVMBasicBlockRef block);
/* Is it the branch that says whether, or how often, the place is met, on ways that come to no `end` before? */
bool path_decides(const Kernel *kernel, LLVMBasicBlockRef branch, LLVMBasicBlockRef place, LLVMBasicBlockRef end);

/* ---- block_converges.c ---- */

/* Do all threads of the block come to this one together, every time, and go on from it together? Of a kernel's body. */
bool converges_all(Scope *scope, LLVMBasicBlockRef block);
/* Does the branch at the block's end part threads of the block, of which some come to the place and others end without it? */
bool converges_parts(Scope *scope, LLVMBasicBlockRef branch, LLVMBasicBlockRef place,
                     bool (*alike)(Scope *scope, LLVMValueRef value));

/* ---- barrier_pairs.c ---- */

/* Barrier 0, of all threads of the block: sync, or a reduction. */
bool is_whole_barrier(LLVMValueRef instruction);
/* A declaration that the system answers for, or the mathematical library: it neither waits for other threads nor orders them. */
bool is_system_function(const char *name);
/* Do all threads that come to a barrier 0 come to the same one at a time, in this body and in those that it calls? Else the scope's
 * `parting` is what keeps them from it. */
bool barriers_meet(Scope *scope);
bool is_barrier_name(const char *name);
bool is_block_barrier(LLVMValueRef instruction);

/* ---- warp_loops.c ---- */

bool is_warp_barrier_name(const char *name);
/* __syncwarp, of whatever lanes; and of all of them, as a constant says. */
bool is_warp_barrier(LLVMValueRef instruction);
bool is_full_warp_barrier(LLVMValueRef instruction);
/* Is there anything in it that lanes do together? */
bool loop_waits_for_lanes(IrLoop *loop);
/* Adds to the list what the lanes of a warp that come to the loop together must have alike, so that they leave it together; false
 * where nobody knows. */
bool warp_leaves_by(Scope *scope, IrLoop *loop, List *alike);
/* What may let another warp of the block read, in order, what a warp writes in the loop, and only there; NULL: nothing, if all barriers
 * meet. Of a loop that ends with its latch, and writes the same places in every iteration. */
LLVMValueRef warps_hand_on(Scope *scope, IrLoop *loop);

/* ---- memory_order.c ---- */

/* Can no two threads of the block that load it between the same two barriers, from one address, have loaded what differs? */
bool order_is_of_block(const Scope *scope, LLVMValueRef load);
/* May an instruction of the kernel write what is loaded, barriers aside? Of a load of its own body. */
bool order_is_ever_written(const Scope *scope, LLVMValueRef load);
/* Is it an atomic update, which orders no place but its own? Clang calls those of CUDA sequentially consistent, and the backend makes
 * relaxed ones of them. */
bool order_is_of_one_place(LLVMValueRef instruction);
/* Does an atomic operation leave the same whichever comes first, of integers? */
bool operation_commutes(LLVMValueRef atomic);
/* ... of which the thread does not ask what was there, so that it waits for nobody by it. */
bool order_is_silent(LLVMValueRef instruction);
/* May the instruction write what is loaded, barriers aside? */
bool order_may_write(const Scope *scope, LLVMValueRef instruction, LLVMValueRef load);
/* May the load be made before it, or behind it? It brings the same whenever it is made, as nothing writes there while the kernel runs, as
 * the source promises; or the atomic does not write there, and is silent: it tells nobody that the load is made, or is not yet, without a fence. */
bool order_lets_pass(const Scope *scope, LLVMValueRef atomic, LLVMValueRef load);
/* May a thread learn by it what one of another warp has done, and is it no barrier of the block? */
bool order_is_of_others(const Scope *scope, LLVMValueRef instruction);

/* ---- block_uniform.c ---- */

/* Is the value the same in all threads of the block? */
bool uniform_in_block(Scope *scope, LLVMValueRef value);
/* Arithmetic, which is not to be made where the program does not. */
bool is_division(LLVMValueRef value);
/* The same, or loaded, or told by a barrier: in threads that come to it between the same two barriers. */
bool uniform_between_barriers(Scope *scope, LLVMValueRef value);
/* Does the loop let go of all threads that come to it together at one iteration? */
bool uniform_leave(Scope *scope, IrLoop *loop);
/* Do all threads that come to the loop make as many iterations, be it that each runs to an end of its own? */
bool uniform_counts(Scope *scope, IrLoop *loop);
/* The same of the lanes of a warp, which may have voted how often. Asked for the sake of cost alone: those of two ways have voted twice. */
bool uniform_counts_in_warp(Scope *scope, IrLoop *loop);
/* Are its bounds rounded, and others for each thread? Then it goes over the elements that a point or a window of the thread covers, few as a rule. */
bool loop_is_rounded(Scope *scope, IrLoop *loop);
/* And each time, by what they have loaded as well, and those around it? Of threads that wait for each other in it. */
bool uniform_ends(Scope *scope, IrLoop *loop);
/* Is the condition made of no load but of what all lanes load alike? */
bool uniform_is_told(Scope *scope, LLVMValueRef condition);
/* Has each thread loaded for itself whether it comes to the block? */
bool uniform_is_chosen(Scope *scope, LLVMBasicBlockRef block);
/* In an iteration of the loop (NULL: at all)? */
bool uniform_is_chosen_within(Scope *scope, LLVMBasicBlockRef block, IrLoop *loop);
/* Do lanes come to a row of their own one by one, each in another iteration of the loop around, as their data say? */
bool uniform_one_by_one(const Access *access);
/* Has each thread loaded for itself how many iterations it makes? */
bool uniform_is_list(Scope *scope, IrLoop *loop);
/* Is that all it has loaded, and stores to the list what is at hand? */
bool uniform_is_stored(Scope *scope, IrLoop *loop);
/* And, before that, whether it asks for its list at all? */
bool uniform_list_is_chosen(Scope *scope, IrLoop *loop);
/* Is this the name of a register that they all read alike? */
bool uniform_register(const char *name);

/* ---- contraction.c ---- */

/* What ptxas makes of a product that sums of other blocks add, in the function as it is. */
typedef enum {
    PRODUCT_OPEN, /* nobody knows, or none does */
    PRODUCT_KEPT, /* it is rounded for itself */
    PRODUCT_FUSED /* each sum is one with it */
} ProductFate;
ProductFate product_fate(IrModule *ir, LLVMValueRef product);
/* Would the backend fuse products and sums that it does not see together now, if the loop's iterations were to stand in one
 * block? */
bool product_crosses(IrModule *ir, IrLoop *loop);
/* A sum to which one iteration adds what another has multiplied; NULL: none. ptxas unrolls such loops as it likes, and fuses what
 * meets then. */
LLVMValueRef product_carried(IrModule *ir, IrLoop *loop);
/* Does a product of the loop come to a sum of a later iteration, whichever way, which would be one with it if the iterations stood in one body? */
bool product_returns(IrModule *ir, IrLoop *loop);
/* Does a product of the loop come to a sum of another block, or of a later iteration, whichever way? */
bool product_wanders(IrModule *ir, IrLoop *loop);
/* Does the block add a product of another one, which the backend would fuse if the two were one? */
bool product_comes_in(IrModule *ir, LLVMBasicBlockRef block);
/* Would the backend fuse other products and sums of the function if a loop of it were unrolled, or had not been? */
bool product_is_open(IrModule *ir, LLVMValueRef function);
/* Does the thread store a product to an array of its own, and add what it loads from there? What ptxas finds out of such arrays it may
 * fuse; in registers it would fuse others, or none. */
bool product_lies_in_array(LLVMValueRef function);
/* The operand of a sum that is the product which the backend would make one with it; -1 where there is none. */
int product_in(LLVMValueRef sum);
bool is_sum(LLVMValueRef value);
/* Is there anything in the function that the backend may round in one way or another? */
bool product_is_any(IrModule *ir, LLVMValueRef function);
/* Does more than arithmetic use it, which takes every NaN alike? */
bool product_is_moved(LLVMValueRef value);

/* ---- slice.c: what a value is computed from ---- */

typedef enum {
    SLICE_KNOWN, /* as it is: not looked into */
    SLICE_MADE, /* if its operands hold */
    SLICE_FAILS
} SlicePart;

typedef struct Slice Slice;
/* Of each value once. May add others that have to hold as well. */
typedef SlicePart SliceAsk(Slice *slice, const void *context, LLVMValueRef value);

Slice *slice_open(Arena *arena, SliceAsk *ask, const void *context);
void slice_add(Slice *slice, LLVMValueRef value);
/* Does all that was added so far hold? Never of more values than a slice has room for. */
bool slice_holds(Slice *slice);
/* Of one value. */
bool slice_of(Arena *arena, LLVMValueRef value, SliceAsk *ask, const void *context);
/* Is it so of an operand, or of something that a constant among the operands is made of: a variable, wherever its address goes? */
bool instruction_names(LLVMValueRef instruction, bool (*is_it)(LLVMValueRef value));
/* The value and what it is computed from, as far as that is inside, operands first; phis are not among what is inside. */
List slice_order(Arena *arena, LLVMValueRef value, bool (*is_inside)(const void *context, LLVMValueRef value), const void *context);

#endif
