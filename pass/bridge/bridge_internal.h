// What the files of the bridge share.
#ifndef COALDA_BRIDGE_INTERNAL_H
#define COALDA_BRIDGE_INTERNAL_H

#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_module.h"

#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Passes/PassBuilder.h"

namespace llvm {
class SCEVExpander;
class SCEVPredicate;
} // namespace llvm

// A new release is to be checked for all of this; docs/llvm-releases.md says how, and what differed in another. The compiler tells of the first
// two alone:
//   names and parameters of LLVM's C++ and LLVM-C, also those of another meaning that still compile (rows of bool);
//   symbols that the plugin resolves when it is loaded;
//   names of intrinsics, which are texts all over analysis/ and transform/: barriers, shuffles, asynchronous copies, and their arguments;
//   what clang writes for CUDA: a kernel's convention, attributes of launch bounds, __ldg, scopes of atomics;
//   where in the pipeline plugins are called, and what metadata the unroller reads;
//   names of NVPTX's instructions in backend.cpp: where they differ, no product is seen to be fused, and nothing complains;
//   what the backend makes of atomics of each scope;
//   opcodes that the simulator reads; spills that test/launches knows; figures of cost.def.
static_assert(LLVM_VERSION_MAJOR == 22, "COALDA is written for LLVM 22");

// Analysis managers for modules that no pipeline runs on.
struct OwnAnalyses {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;

  OwnAnalyses(llvm::TargetMachine *machine = nullptr) : builder(machine) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
};

struct OwnModule : IrModule {
  OwnAnalyses own;

  OwnModule(llvm::TargetMachine *compiles_for = nullptr) : own(compiles_for) { machine = compiles_for; }
};

inline llvm::Loop *loop_in(IrLoop *loop) { return reinterpret_cast<llvm::Loop *>(loop); }
inline IrLoop *loop_out(llvm::Loop *loop) { return reinterpret_cast<IrLoop *>(loop); }

// Metadata of loops that are kept from being unrolled, and of those that say how they are to be: as LLVM reads it, and while they are kept.
inline const char KEPT[] = "llvm.loop.coalda.kept", UNROLL[] = "llvm.loop.unroll.", USERS[] = "llvm.loop.coalda.unroll.";
// Of a loop that the program says is not to be unrolled: LLVM says the same of those that it has unrolled by parts.
inline const char TOLD[] = "llvm.loop.coalda.told";
void loop_forget(llvm::Loop &loop, llvm::ArrayRef<llvm::StringRef> prefixes);

inline llvm::DominatorTree &dominators(IrModule *ir, llvm::BasicBlock *block) {
  return ir->functions->getResult<llvm::DominatorTreeAnalysis>(*block->getParent());
}

// As LLVM's unroller asks before it unrolls a loop whose count run time alone knows.
bool loop_is_counted(llvm::Loop &loop, llvm::ScalarEvolution &evolution, const llvm::TargetTransformInfo &target);
// Null where ScalarEvolution would recurse too deep for the stack.
const llvm::SCEV *shallow_form(llvm::ScalarEvolution &evolution, llvm::Value *value);
// Can it be asked what ends the loop, without recursing too deep?
bool ends_are_shallow(llvm::Loop &loop, llvm::ScalarEvolution &evolution);
bool can_be_asked(const llvm::SCEVPredicate &predicate, const llvm::SCEV *times, llvm::SCEVExpander &expander,
                  llvm::Instruction *place);
// Empty where the call is none of inline assembly.
std::string assembly_text(const llvm::CallBase &call);
bool is_pure_assembly(const llvm::CallBase &call);
// Integers of a loop that are compared with or subtracted from each other, and shown to be equal, are one from now on.
void counters_unite(IrModule *ir, llvm::Function &f);
// ---- step_bounds.cpp: functions that tell which iteration of a loop comes next, and what they are told besides ----

// What a number, or an address, lies between as long as a loop runs, if that holds: integers of 64 bits.
struct StepBounds {
  llvm::Value *low, *high, *holds;
};

inline const char STEP[] = "coalda-step"; // of such a function: the first argument that it is told besides
// Computed at `place`, in front of the loop, which may end sooner than its counters say. Empty where LLVM cannot tell.
std::optional<StepBounds> integer_bounds(IrModule *ir, llvm::Loop &loop, llvm::Value *integer, llvm::Instruction *place);
std::optional<StepBounds> times_bounds(IrModule *ir, llvm::Loop &loop, llvm::Instruction *place);
// What is told besides of a loop, of counters that the function answers with, and of loads in it.
llvm::SmallVector<llvm::Value *, 16> step_told(IrModule *ir, llvm::Loop &loop, llvm::ArrayRef<llvm::PHINode *> counters,
                                               llvm::ArrayRef<llvm::LoadInst *> loads, llvm::Instruction *place);
// The load's number, among those of which something is told.
void step_number(llvm::LoadInst &load, unsigned number);
void step_forget(llvm::Function &step);
// Of a loop that such a function is asked in: how often it runs again at most; of a value, if it is a counter that the function answers
// with.
std::optional<StepBounds> step_times(const llvm::Loop &loop);
std::optional<StepBounds> step_counter(const llvm::Loop &loop, const llvm::Value &value);
// What the load reads from in all iterations of the loop; null: nobody knows.
llvm::Value *object_in(const llvm::Loop &loop, const llvm::LoadInst &load);

// ---- touches.cpp: what touches a shared array

// A use of the array, through a pointer.
struct Touch {
  llvm::Instruction *at;
  unsigned operand; // the pointer
  bool stores;
  size_t phase = 0; // barriers of the iteration that stand before it
  size_t life = 0;
};

using Touches = llvm::SmallVector<Touch, 16>;
// Pointers into the array lead to readings and writings in the function, and nowhere else.
bool find_touches(llvm::GlobalVariable &array, const llvm::Function &f, const llvm::Loop &loop, Touches &inside, Touches &outside);
// Of all threads of the block.
bool is_plain_barrier(const llvm::Instruction &i);
// Those that each iteration comes to once.
llvm::SmallVector<llvm::Instruction *, 8> barriers_of(const llvm::LoopInfo &loops, const llvm::DominatorTree &tree,
                                                      const llvm::Loop &loop);
// So many of them stand before the instruction, in its iteration.
size_t barriers_before(llvm::ArrayRef<llvm::Instruction *> barriers, const llvm::DominatorTree &tree, const llvm::Instruction *at);
// Shared arrays of constant size.
llvm::SmallVector<llvm::GlobalVariable *, 8> own_arrays(llvm::Module &module);

// ---- filling_thread.cpp: which thread has filled a slot of a shared array

// A store of each thread to a slot of its own.
struct Filling {
  llvm::StoreInst *store;
  llvm::Value *thread = nullptr; // the number by which a thread knows its slot, ...
  int64_t first = 0; // ... which that of 0 is
  int64_t most = INT64_MAX; // numbers are less
  int64_t width = 0; // threads of a row, in which they are numbered along x and y; 0: ...
  bool in_plane = false; // ... as many as there are; or there are no rows

  bool along_x() const { return !width && !in_plane; }
  bool in_first_row(int64_t threads) const { return width && threads <= width; }
};

// A load of what a thread has stored there.
struct Named {
  llvm::LoadInst *load;
  Filling filling;
  llvm::Value *index = nullptr; // the thread's number is so much behind that; null: behind 0
  int64_t behind = 0;
  int64_t threads = 0; // it is less than that
  llvm::LoadInst *list = nullptr; // what is stored comes from there, ...
  llvm::SmallVector<llvm::Instruction *, 8> made = {}; // ... by those, in their order
};

std::optional<Filling> filling_of(llvm::StoreInst &store, const llvm::GlobalVariable &array);
// Empty where it is not known that a thread has stored there, on the way to the load, or where what it has stored is made of other things
// than its number, memory and what is alike in all threads of the block.
std::optional<Named> named_of(const Filling &filling, llvm::LoadInst &load, const llvm::GlobalVariable &array, IrModule *ir,
                              const llvm::Loop &loop, llvm::function_ref<bool(llvm::Value *)> alike);
// Made again, where the load stands.
llvm::Value *named_value(const Named &named);

// ---- skips.cpp
void bring_in_form(IrModule *ir, llvm::Function &f);

// Does all of the block wait there, and so somewhere in the loop?
bool is_block_barrier(const llvm::Instruction &i);
// What goes into the call, what comes out of it, and what either function stores is rounded before the other goes on, once the one stands in the other.
void call_fence(llvm::CallBase &call);
bool waits_for_block(const llvm::Loop &loop);
// Nothing more is done with a loop that is there as the slow path of another: all of its barriers are such a path's.
bool is_aside(const llvm::Loop &loop);
// Nothing writes it while the kernel runs.
bool is_constant_object(const llvm::Value *object);
bool reads_constant(const llvm::LoadInst &load);
constexpr unsigned GLOBAL_SPACE = 1, SHARED_SPACE = 3, CONSTANT_SPACE = 4;

#endif
