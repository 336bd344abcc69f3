// Loops that LLVM would unroll before they can become rings: tile loops of constant trips, and loops inside that fill a tile; and loops
// around others of few iterations, which would stand one behind the other with a loop in each.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

void loop_forget(Loop &loop, ArrayRef<StringRef> prefixes) {
  if (MDNode *known = loop.getLoopID())
    loop.setLoopID(makePostTransformationMetadata(known->getContext(), known, prefixes, {}));
}

static const char *const barriers[] = {"llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.barrier.cta.sync.all"};
static const char *const warp_barriers[] = {"llvm.nvvm.bar.warp.sync"};

bool has_barriers(Module &module) {
  auto has = [&](const char *name) { return module.getFunction(name); };
  return any_of(barriers, has) || any_of(warp_barriers, has);
}

static int count_barriers(const Loop &loop, ArrayRef<const char *> names) {
  int count = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block)
      if (auto *call = dyn_cast<CallBase>(&i); call && call->getCalledFunction())
        count += is_contained(names, call->getCalledFunction()->getName());
  return count;
}

// Barriers of the block, in no loop inside; or two of the warp, and none of the block.
static bool stages_between(const Loop &loop) {
  bool of_block = count_barriers(loop, barriers), of_warp = count_barriers(loop, warp_barriers) > 1;
  ArrayRef<const char *> names = of_block ? ArrayRef(barriers) : ArrayRef(warp_barriers);
  return (of_block || of_warp) && none_of(loop.getSubLoops(), [&](Loop *inner) { return count_barriers(*inner, names) > 0; });
}

// A pointer that is a counter leads into what it starts from.
static bool is_in_shared_array(const Value *place) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(place, objects);
  return any_of(objects, [](const Value *object) {
    auto *array = dyn_cast<GlobalVariable>(object);
    return array && array->getAddressSpace() == SHARED_SPACE;
  });
}

static bool fills_shared_array(const Loop &loop) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      const Value *place = getLoadStorePointerOperand(&i);
      if (auto *copy = dyn_cast<MemTransferInst>(&i))
        place = copy->getDest();
      if (place && !isa<LoadInst>(i) && is_in_shared_array(place))
        return true;
    }
  return false;
}

static bool is_free(const Loop &loop) { return hasUnrollTransformation(&loop) == TM_Unspecified; }
static bool is_to_be_unrolled(const Loop &loop) { return is_free(loop) || hasUnrollTransformation(&loop) == TM_ForcedByUser; }

// Would LLVM unroll it by a part of its iterations, with those that remain in a loop beside it, because nothing says how many there are?
static bool fills_by_parts(const Loop &loop, ScalarEvolution &evolution) {
  return evolution.getSmallConstantTripCount(const_cast<Loop *>(&loop)) == 0 && is_to_be_unrolled(loop) && fills_shared_array(loop);
}

LoopsToKeep loops_for_ring(Loop &loop, ScalarEvolution &evolution) {
  Function &function = *loop.getHeader()->getParent();
  bool stands_alone = function.hasFnAttribute(Attribute::NoInline) && function.getCallingConv() != CallingConv::PTX_Kernel;
  LoopsToKeep keep;
  if (stands_alone || !has_barriers(*function.getParent()) || !stages_between(loop) || !fills_shared_array(loop))
    return keep;
  keep.itself = evolution.getSmallConstantTripCount(&loop) > 1 && is_free(loop);
  for (Loop *inner : loop.getLoopsInPreorder())
    if (inner != &loop && fills_by_parts(*inner, evolution))
      keep.inside.push_back(inner);
  return keep;
}

// ---- loops around others ----

// In one iteration of the loop the address moves on by less than a sector.
static bool moves_along(ScalarEvolution &evolution, const Loop &loop, Value *pointer) {
  const int sector = 32; // bytes
  const SCEV *form = shallow_form(evolution, pointer);
  return form && SCEVExprContains(form, [&](const SCEV *part) {
           auto *counter = dyn_cast<SCEVAddRecExpr>(part);
           auto *step = counter && counter->isAffine() && counter->getLoop() == &loop
                            ? dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution))
                            : nullptr;
           return step && step->getAPInt().abs().ult(sector);
         });
}

// What is known of an array once it is known where: words of a table, which the compiler computes with, rounding them in its own time; and
// a thread's own array, or one that the kernel is given, which lies in registers then.
static bool is_known_by_place(const Value *pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects);
  return any_of(objects, [](const Value *object) {
    auto *table = dyn_cast<GlobalVariable>(object);
    auto *given = dyn_cast<Argument>(object);
    return isa<AllocaInst>(object) || (table && table->isConstant()) || (given && given->hasByValAttr());
  });
}

// Is the number made of the loop's counter, and of constants?
static bool is_counted(const Loop &loop, const Value *value, int depth) {
  auto *phi = dyn_cast<PHINode>(value);
  auto *made = dyn_cast<Instruction>(value);
  if (phi)
    return phi->getParent() == loop.getHeader() && phi->getType()->isIntegerTy();
  if (!made || !depth || !isa<BinaryOperator, CastInst>(made))
    return false;
  bool any = false;
  for (const Use &use : made->operands()) {
    bool counted = is_counted(loop, use, depth - 1);
    any |= counted;
    if (!counted && !isa<Constant>(use))
      return false;
  }
  return any;
}

// A bound of the search for what is made of a counter.
constexpr int DEEPEST = 6;

// Once the loop is unrolled, numbers made of its counter are constants, and so is what is chosen or computed by them: floating-point numbers
// are then rounded when it is compiled, where the loop may fuse them.
static bool is_better_unrolled(const Loop &loop, const Instruction &i) {
  const Value *pointer = getLoadStorePointerOperand(&i);
  auto *end = dyn_cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  bool is_end = end && end->isConditional() && end->getCondition() == &i;
  bool computes = isa<CmpInst, CallBase>(i) || i.getType()->isFPOrFPVectorTy();
  bool counts = computes && !is_end && any_of(i.operands(), [&](const Use &use) { return is_counted(loop, use, DEEPEST); });
  return (pointer && is_known_by_place(pointer)) || counts || is_block_barrier(i);
}

bool loop_is_for_jam(Loop &loop, ScalarEvolution &evolution) {
  const unsigned most = 16; // iterations: those of longer loops LLVM leaves in the loop
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  bool is_known = all_of(loop.getSubLoops(), [&](Loop *inner) { return evolution.getSmallConstantTripCount(inner) > 0; });
  if (loop.getHeader()->getParent()->getCallingConv() != CallingConv::PTX_Kernel || is_known || trips < 2 || trips > most ||
      !is_free(loop) || !loop.getLoopLatch())
    return false;
  bool any = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      if (is_better_unrolled(loop, i))
        return false;
      Value *pointer = getLoadStorePointerOperand(&i);
      any |= pointer && moves_along(evolution, loop, pointer);
    }
  return any;
}

// ---- loops that look for something ----

static bool is_loaded_in(const Loop &loop, const Value *value, int depth) {
  auto *made = dyn_cast<Instruction>(value);
  if (!made || !loop.contains(made) || !depth)
    return false;
  return isa<LoadInst>(made) || any_of(made->operands(), [&](const Use &use) { return is_loaded_in(loop, use, depth - 1); });
}

// Of a constant number of iterations LLVM makes several one behind the other, each of which may leave: pieces of rows are loaded for a loop that leaves
// at one place of its body.
bool loop_is_for_search(Loop &loop, ScalarEvolution &evolution) {
  const unsigned least = 17; // iterations: of fewer nothing is left of the loop
  BasicBlock *latch = loop.getLoopLatch();
  SmallVector<BasicBlock *, 4> leaves;
  loop.getExitingBlocks(leaves);
  if (loop.getHeader()->getParent()->getCallingConv() != CallingConv::PTX_Kernel || !loop.isInnermost() || !latch ||
      !is_free(loop) || leaves.size() < 2 || evolution.getSmallConstantMaxTripCount(&loop) < least)
    return false;
  bool by_load = any_of(leaves, [&](BasicBlock *block) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    return branch && branch->isConditional() && is_loaded_in(loop, branch->getCondition(), DEEPEST);
  });
  return by_load && any_of(loop.blocks(), [&](BasicBlock *block) {
           return any_of(*block, [&](Instruction &i) {
             return isa<LoadInst>(i) && moves_along(evolution, loop, getLoadStorePointerOperand(&i));
           });
         });
}

// Does the loop inside end by what the one around counts, or loads there? Its iterations are told apart by that.
static bool is_uneven(const Loop &inner, const Loop &loop) {
  BasicBlock *latch = inner.getLoopLatch();
  auto *end = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  auto *test = end && end->isConditional() ? dyn_cast<ICmpInst>(end->getCondition()) : nullptr;
  return test && inner.isInnermost() && inner.getExitingBlock() == latch &&
         (any_of(test->operands(), [&](Value *value) { return inner.isLoopInvariant(value) && !loop.isLoopInvariant(value); }) ||
          any_of(inner.getHeader()->phis(), [&](PHINode &phi) {
            Value *start = inner.getLoopPredecessor() ? phi.getIncomingValueForBlock(inner.getLoopPredecessor()) : nullptr;
            return start && start->getType()->isIntegerTy() && !loop.isLoopInvariant(start);
          }));
}

// Does it compute a floating-point number of a counter of the loops?
static bool rounds_counted(const Loop &loop, const Instruction &i) {
  bool rounds = i.getType()->isFPOrFPVectorTy();
  auto counted = [&](const Loop &of) { return any_of(i.operands(), [&](const Use &use) { return is_counted(of, use, DEEPEST); }); };
  return rounds && (counted(loop) || any_of(loop.getSubLoops(), [&](Loop *inner) { return counted(*inner); }));
}

// Of so many iterations, and not so long, LLVM would make straight code, loops inside and all, and numbers of their counters constants.
static bool may_become_straight(const Loop &loop, unsigned trips) {
  const unsigned longest = 450; // instructions: LLVM's own bound is 300
  size_t length = 0;
  for (BasicBlock *block : loop.blocks())
    length += block->size();
  return trips && length * trips <= longest;
}

LoopsToKeep loops_for_uneven_jam(Loop &loop, ScalarEvolution &evolution) {
  const unsigned most = 16; // iterations: the loops inside are of known lengths once so many are unrolled
  unsigned trips = evolution.getSmallConstantTripCount(&loop);
  const unsigned longest = 1000; // instructions of a function each of whose loops is tried on a copy
  Function &function = *loop.getHeader()->getParent();
  LoopsToKeep keep;
  if (function.getCallingConv() != CallingConv::PTX_Kernel || (trips && trips <= most) ||
      function.getInstructionCount() > longest || !loop.getLoopLatch() || !is_free(loop) || may_become_straight(loop, trips))
    return keep;
  bool any = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      if (rounds_counted(loop, i))
        return keep;
      Value *pointer = getLoadStorePointerOperand(&i);
      any |= pointer && moves_along(evolution, loop, pointer);
    }
  for (Loop *inner : loop.getSubLoops()) {
    bool uneven = any && is_uneven(*inner, loop);
    keep.itself |= uneven;
    if (uneven && is_free(*inner))
      keep.inside.push_back(inner);
  }
  return keep;
}

// ---- what is done with them ----

// Of what is said about a loop, that whose name starts with one prefix has another from now on.
static void rename(Loop &loop, StringRef prefix, StringRef other) {
  MDNode *known = loop.getLoopID();
  if (!known)
    return;
  SmallVector<Metadata *> renamed;
  for (const MDOperand &operand : known->operands()) {
    auto *node = dyn_cast<MDNode>(operand);
    auto *name = node && node->getNumOperands() ? dyn_cast<MDString>(node->getOperand(0)) : nullptr;
    if (name && name->getString().starts_with(prefix)) {
      SmallVector<Metadata *> parts(node->op_begin(), node->op_end());
      parts[0] = MDString::get(known->getContext(), (other + name->getString().drop_front(prefix.size())).str());
      renamed.push_back(MDNode::get(known->getContext(), parts));
    } else {
      renamed.push_back(operand);
    }
  }
  MDNode *id = MDNode::getDistinct(known->getContext(), renamed);
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
}

static void keep_rolled(Loop &loop) {
  rename(loop, UNROLL, USERS);
  loop.setLoopAlreadyUnrolled();
  addStringMetadataToLoop(&loop, KEPT, 1);
}

// Says of functions that a loop of theirs is kept.
static const char HAS_KEPT[] = "coalda-kept";

// Says of functions how many instructions have been optimized by way of trial.
static const char REHEARSED[] = "coalda-rehearsed";

bool has_kept_loops(const Module &module) {
  return any_of(module,
                [](const Function &function) { return function.hasFnAttribute(HAS_KEPT) || function.hasFnAttribute(REHEARSED); });
}

void loops_keep(Loop &ring, const LoopsToKeep &keep) {
  ring.getHeader()->getParent()->addFnAttr(HAS_KEPT);
  addStringMetadataToLoop(&ring, KEPT, 0); // unrolled as it would be
  if (keep.itself)
    keep_rolled(ring);
  for (Loop *loop : keep.inside)
    keep_rolled(*loop);
}

// What a pipeline does with a function from here to its end.
static void optimize(Module &module, Function &function, OwnAnalyses &own, OptimizationLevel level) {
  own.builder.buildFunctionSimplificationPipeline(level, ThinOrFullLTOPhase::None).run(function, own.functions);
  own.functions.clear(function, function.getName());
  own.builder.buildModuleOptimizationPipeline(level, ThinOrFullLTOPhase::None).run(module, own.modules);
}

// A function of many loops is copied for each of them, with all the others: what remains once so much was tried is left to LLVM.
static bool may_rehearse(Function &function) {
  const uint64_t most = 64000; // instructions: some three seconds
  uint64_t tried = function.getFnAttributeAsParsedInteger(REHEARSED) + function.getInstructionCount();
  if (tried > most)
    return false;
  function.addFnAttr(REHEARSED, utostr(tried));
  return true;
}

bool loops_rehearse(Loop &ring, const LoopsToKeep &keep, OptimizationLevel level, TargetMachine *machine,
                    function_ref<bool(IrModule *, Module &)> pays) {
  Function *function = ring.getHeader()->getParent();
  if (!may_rehearse(*function))
    return false;
  ValueToValueMapTy twins;
  auto copy = CloneModule(*function->getParent(), twins,
                          [&](const GlobalValue *value) { return !isa<Function>(value) || value == function; });
  OwnModule ir(machine);
  ir.functions = &ir.own.functions;
  auto *twin = cast<Function>(twins.lookup(function));
  twin->setCallingConv(CallingConv::PTX_Kernel); // stands for those that it will be a part of
  twin->setLinkage(GlobalValue::ExternalLinkage);
  auto &known = ir.functions->getResult<LoopAnalysis>(*twin);
  auto twin_of = [&](const Loop *loop) { return known.getLoopFor(cast<BasicBlock>(twins.lookup(loop->getHeader()))); };
  LoopsToKeep twin_keep = {keep.itself, {}};
  for (const Loop *loop : keep.inside)
    twin_keep.inside.push_back(twin_of(loop));
  loops_keep(*twin_of(&ring), twin_keep);
  optimize(*copy, *twin, ir.own, level);
  return pays(&ir, *copy);
}

// As LLVM would have, at this place of its pipeline; what it has seen already stays as it is.
static void unroll_by_parts(Function &function, FunctionAnalysisManager &analyses, OptimizationLevel level,
                            ArrayRef<Loop *> loops) {
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (!is_contained(loops, loop) && is_free(*loop))
      loop->setLoopAlreadyUnrolled();
  FunctionPassManager passes;
  passes.addPass(LoopUnrollPass(LoopUnrollOptions(level.getSpeedupLevel())));
  analyses.invalidate(function, passes.run(function, analyses));
}

bool loops_release(Function &function, FunctionAnalysisManager &analyses, OptimizationLevel level) {
  if (function.isDeclaration())
    return false;
  bool any = function.hasFnAttribute(HAS_KEPT);
  function.removeFnAttr(HAS_KEPT);
  function.removeFnAttr(REHEARSED);
  SmallVector<Loop *> kept;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (auto rolled = getOptionalIntLoopAttribute(loop, KEPT)) {
      any = true;
      loop_forget(*loop, *rolled ? ArrayRef<StringRef>{KEPT, UNROLL} : ArrayRef<StringRef>{KEPT});
      if (!*rolled)
        continue;
      rename(*loop, USERS, UNROLL);
      kept.push_back(loop);
    }
  for (BasicBlock &block : function) // ends of iterations that were unrolled: of no loop any more
    if (MDNode *known = block.getTerminator()->getMetadata(LLVMContext::MD_loop); known && findOptionMDForLoopID(known, KEPT))
      block.getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
  if (!kept.empty()) {
    unroll_by_parts(function, analyses, level, kept);
    auto passes = PassBuilder().buildFunctionSimplificationPipeline(level, ThinOrFullLTOPhase::None);
    analyses.invalidate(function, passes.run(function, analyses));
  }
  return any;
}
