/* What LLVM-C 22 lacks, as extern "C" one-liners over LLVM's own analyses. Names are ir_*. */
#ifndef COALDA_BRIDGE_H
#define COALDA_BRIDGE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The analyses of one module. Handles die when the IR changes. */
typedef struct IrModule IrModule;
typedef struct IrLoop IrLoop;

/* A copy of the module with the bodies of those functions alone that `keeps` names; the blocks become their twins in it. */
LLVMModuleRef ir_module_copy(LLVMModuleRef module, bool (*keeps)(const void *context, LLVMValueRef function), const void *context,
                             LLVMBasicBlockRef *blocks, size_t count);

/* Rows of a power of two whose words are found by joining bits: those are said to be added, in all loops of the function, once loops that count
 * to such a power end by a comparison. True where anything changed. */
bool ir_add_joined(IrModule *ir, LLVMValueRef function);

/* Small arrays of a thread: how large they are, and how long the function may become by unrolling away the loops that index them. */
typedef struct {
  uint64_t bytes, code; /* of an array; instructions */
} IrDissolve;
/* Why arrays stay in memory, the last of which counts where there are several. */
typedef enum {
  IR_DISSOLVED_NONE, /* none stays that loops index */
  IR_DISSOLVED_ESCAPES, /* its address is handed on, or an access is volatile */
  IR_DISSOLVED_CHOSEN, /* its places are computed from other things than counters and constants */
  IR_DISSOLVED_ENDLESS, /* nobody knows how often a loop runs */
  IR_DISSOLVED_TOLD, /* a loop is to stay as it is: a pragma says so, or it has barriers */
  IR_DISSOLVED_LONG,
} IrDissolved;
/* The headers of loops, up to `most`, that index arrays which may become registers; how many there are. */
size_t ir_arrays_find(IrModule *ir, LLVMValueRef function, const IrDissolve *limits, LLVMBasicBlockRef *headers, size_t most,
                      IrDissolved *why);
/* The next call that hands such an array on to a function whose body may stand in its place; NULL: there is none. */
LLVMValueRef ir_array_call(LLVMValueRef function, const IrDissolve *limits);
/* The body stands there now. `fences`: no product of the one function becomes one with a sum of the other; both are settled. */
bool ir_array_inline(IrModule *ir, LLVMValueRef call, bool fences);
/* Does the load or store touch an array of the thread's own? */
bool ir_is_in_array(LLVMValueRef access);
/* Of real numbers that are known once those loops are unrolled away nothing is known from now on. */
void ir_arrays_hide_known(IrModule *ir, LLVMValueRef function, const IrDissolve *limits);
/* Unrolls those loops away, as far as that goes; the function is another one whatever comes of it. */
IrDissolved ir_arrays_dissolve(IrModule *ir, LLVMValueRef function, const IrDissolve *limits);

/* Small arrays of a thread of which data choose elements: how large they are, and among how many words all loads of one choose. */
typedef struct {
  uint64_t bytes, choices;
} IrChosen;
/* What tells the elements, of up to `most` such loads of arrays that are used in no other way than that, by plain loads and by stores to known places;
 * how many there are. */
size_t ir_elements_chosen(LLVMValueRef function, const IrChosen *limits, LLVMValueRef *numbers, size_t most);
/* They are chosen among registers. True where all of those arrays are gone. */
bool ir_elements_choose(IrModule *ir, LLVMValueRef function, const IrChosen *limits);

/* The body of a function, put aside while it is tried whether another is better. */
typedef struct IrBody IrBody;
IrBody *ir_body_keep(LLVMValueRef function);
/* What stands for the block in it. */
LLVMBasicBlockRef ir_body_block(const IrBody *body, LLVMBasicBlockRef block);
/* The function has it again, in place of what it has now. */
void ir_body_restore(IrModule *ir, IrBody *body);
void ir_body_close(IrBody *body);

/* With analysis managers of its own, for a module outside of any pipeline. */
IrModule *ir_module_open(void);
void ir_module_close(IrModule *ir);

/* Constants that nothing is made of any more, as an inlined function's `return {s};` leaves them, are no users of what they name. */
void ir_drop_dead_constants(LLVMModuleRef module);

/* What the backend makes of a floating-point operation. */
typedef enum {
  IR_MADE_UNKNOWN,
  IR_MADE_APART, /* of a sum: an addition */
  IR_MADE_FIRST, /* of a sum: one with the product that its first operand is, or is the negation of */
  IR_MADE_SECOND, /* with that of its second */
  IR_MADE_BEFORE, /* with one that comes to it in a phi, in the block that it comes from */
  IR_MADE_LOOSE, /* of a product: in the block of a sum it would be one with it */
  IR_MADE_SIGN, /* of fneg, fabs, copysign: an instruction of real arithmetic, which need not keep what a NaN carries */
} IrMade;

/* Asks it, about the function as it is: made[i] is of type IrMade and tells of the i-th instruction. */
void ir_backend_makes(IrModule *ir, LLVMValueRef function, uint8_t *made);
/* Does it fuse products and sums whatever they allow themselves? So it is in clang's own compiles of CUDA. */
bool ir_backend_fuses_all(const IrModule *ir);
/* The version of PTX that it is asked to write, 81 for 8.1; 0: the oldest that has what the architecture has. llc goes by its own options,
 * and not by what clang has told of the function: that counts where nobody knows what compiles it. */
int ir_ptx_version(const IrModule *ir, LLVMValueRef function);

IrLoop *ir_loop_of(IrModule *ir, LLVMBasicBlockRef block); /* innermost, NULL outside of loops */
IrLoop *ir_loop_parent(IrLoop *loop);
int ir_loop_depth(IrLoop *loop);
LLVMBasicBlockRef ir_loop_header(IrLoop *loop);
bool ir_loop_has_block(IrLoop *loop, LLVMBasicBlockRef block);
/* Is it an instruction of one of its blocks? */
bool ir_loop_has(IrLoop *loop, LLVMValueRef value);
/* Its blocks, those of loops inside among them, the header first and the others in no order: who asks the function's blocks which of them are the loop's asks
 * as often as there are loops and blocks. */
size_t ir_loop_size(IrLoop *loop);
int ir_loop_instructions(IrLoop *loop); /* of all of them */
LLVMBasicBlockRef ir_loop_block(IrLoop *loop, size_t number);
bool ir_loop_inside(IrLoop *inner, IrLoop *outer); /* or equal */
bool ir_has_loops(IrModule *ir, LLVMValueRef function);
bool ir_loop_is_innermost(IrLoop *loop);
bool ir_loop_is_one_block(IrLoop *loop);
/* Does every block of it lead to one other of them? It has one way through it then, whatever leads out. */
bool ir_loop_is_one_way(IrLoop *loop);
LLVMBasicBlockRef ir_loop_latch(IrLoop *loop); /* where the next iteration begins from; NULL where that is several places */
/* Leaves at its end alone, after a number of iterations that can be computed on entry. */
bool ir_loop_is_countable(IrModule *ir, IrLoop *loop);
/* Does clang count the iterations in front of it? Those loops it unrolls; others that can be counted ptxas unrolls, in one stretch with a way out of each iteration. */
bool ir_loop_is_counted(IrModule *ir, IrLoop *loop);
/* Does it take a division to compute it, by what run time alone knows or by more than `most`? */
bool ir_loop_divides(IrModule *ir, IrLoop *loop, int64_t most);
/* Is it a number that no iteration of the loop around changes, and that can be computed before that loop begins? */
bool ir_loop_is_countable_before(IrModule *ir, IrLoop *loop, IrLoop *around);
int64_t ir_loop_trips(IrModule *ir, IrLoop *loop); /* constant number of runs of its body, 0 where unknown */

/* What the number of its runs is computed from, in front of it; more than `most`, or that it cannot be computed: false. */
bool ir_loop_count_is_of(IrModule *ir, IrLoop *loop, LLVMValueRef *part, size_t most, size_t *parts);
int64_t ir_loop_most_trips(IrModule *ir, IrLoop *loop); /* never more times than this, 0 where unknown */
/* A number that a launch gives: an integer argument of the function, or a member of a struct that is given by value. */
typedef struct {
  unsigned argument, bits;
  int64_t offset; /* of the member, in bytes; IR_ARGUMENT: there is none */
  int64_t value; /* supposed */
  bool used; /* a number of runs has been computed from it */
} IrGiven;
enum { IR_ARGUMENT = -1 };
/* A thread: its index in the block and the block's in the grid, along each axis; threads of a block, 0: unknown. Are the counters of loops around at their start? */
typedef struct {
  int64_t thread, block, threads;
  bool begins;
} IrPlace;
/* The numbers that the count of runs of its body is computed from, beside a thread's place; false where there are more than `most`, or where it takes
 * anything else. */
bool ir_loop_given(IrModule *ir, IrLoop *loop, IrGiven *given, size_t most, size_t *count);
/* The number of runs of its body, in the thread at that place or (NULL) in any, if what is given had the supposed values; -1 where that is computed
 * from anything else. The values may be wrong: nothing is concluded from them, and nothing of them is remembered. Of a place it may be an estimate: what
 * another loop leaves counts as if that had run. */
int64_t ir_loop_trips_if(IrModule *ir, IrLoop *loop, IrGiven *given, size_t count, const IrPlace *place);
/* The number that a phi of the loop's header is in that iteration, from the first one, 0, on, where constants alone tell: `b ^= 1`, `b = (b + 1) % 3`. */
bool ir_number_in(IrLoop *loop, LLVMValueRef phi, int iteration, int64_t *number);
/* A loop that goes on where another one stopped that makes several steps an iteration, `for (; j + 4 <= n; j += 4)` before `for (;
 * j < n; j++)`: how many iterations are left at most, if no counter wraps around; 0 where it is no such loop. */
int64_t ir_loop_leftover(IrModule *ir, IrLoop *loop);
/* How often the block runs for one time that the loop's header does (NULL: the function's entry), as branches are weighted. */
double ir_frequency(IrModule *ir, LLVMBasicBlockRef block, IrLoop *loop);
/* Is the integer, a phi of a loop's header, below the bound and not negative in every iteration? */
bool ir_loop_keeps_below(IrModule *ir, LLVMValueRef phi, uint64_t bound);

/* Is how often the loop runs computed from floating-point numbers that were rounded? */
bool ir_loop_is_rounded(IrModule *ir, IrLoop *loop);

/* What a pragma says of the loop, by the name that its metadata has after llvm.loop.; false where it says nothing. */
bool ir_loop_option(IrLoop *loop, const char *name, int64_t *value);
/* Was it kept from being unrolled, for a ring? */
bool ir_loop_is_kept(IrLoop *loop);
/* The block that leads into a loop that is simplified. */
LLVMBasicBlockRef ir_loop_before(IrLoop *loop);
/* There is a ring now: it stays as it is. */
void ir_loop_settle(IrLoop *loop);

LLVMBasicBlockRef ir_idom(IrModule *ir, LLVMBasicBlockRef block); /* NULL at the entry and where unreachable */
bool ir_dominates(IrModule *ir, LLVMBasicBlockRef above, LLVMBasicBlockRef below);
/* Where all ways on from the block meet again; NULL where some end before. */
LLVMBasicBlockRef ir_meeting(IrModule *ir, LLVMBasicBlockRef block);
/* Has the one run, this iteration, wherever the other runs? Of instructions; none precedes itself. */
bool ir_precedes(IrModule *ir, LLVMValueRef first, LLVMValueRef then);
bool ir_edge_dominates(IrModule *ir, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef block);
bool ir_reachable(IrModule *ir, LLVMBasicBlockRef block);

/* Of an instruction: whether it may wrap, be inexact, be contracted, and the like, as bits of this LLVM. */
unsigned ir_flags(LLVMValueRef instruction);
/* Has it metadata of this name? To ask LLVM-C for the name's number would add the name to the module. */
bool ir_is_marked(LLVMValueRef instruction, const char *name);
uint64_t ir_mark_number(LLVMValueRef instruction, const char *name); /* that a mark of it carries */
const char *ir_mark_text(LLVMValueRef instruction, const char *name); /* that it carries first; NULL where it has no such mark */

/* Range of an integer value by its !range or range attribute; false where none is given. */
bool ir_range(LLVMValueRef value, int64_t *low, int64_t *high);
/* The variable of the source that holds this value; false where debug information does not say. */
bool ir_source_name(LLVMValueRef value, char *name, size_t size);
/* A local that is only loaded and stored: the code was not optimized. */
bool ir_is_promotable(LLVMValueRef local);
/* Rewrites locals into registers; in functions that are not to be optimized as well if it is a private copy of the
 * module, where they keep that wish as the attribute "coalda-optnone". */
void ir_promote(LLVMModuleRef module, bool is_copy);
/* Of the function as a whole: what is there under the name is replaced. */
void ir_set_attribute(LLVMValueRef function, const char *name, const char *text);
/* The programmer wants the function as it is. */
bool ir_is_optnone(LLVMValueRef function);

/* ---- what may be moved ---- */

/* Bytes from one pointer to the other, when they are the same at every run; false where LLVM cannot tell. */
bool ir_distance(IrModule *ir, LLVMValueRef function, LLVMValueRef from, LLVMValueRef to, int64_t *bytes);
/* Two loads or stores of one thread that never touch a common byte. */
bool ir_is_apart(IrModule *ir, LLVMValueRef a, LLVMValueRef b);
/* May the one write what the other reads, at this iteration of whatever loops or at another? */
bool ir_may_change(IrModule *ir, LLVMValueRef writer, LLVMValueRef reader);
/* A load of the same place that always comes before this one, with nothing in between that may write there; NULL where there is none. */
LLVMValueRef ir_loaded_before(IrModule *ir, LLVMValueRef load);
/* Is it a load of what nothing writes while the kernel runs, as the source promises (const __restrict__, __ldg, __constant__)? */
bool ir_reads_constant(LLVMValueRef load);
/* Two accesses, through these pointers, that never touch a common byte whichever threads make them, in whichever iteration. */
bool ir_is_elsewhere(IrModule *ir, LLVMValueRef a, LLVMValueRef pointer_a, LLVMValueRef b, LLVMValueRef pointer_b);
/* The branches that say whether, or how often, the block is met: those whose ways meet in it, or lead to it before they meet. In the order of the function's blocks,
 * and as long as its analyses live. */
const LLVMBasicBlockRef *ir_deciding(IrModule *ir, LLVMBasicBlockRef block, size_t *count);
/* The blocks that branch, of those on ways from one that dominates another one to that, itself among them, if the ways go over as many blocks at `most`; else more than that. */
size_t ir_branches_between(IrModule *ir, LLVMBasicBlockRef top, LLVMBasicBlockRef merge, LLVMBasicBlockRef *branch, size_t most);
/* May the one run after the other? */
bool ir_leads_to(IrModule *ir, LLVMValueRef from, LLVMValueRef to);
/* The same of blocks, by a way that does not lead over a third; or are they one? */
bool ir_leads_around(IrModule *ir, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef around);
/* Accesses of so many bytes through these pointers, of one thread, in one iteration, that never touch a common byte. */
bool ir_bytes_are_apart(IrModule *ir, LLVMValueRef a, LLVMValueRef pointer_a, int64_t bytes_a, LLVMValueRef b,
                        LLVMValueRef pointer_b, int64_t bytes_b);
bool ir_touches_memory(LLVMValueRef instruction);
/* Or may not be duplicated. Inline assembly is marked so unasked; it is not where all of it is known to be arithmetic
 * (ptx_statement.h), and is wherever it is not, marked or no. */
bool ir_is_convergent(LLVMValueRef call);
/* A call that does no more than to read memory, whoever writes that: an intrinsic, or inline assembly as its text tells. */
bool ir_only_reads(LLVMValueRef call);
/* What inline assembly makes of the addresses that it is given: of type TextAddress (ptx_statement.h). */
int ir_assembly_address(LLVMValueRef call);
/* Free of effects, of faults and of memory: may be computed earlier, or where it was not. */
bool ir_is_pure(LLVMValueRef instruction);

enum { IR_WIDEST = 16 }; /* bytes that one access may have */
/* The power of two, up to IR_WIDEST, that divides the bytes from the array to the pointer into it; 1 where nothing is known. */
int ir_alignment_in(LLVMValueRef pointer, LLVMValueRef array);
/* Where the pointer's path of offsets begins that are all multiples of the bytes, a power of two up to IR_WIDEST: aligned where it is. */
LLVMValueRef ir_aligned_alike(LLVMValueRef pointer, int bytes);
/* Of an argument: what the kernel says of it where it begins, as __builtin_assume_aligned does, up to IR_WIDEST; 1 where it says nothing. */
int ir_promised_alignment(LLVMValueRef pointer);
/* So many of the integer's lowest bits are known to be zero. */
int ir_low_zeros(LLVMValueRef function, LLVMValueRef value);

/* ---- what LLVM-C cannot change ---- */

/* The function's accesses to shared arrays are told how they are aligned; an array that no other module sees is aligned better where accesses to it
 * gain by it. True where anything changed. */
bool ir_align_shared(LLVMValueRef function);
/* Would it change anything? */
bool ir_has_loose_shared(LLVMValueRef function);
/* A thread's own arrays are aligned as its accesses to them say that they are, up to IR_WIDEST. */
void ir_keep_aligned(LLVMValueRef function);

/* The rest of the block from this instruction on becomes a block of its own, which the first falls into. */
LLVMBasicBlockRef ir_split_before(LLVMValueRef instruction);
/* The ways through the block and around it, straight from the block above (NULL: the one that alone leads into it), come together in a
 * new block before the one that they lead to. */
LLVMBasicBlockRef ir_join_before(LLVMBasicBlockRef above, LLVMBasicBlockRef then);
/* Of accesses in a loop that was made longer; and of those that move along a row, in the loops that do what remains of it. */
#define BLOCK_METADATA "coalda.block"
#define REST_METADATA "coalda.rest"
/* Of the call in front of a rest whose first operand is how many iterations that does; the second is how many the longer loop found,
 * and the mark's how many of them it does at once. */
#define LEFT_METADATA "coalda.left"
/* May have threads go past the longest of the loops. `jump` goes on to it unless its condition holds; `left` is what remains
 * behind it: an `and` whose first operand is all iterations, 0 where their number has one more bit. */
typedef void (*IrPast)(void *context, LLVMValueRef jump, LLVMValueRef left);
/* Does the innermost loop leave in the middle of an iteration, behind a number of whole ones that is known in front of it? */
bool ir_loop_leaves_inside(IrModule *ir, IrLoop *loop);
/* Such a loop makes its whole iterations, and leaves behind the end of one; what it has done of the last one stands behind it. */
void ir_loop_split(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header);
/* Does the branch at the loop's end say first where it goes on, or is none that could? */
bool ir_loop_says_it_goes_on(IrLoop *loop);
/* Of one that does not. */
void ir_loop_turn_latch(IrLoop *loop);
/* Where the condition holds, which is known at the end of the block in front of it, so many iterations of a countable loop of one block are made
 * before it, one behind the other: it has as many. */
void ir_loop_begin(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int iterations, LLVMValueRef condition);
/* Makes the body of an innermost loop as many times as long as the first factor says, in the same order, and for what remains
 * each time as many as the next one; the original does the rest. Of a countable loop. `past` may be NULL. Behind two a last factor of 1
 * says that the one iteration that remains is a loop all the same, for whoever leaves the longer one and has more to do. What remains at last
 * ends by its count, where clang would have counted as well, and else as the original does. */
void ir_unroll(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, const int *factors, int count, IrPast past,
               void *context);
/* All lanes that go from the block above to `then`, and those that stay away and go to `join`, come together in a new block in front of
 * `then`, which is returned: its branch has a mark. Of blocks that all ways into `then` come from, and that all ways lead through to
 * one of the two. */
#define GATE_METADATA "coalda.gate"
LLVMBasicBlockRef ir_gate(IrModule *ir, LLVMBasicBlockRef above, LLVMBasicBlockRef then, LLVMBasicBlockRef join);
/* May iterations of a countable loop around others stand side by side, whatever they do to memory? */
typedef enum {
  IR_JAM_MAY,
  IR_JAM_UNEVEN, /* they may, and run loops inside unequally often: as often as all of them do side by side, the rest one by one */
  IR_JAM_WAYS, /* which ways they take depends on their number, or on what they load there */
  IR_JAM_CARRIES /* they hand on more than counters */
} IrJam;

IrJam ir_may_jam(IrModule *ir, IrLoop *loop);
/* Is the value the same in all iterations of such a loop, wherever the loops inside are? */
bool ir_loop_repeats(IrLoop *loop, LLVMValueRef value);
/* So many of its iterations stand side by side; the original does what remains. */
void ir_jam(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int times);
/* Of a countable loop: the number of its last iteration, of 32 bits or more, computed at `place`. */
LLVMValueRef ir_loop_last(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef place);
/* Of a loop that is countable before the one around: does it make at least so many iterations? Computed at `place`. */
LLVMValueRef ir_loop_reaches(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int iterations, LLVMValueRef place);
/* The first iteration of a countable loop stands in front of it: the block that it begins with. Of a loop that makes one iteration,
 * and is none any more, its own. There are no others if it is the only one. */
LLVMBasicBlockRef ir_peel(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, bool only);
/* Constant expressions of the value become instructions, in the function. */
void ir_expand_constants(LLVMValueRef function, LLVMValueRef constant);
/* The pointer without the constant that was added to it last, in bytes; a constant one in the same address space. */
LLVMValueRef ir_without_offset(LLVMValueRef pointer, int64_t *bytes);
/* Has the function calls in loops with barriers, of functions that are no longer than that, or asynchronous copies of its own? */
bool ir_may_show_staging(LLVMValueRef function, size_t longest);
/* The bodies of those functions stand in the loops; those that nobody calls any more are empty. */
void ir_show_calls(IrModule *ir, LLVMValueRef function, size_t longest);
/* Those copies are made where they were begun, if all of them are waited for at once. */
void ir_show_copies(IrModule *ir, LLVMValueRef function);
/* Has a loop of the function a pointer into a shared array as its counter? */
bool ir_may_index(LLVMValueRef function);
/* Such pointers are told by how far they lead into their array, which is what the loops count. */
void ir_index_pointers(IrModule *ir, LLVMValueRef function);
/* Does the call begin an asynchronous copy to shared memory? Its first operand says to where. */
bool ir_begins_copy(LLVMValueRef call);
/* Its bytes; 0 where they are not constant, or zeros are brought as well. */
int ir_copied_bytes(LLVMValueRef call);
/* A copy that one thread makes in bulk, of bytes or of a box of a tensor map: where to, by what it is told that it has come, and how many
 * bytes (NULL: a box's are the map's). `to` is NULL of all else. */
typedef struct {
  LLVMValueRef to, barrier, bytes;
} IrBulk;
IrBulk ir_bulk_copy(LLVMValueRef call);
/* The bytes that the call tells that barrier to expect; NULL: it does no such thing. */
LLVMValueRef ir_expected_bytes(LLVMValueRef call, LLVMValueRef barrier);
/* Does the call wait for a phase of some mbarrier, or ask whether it is over? */
bool ir_asks_phase(LLVMValueRef call);
/* How many groups of copies does the instruction, which waits for the others, leave under way? -1: it does not wait so. */
int ir_groups_left(LLVMValueRef instruction);
/* Is it a copy of that kind, the end of a group of them, or a wait for some or for all? */
bool ir_is_copying(LLVMValueRef instruction);
/* May it begin such copies, or end a group of them, of whatever kind? */
bool ir_may_begin_copies(LLVMValueRef instruction);
/* May the instruction wait for asynchronous copies that the thread has begun, or hand them over to something that does? */
bool ir_may_await_copies(LLVMValueRef instruction);
/* Has the function shared arrays that are filled twice in an iteration, and read each time before it is over? */
bool ir_may_split_arrays(IrModule *ir, LLVMValueRef function);
/* Those whose places are the same each time have an array for each, in loops that all threads of the block which come to them leave
 * together: that is told of a latch. */
void ir_split_arrays(IrModule *ir, LLVMValueRef function, bool (*together)(void *context, LLVMBasicBlockRef latch), void *context);
/* Of a loop whose threads read, through a shared array, what others of the block have loaded from a list. */
typedef struct {
  LLVMBasicBlockRef header;
  const LLVMValueRef *lists; /* those loads */
  size_t count;
  int64_t along_x, along_y, in_plane; /* a block has to have so many threads */
} IrNamed;

typedef struct {
  int64_t most_bytes; /* of an index */
  bool (*alike)(void *context, LLVMValueRef value); /* in all threads of the block? */
  bool (*may)(void *context,
              const IrNamed *named); /* may each read the list for itself? The loop may get a second version, which stays */
  void *context;
} IrNaming;

/* Has the function such loops, by which threads find out what to load? */
bool ir_may_name(LLVMValueRef function);
/* Each thread reads the list for itself. */
void ir_name_directly(IrModule *ir, LLVMValueRef function, const IrNaming *naming);
/* May the function have loops that store what they have loaded an iteration before? */
bool ir_may_hold_tiles(LLVMValueRef function);
/* Each of their iterations loads what it stores, where `may` says that nothing writes what those loads read: the loop may get a second version,
 * which stays. */
void ir_release_tiles(IrModule *ir, LLVMValueRef function, const IrNaming *asks);
/* Has the function loops with barriers that not every iteration comes to, or that are left before their end? */
bool ir_may_skip(LLVMValueRef function);
/* Those whose iterations do something in one stretch of a counter alone make no others. */
void ir_narrow_loops(IrModule *ir, LLVMValueRef function);
/* Such loops have one way through them and one end, where what stands in front of the barriers has no effect: a function of the module
 * tells which iteration comes next. Before that each is told of, where somebody asks: it may get a second version, which stays as it is. */
void ir_skip_ahead(IrModule *ir, LLVMValueRef function, void (*each)(void *context, LLVMBasicBlockRef header), void *context);
/* Does the call ask such a function? */
bool ir_is_step(LLVMValueRef call);
/* How many places it reads of what may be written while the kernel runs. */
unsigned ir_step_reads(LLVMValueRef call);
/* Those that the function asks stand in it. */
void ir_inline_steps(IrModule *ir, LLVMValueRef function);
enum { IR_STATES = 16, IR_KNOWN = 64 };
/* Of a loop in another one: a function that tells what its next run begins with. It is given whether the first run is asked for, else
 * the one behind, then the state of the loop around, which are phis of its header, and what is known in front of that. It tells whether
 * there is such a run, the state there, as it was given where there is none, and what was wanted, zeros where there is none. */
typedef struct {
  LLVMValueRef function;
  LLVMValueRef state[IR_STATES];
  size_t states;
  LLVMValueRef known[IR_KNOWN];
  size_t knowns;
} IrNextRun;

/* Is there one for the values, which are made in the loop around and not in the loop? Makes it unless `run` is NULL. */
bool ir_next_run(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef *wanted, size_t count, IrNextRun *run);
/* It stands where it is called. */
void ir_inline_next_run(IrModule *ir, const IrNextRun *run);
/* Gives the loop one block that leads into it, and blocks of its own behind it. Values that turn out to be others go: true where
 * anything changed, and what is known of the function is void. */
bool ir_loop_simplify(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header);
/* A pointer that moves by `step` bytes an iteration from `start`, as long as `holds` (NULL: always), which are computed before
 * `place`, in front of the loop. False where LLVM cannot tell; with no place, nothing is computed. */
bool ir_recurrence(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, LLVMValueRef place,
                   LLVMValueRef *start, LLVMValueRef *step, LLVMValueRef *holds);
/* Is the pointer a multiple of `bytes`, a power of two, in all iterations of the loop and of those inside, if `holds`, which is computed
 * before `place`, in front of it? False where LLVM cannot tell, or where it never is; with no place, nothing is computed. */
bool ir_is_multiple(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int bytes,
                    LLVMValueRef place, LLVMValueRef *holds);
/* Where a pointer leads in iteration i of a loop, in iteration t of the one around it: to start + t * step + i * row_step. */
typedef struct {
  LLVMValueRef start, step, row_step;
  LLVMValueRef last; /* of the inner loop, in all iterations of the one around: the number of its last iteration */
  LLVMValueRef holds; /* that no index wraps around; NULL: always */
} IrGrid;

/* Computed before `place`, in front of both loops; with no place, nothing is. False where LLVM cannot tell. */
bool ir_grid(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, LLVMValueRef place, IrGrid *grid);
/* Bytes that the pointer moves by from iteration to iteration; false where that is no number that LLVM knows. */
bool ir_step(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t *bytes);
/* The same, where it moves so as long as no index wraps around, which ir_recurrence says what has to be asked for. */
bool ir_step_if(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t *bytes);
/* Is the pointer another one in each iteration, by at least so many bytes? `unless_wraps`: as long as an index in it, of 32 bits
 * or more, does not wrap around. */
bool ir_moves_on(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t bytes,
                 bool *unless_wraps);
/* Is the integer known to be less than the bound, and not negative? */
bool ir_is_below(IrModule *ir, LLVMValueRef function, LLVMValueRef value, int64_t bound);
/* How many bytes `to` lies behind `from`, where that is the same number in every iteration of the loop, and each moves by the same
 * number of bytes from one to the next: computed before `place`, in
 * front of it, unless that is NULL. NULL where LLVM cannot tell; else what is alike for the same number, until the function changes. */
const void *ir_gap(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef from, LLVMValueRef to,
                   LLVMValueRef place, LLVMValueRef *gap);
typedef struct {
  LLVMValueRef base; /* what the pointer starts from */
  LLVMValueRef low, high; /* addresses: all bytes lie from low on, below high, ... */
  LLVMValueRef holds; /* ... if this holds */
} IrExtent;

/* What an access of so many bytes through the pointer touches while the loop runs, computed at `place`, in front of the loop; with
 * no place, only the base is found. False where LLVM cannot tell: then `holds` never does, so that whoever tests it goes on as if
 * the test had failed. */
bool ir_extent(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t bytes,
               LLVMValueRef place, IrExtent *extent);
/* Is the condition of the loop's only end met when the loop has run as often as LLVM counts, which takes it for one that ends? Computed before `place`, in front of
 * the loop; NULL where LLVM cannot tell. */
LLVMValueRef ir_loop_ends(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef place);
/* A second version of the loop, which runs where the condition, known at the end of the block `before` it, does not hold.
 * Returns the block that leads into the first; the blocks, of the loop, become their twins in the second. */
LLVMBasicBlockRef ir_loop_version(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef condition,
                                  LLVMBasicBlockRef *blocks, size_t count);
/* No such load reads, whatever iteration of whatever loop it is of, what one of the stores and atomics writes: that holds for this code alone. */
void ir_promise_apart(LLVMValueRef *loads, size_t count, LLVMValueRef *writes, size_t writes_count);
/* The same, though they may meet: nobody uses then what has been loaded. For as long as the plugin works on the function: when that is done, it is forgotten. */
void ir_promise_apart_for_now(LLVMValueRef *loads, size_t count, LLVMValueRef *writes, size_t writes_count);
void ir_forget_apart_for_now(LLVMValueRef function);
/* Has that been promised of the two? */
bool ir_is_promised_apart(LLVMValueRef load, LLVMValueRef write);
/* The instruction may run where the original would not: no flag or attribute of it promises anything. */
void ir_forget_promises(LLVMValueRef instruction);
/* Keeps the locals, which are only loaded and stored, in registers. */
void ir_locals_to_registers(IrModule *ir, LLVMValueRef function, LLVMValueRef *locals, size_t count);
/* Pointers into shared memory are such by their type, and not generic. */
void ir_name_spaces(IrModule *ir, LLVMValueRef function);
/* As ir_clean, and blocks that do nothing, loops that do nothing and arithmetic that can be had for less go; accesses are
 * told what is known of their alignment. */
void ir_tidy(IrModule *ir, LLVMValueRef function);
/* A product of matrices of nothing, by all lanes of the warp. */
void ir_build_mma(LLVMBuilderRef builder);
/* What was kept for those who leave a longer loop early goes, and what nothing leads to. */
void ir_forget_left(IrModule *ir, LLVMValueRef function);
/* What iterations of the loop do under conditions is done in all of them, and chosen from behind: loads as well, which have to be there. Is the
 * loop one block then? */
bool ir_loop_choose(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header);
/* Iterations of an innermost loop, from one on and up to another, in each of which conditions of counters hold that accesses stand under, and
 * counters lie within bounds that they are kept in. */
typedef struct IrIndexSet IrIndexSet;
typedef struct {
  LLVMValueRef first, behind; /* of them, */
  LLVMValueRef last; /* and of the loop: integers of 64 bits; there are none where `behind` is not more than `first` */
  LLVMValueRef done; /* how many are when the twin begins; NULL: it is not to count from there */
  LLVMValueRef holds; /* where it does not, nothing is known of them */
} IrIterations;

/* NULL where there is no such condition. Where both ways of one move, or both of what is chosen, the loop's first iterations are meant, or its last ones.
 * Holds as long as the function does not change. */
IrIndexSet *ir_index_set(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, bool is_late);
/* Are there such conditions? */
bool ir_index_set_is_twofold(const IrIndexSet *set);
/* Are there some of which the iterations behind them want the other way? */
bool ir_index_set_is_open(const IrIndexSet *set);
/* They are marked, for copies of the loop to be searched for the other way. */
void ir_index_set_mark(const IrIndexSet *set);
/* Is the place made of something that is another value in each of them: a counter that need not be kept within bounds? */
bool ir_index_set_changes(const IrIndexSet *set, LLVMValueRef place);
/* Is it made of what the loop chooses: asked first, as it takes no time. */
bool ir_loop_chooses(IrLoop *loop, LLVMValueRef place);
/* By how much one of the counters goes on in an iteration. */
int64_t ir_index_set_step(const IrIndexSet *set);
void ir_index_set_forget(IrIndexSet *set);
/* Would each of them come to the block, if they all are known to meet the conditions? */
bool ir_index_set_frees(const IrIndexSet *set, LLVMBasicBlockRef block);
/* Computed before `place`, in front of the loop: from the first on whose number is such a multiple. */
void ir_index_set_compute(const IrIndexSet *set, LLVMValueRef place, int multiple, IrIterations *iterations);
/* The loop makes these iterations alone, of which there are some, and asks for nothing that holds in them; a copy of its twin, which is left by its
 * latch as well, makes those in front of them, and the twin those behind, or a copy of it where the twin is kept for what has no such iterations. False
 * where they are no twins any more: nothing has changed then. */
bool ir_index_set_part(IrModule *ir, LLVMValueRef function, IrIndexSet *set, LLVMBasicBlockRef header, LLVMBasicBlockRef twin,
                       const IrIterations *iterations, bool is_kept);
/* A row of which a loop loads pieces: its loads, the first of which every iteration makes, and in front of the others; where each lies, in bytes from that one on;
 * bytes that the row goes on by; and where the first piece begins, or with a row that is walked downwards ends but for one step. */
typedef struct {
  const LLVMValueRef *load;
  const int64_t *from;
  size_t count;
  int64_t step, base;
} IrSoughtRow;
/* Where a row is to be at the end of the block in front of its loop, a number, and by what each iteration goes on, until it is at a multiple of `bytes`. */
typedef struct {
  LLVMValueRef place;
  int64_t step, bytes;
} IrApproach;
/* May iterations of the loop stand one behind the other, wherever it leaves? */
bool ir_loop_may_be_sought(IrLoop *loop);
/* May it make at least so many iterations, by its counter? Computed in front of the loop; NULL where nobody knows there. */
LLVMValueRef ir_loop_may_reach(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int iterations);
/* Where the condition, known in front of the loop, holds, so many of its iterations stand one behind the other, and of each row what they load comes by wide loads
 * where the first of them loads it; the loop as it was does the rest, and, of each lane by itself, the first ones, until a row is where a piece may begin (NULL: it is).
 * Nothing writes there meanwhile. */
void ir_loop_seek(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, const IrSoughtRow *rows, size_t count,
                  int iterations, LLVMValueRef holds, const IrApproach *approach);
/* What is dead or computed twice goes. */
void ir_clean(IrModule *ir, LLVMValueRef function);
/* Forgets every analysis of the function: it has changed. */
void ir_changed(IrModule *ir, LLVMValueRef function);

/* Of one of the places that such a function reads: the object, and between which addresses; computed in front of the loop. */
void ir_step_read(LLVMValueRef call, unsigned number, IrExtent *extent);
/* May the instruction write it, in any iteration? */
bool ir_step_is_changed(IrModule *ir, LLVMValueRef writer, LLVMValueRef call, unsigned number);

/* Stops the compiler, naming the step, where the module is not valid, or something of one function is used in another: a bug. */
void ir_check(LLVMModuleRef module, const char *step);

/* Stops, and says that this cannot be. */
void ir_fail(const char *what);

/* ---- what the user is told ---- */

typedef enum { REMARK_ANALYSIS, REMARK_PASSED, REMARK_MISSED } IrRemarkKind;

typedef struct {
  const char *key, *text;
} IrRemarkPart;

bool ir_remarks_wanted(LLVMModuleRef module);
/* A sentence for people, and arguments that only the machine-readable form shows. */
void ir_remark(IrRemarkKind kind, LLVMValueRef instruction, LLVMMetadataRef location, const char *name, const char *sentence,
               const IrRemarkPart *parts, size_t count);
/* The same, for the file of remarks (-fsave-optimization-record) alone: nothing on the terminal. */
void ir_remark_filed(IrRemarkKind kind, LLVMValueRef instruction, LLVMMetadataRef location, const char *name, const char *sentence,
                     const IrRemarkPart *parts, size_t count);
void ir_print(const char *text); /* to LLVM's error stream */
void ir_error(LLVMModuleRef module, const char *message); /* as an LLVM diagnostic */
void ir_warning(LLVMModuleRef module, const char *message);
/* The same at a place of the source: where that is NULL, at the function's. */
void ir_error_at(LLVMValueRef function, LLVMMetadataRef location, const char *message);
void ir_warning_at(LLVMValueRef function, LLVMMetadataRef location, const char *message);
char *ir_demangled(const char *name); /* for free() */

/* ---- what is counted of all that is made ---- */

typedef enum {
#define COUNT(id, name, what) id,
#include "pass/base/counts.def"
#undef COUNT
  COUNTS
} IrCount;

void ir_count(IrCount what, size_t times);
/* Since the program began, in all modules. */
size_t ir_counted(IrCount what);
const char *ir_count_name(IrCount what);

#ifdef __cplusplus
}
#endif
#endif
