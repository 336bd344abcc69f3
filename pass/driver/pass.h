/* What the pipeline of run.c is made of: the steps of a kernel, and one pass over the kernels of a portion. */
#ifndef COALDA_PASS_H
#define COALDA_PASS_H

#include "analysis/plan/plan.h"
#include "pass/spares/spares.h"

/* ---- steps.c ---- */

void kernel_measure(Kernel *kernel);
void kernel_find_tiles(Kernel *kernel);
void kernel_find_fills(Kernel *kernel);
void kernel_find_tallies(Kernel *kernel);
void kernel_find_lookaheads(Kernel *kernel);
void kernel_find_batches(Kernel *kernel);
void kernel_find_additions(Kernel *kernel);
void kernel_plan(Kernel *kernel);

/* ---- pass.c ---- */

typedef struct {
  IrModule *ir;
  LLVMModuleRef module;
  const Options *options;
  Portion portion;
  Arena *arena;
  List arenas;  /* the kernels' */
  List kernels; /* of Kernel: those that are not switched off */
  Map *settled; /* functions that are about to change: nothing that is done to them changes what is rounded */
  Spares *spares; /* NULL where nothing is to stay */
  List loopless; /* functions that may stand a second time and have no loops */
  Map *made;    /* what the backend makes of functions as they were at first */
  Plan *plan;   /* refers to the kernels: all live until the pass is closed */
} Pass;

Pass pass_open(IrModule *ir, LLVMModuleRef module, const Options *options, const Portion *portion);
void pass_close(Pass *pass);
Kernel *pass_kernel(Pass *pass, LLVMValueRef function);
Kernel *pass_kernel_unturned(Pass *pass, LLVMValueRef function);
/* True where it was not settled yet. */
bool pass_settle(const Pass *pass, LLVMValueRef function);
/* Of kernels that have changed. */
void pass_limit_registers(const Pass *pass);
/* What was known of kernels that run one of the functions is no longer true. */
void pass_renew(Pass *pass, const Map *functions);
/* Does the module declare a function of such a name? */
bool pass_declares(LLVMModuleRef module, bool (*is_name)(const char *name));
/* Accesses to shared arrays are told how they are aligned. True where anything changed. */
bool pass_align(Pass *pass);
/* And tensor cores in which memory their matrices lie. */
bool pass_tell_matrices(Pass *pass);
/* The kernel whose trace says what becomes of the function: of those that run it the first, or the first that is traced; NULL where
 * none runs it. */
const Kernel *pass_runner(const Pass *pass, LLVMValueRef function);
bool kernel_runs_any(const Kernel *kernel, const Map *functions);
/* Places, among the kernels, of those that have a loop, or may call a function that has. */
List pass_with_loops(const Pass *pass);
/* What the plan says. */
void pass_rewrite(const Pass *pass);
/* Where the options ask for it: has the step left the module as it must be? */
void pass_check(const Pass *pass, const char *step);

/* What is found of a kernel as it is by now, made, and looked for again; what stays as it is is told once all is made. */
typedef struct {
  List *found;
  bool (*may_be)(IrModule *ir, LLVMValueRef function);
  void (*find)(Kernel *kernel);
  bool (*make)(Pass *pass, const Kernel *kernel); /* false where there is nothing left to make */
  void (*tell)(const Kernel *kernel, const void *found);
} ByTurns;

/* Of all kernels; true where anything was made. */
bool pass_make_by_turns(Pass *pass, const ByTurns *turns);

/* ---- turns_try.c ---- */

void turns_find(Pass *pass);
/* What their code is like by now without the turn: an access that is better for it is told as it would be. */
void turns_compare(Pass *pass);
/* True where there is one. */
bool turns_make(const Pass *pass, bool rewrites);

/* ---- rehearsal.c ---- */

typedef struct {
  IrModule *ir;
  LLVMModuleRef module;
} Rehearsal;

/* What kernels run that run one of the functions is copied; the blocks become their twins. */
Rehearsal rehearsal_open(const Pass *pass, const Map *functions, LLVMBasicBlockRef *block, size_t count);
/* A pass over the copy, as it is by now; its kernels are turned where the module's own are. */
Pass rehearsal_pass(const Rehearsal *rehearsal, const Pass *pass);
void rehearsal_close(Rehearsal *rehearsal);

/* ---- arrays_make.c ---- */

/* Small arrays that loops index are registers; true where there is one. */
bool arrays_make(Pass *pass);
/* Behind all else: what filled them is not made later than the program makes it. True where there is any. */
bool arrays_pin(const Pass *pass);

/* ---- rings_make.c: true where one has been made ---- */

bool rings_make(Pass *pass);
/* Loops become what rings are looked for in, where that shows more of them: what they call stands in them, all of their iterations do
 * something, arrays that hold two tiles in an iteration are two. Adds the functions that now ask for their next iteration. */
bool rings_show(Pass *pass, Map *straight);
bool fills_make(Pass *pass);
bool tallies_make(Pass *pass);
/* True where the function or the loop has changed: what was found of it is to be looked for again. */
bool loop_settle(const Pass *pass, LLVMValueRef function, LLVMBasicBlockRef header);

/* ---- ahead_make.c ---- */

/* Loops whose loads come first. True where there are any. */
bool batches_make(Pass *pass);
/* Loads of loops come in front of quotients and roots, behind all that makes loops longer. True where there is any. */
bool parted_make(const Pass *pass);
/* True where there is one. Of kernels as they are by now, whatever was found of them before. */
bool lookaheads_make(Pass *pass);

/* ---- reductions_make.c: true where there is one ---- */

bool reductions_make(Pass *pass);

/* ---- forms_choose.c: true where any was ---- */

/* Ends of loops say that they go on. */
bool latches_turn(const Pass *pass);
/* Short ways of switches are chosen among, early, as loops without branches may have more made of them. */
bool ways_choose(Pass *pass);
/* Words of structs that a loop asks for under a condition come with the one in front of it, early, as more iterations may be under way then. */
bool wholes_load(Pass *pass);
/* Switches of a kernel are compared. */
bool switches_compare(const Pass *pass);
/* Numbers that go on under a condition are chosen. */
bool counts_choose(const Pass *pass);
/* Neighbours that are kept within bounds are reckoned by their sums first. */
bool clamps_turn(const Pass *pass);

/* ---- banks_make.c ---- */

/* Arrays with longer rows; true where there is one. */
bool banks_make(Pass *pass, bool speaks);
/* An array that a ring was found to fill gets them first, where the rings stay. True where the kernel is to be looked at again. */
bool tile_make_longer(const Pass *pass, Kernel *kernel);
/* What would be made. */
void banks_tell(Pass *pass);

/* ---- tails_make.c ---- */

/* Loads under conditions get a version where all of those hold; true where there is one. */
bool tails_make(Pass *pass);

/* ---- gates_make.c ---- */

/* Lanes come together in front of records that some of them touch; true where there is one. */
bool gates_make(Pass *pass);

/* ---- bounds_make.c ---- */

/* Bounds of loops are loaded once, where more is made of them then; true where there is one. */
bool bounds_make(Pass *pass);
/* Loops that are left by what they load of rows load pieces of those at once. True where there is any. */
bool sectors_make(Pass *pass);
/* Are there any in loops that were kept from being unrolled? */
bool searches_are_of_kept(Pass *pass);

/* ---- jams_make.c ---- */

/* Iterations of loops around others stand side by side. True where there is one, or would be. */
bool jams_make(Pass *pass, bool rewrites);
/* Would any be of a loop that is kept from being unrolled? */
bool jams_are_of_kept(Pass *pass);

/* ---- walks_lengthen.c ---- */

/* True where a loop has become longer, or would. */
bool walks_lengthen(Pass *pass, bool rewrites);

#endif
