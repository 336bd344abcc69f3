// Arrays that serve twice in an iteration: keys, then values. Each time is a life of its own, from the stores that fill the array to the
// last reads before the next ones; all lives but the last one get arrays of their own.
//
//     for (...) {                                         for (...) {
//       s[t] = k[i]; barrier; use s; barrier;               s'[t] = k[i]; barrier; use s'; barrier;
//       s[t] = v[i]; barrier; use s; barrier;     ->        s[t] = v[i]; barrier; use s; barrier;
//     }                                                   }
//
// Why what is read stays the same. All lives fill the same places, in every iteration of every run of the loop: each store of one has a
// store of the other, of as many bytes at the same address, under the same conditions, none of which any loop around changes, and all
// threads of the block make the same iterations. A place that the lives fill is filled in each before it is read there, so that what is
// read was written in the same life. One that they do not fill holds what was stored outside of the loop, which all arrays are given;
// behind the loop, and where an iteration begins, the array holds what the last life has left, which is its own.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

// The condition of a branch, and which way it went.
using Decision = std::pair<Value *, bool>;

constexpr size_t LEAST_OF_LIVES = 4; // of two lives: one behind each filling, and one behind each use

struct LifeSplit {
  IrModule *ir;
  Function &f;
  LoopInfo &loops;
  DominatorTree &tree;
  ScalarEvolution &evolution;
  GlobalVariable *array;
  Loop *loop; // whose iterations have the lives
  const Loop *outermost; // around that
  Touches inside = {}, outside = {};
  size_t lives = 0;
};

// ---- lives ----

// Where stores come behind reads, a life begins. Reads that come first are of what the last one has left in the iteration before. Stores
// and reads between two barriers are in nobody's order.
bool find_lives(LifeSplit &split) {
  constexpr size_t BEFORE = SIZE_MAX;
  auto barriers = barriers_of(split.loops, split.tree, *split.loop);
  for (Touch &touch : split.inside)
    touch.phase = barriers_before(barriers, split.tree, touch.at);
  llvm::stable_sort(split.inside, [](const Touch &a, const Touch &b) { return a.phase < b.phase; });
  const Touch *before = nullptr;
  for (Touch &touch : split.inside) {
    if (before && before->phase == touch.phase && touch.stores != before->stores)
      return false;
    split.lives += touch.stores && (!before || !before->stores);
    touch.life = split.lives ? split.lives - 1 : BEFORE;
    before = &touch;
  }
  for (Touch &touch : split.inside)
    if (touch.life == BEFORE)
      touch.life = split.lives - 1;
  return split.lives > 1;
}

// ---- do they fill the same places? ----

// The loops around a store, from the inside, up to the one that has the lives.
using Chain = SmallVector<Loop *, 4>;

Chain chain_of(const LifeSplit &split, const Instruction &store) {
  Chain chain;
  for (Loop *loop = split.loops.getLoopFor(store.getParent()); loop != split.loop; loop = loop->getParentLoop())
    chain.push_back(loop);
  return chain;
}

// As if the counters of some loops were those of others that run as often.
struct InOtherLoops : SCEVRewriteVisitor<InOtherLoops> {
  const Chain &from, &to;

  InOtherLoops(ScalarEvolution &evolution, const Chain &here, const Chain &there)
      : SCEVRewriteVisitor(evolution), from(here), to(there) {}
  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *counter) {
    SmallVector<const SCEV *, 2> operands;
    for (const SCEV *operand : counter->operands())
      operands.push_back(visit(operand));
    auto *at = find(from, counter->getLoop());
    return SE.getAddRecExpr(operands, at == from.end() ? counter->getLoop() : to[(size_t)(at - from.begin())], SCEV::FlagAnyWrap);
  }
};

// No loop around changes it, but for counters of those of the chain.
bool is_fixed(const LifeSplit &split, const Chain &chain, const SCEV *form) {
  return !SCEVExprContains(form, [&](const SCEV *part) {
    auto *counter = dyn_cast<SCEVAddRecExpr>(part);
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    return isa<SCEVCouldNotCompute>(part) || (counter && !is_contained(chain, counter->getLoop())) ||
           (unknown && !split.outermost->isLoopInvariant(unknown->getValue()));
  });
}

// Conditions, which no loop around changes, by which an iteration of the loop comes to the block; false where others decide.
bool ways_to(const LifeSplit &split, const Loop &loop, BasicBlock *block, SmallVectorImpl<Decision> &ways) {
  while (!split.tree.dominates(block, loop.getLoopLatch())) {
    BasicBlock *before = block->getSinglePredecessor();
    auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!branch || !loop.contains(before) || split.loops.getLoopFor(before) != &loop)
      return false;
    if (branch->isConditional() && !split.outermost->isLoopInvariant(branch->getCondition()))
      return false;
    if (branch->isConditional())
      ways.push_back({branch->getCondition(), branch->getSuccessor(0) == block});
    block = before;
  }
  return true;
}

bool same_ways(const LifeSplit &split, const Loop &a_loop, const Loop &b_loop, BasicBlock *a, BasicBlock *b) {
  SmallVector<Decision, 4> first, second;
  return a && b && ways_to(split, a_loop, a, first) && ways_to(split, b_loop, b, second) && first == second;
}

// Loops that are left at their ends alone, equally often, each of which is met in the same iterations of the one around it.
bool run_alike(LifeSplit &split, const Chain &first, const Chain &second, BasicBlock *a, BasicBlock *b) {
  InOtherLoops translate(split.evolution, second, first);
  for (size_t i = 0; i < first.size(); i++) {
    if (!first[i]->getLoopLatch() || first[i]->getExitingBlock() != first[i]->getLoopLatch() || !second[i]->getLoopLatch() ||
        second[i]->getExitingBlock() != second[i]->getLoopLatch())
      return false;
    const SCEV *times = split.evolution.getBackedgeTakenCount(first[i]), *others = split.evolution.getBackedgeTakenCount(second[i]);
    if (!is_fixed(split, first, times) || !is_fixed(split, second, others) || translate.visit(others) != times ||
        !same_ways(split, *first[i], *second[i], a, b))
      return false;
    a = first[i]->getLoopPreheader();
    b = second[i]->getLoopPreheader();
  }
  return same_ways(split, *split.loop, *split.loop, a, b);
}

uint64_t bytes_stored(const LifeSplit &split, const Instruction &i) {
  if (auto *copy = dyn_cast<MemCpyInst>(&i))
    return cast<ConstantInt>(copy->getLength())->getZExtValue();
  return split.f.getDataLayout().getTypeStoreSize(cast<StoreInst>(i).getValueOperand()->getType()).getFixedValue();
}

bool fills_the_same(LifeSplit &split, const Touch &a, const Touch &b) {
  if (bytes_stored(split, *a.at) != bytes_stored(split, *b.at))
    return false;
  Chain first = chain_of(split, *a.at), second = chain_of(split, *b.at);
  const SCEV *place = shallow_form(split.evolution, a.at->getOperand(a.operand));
  const SCEV *there = shallow_form(split.evolution, b.at->getOperand(b.operand));
  if (first.size() != second.size() || !place || !there || !is_fixed(split, first, place) || !is_fixed(split, second, there))
    return false;
  InOtherLoops translate(split.evolution, second, first);
  return translate.visit(there) == place && run_alike(split, first, second, a.at->getParent(), b.at->getParent());
}

// Each of the first life's stores has one of this life for it, and none is left over.
bool fill_the_same(LifeSplit &split, size_t life) {
  SmallVector<const Touch *, 8> left;
  for (const Touch &touch : split.inside)
    if (touch.life == life && touch.stores)
      left.push_back(&touch);
  for (const Touch &touch : split.inside) {
    if (touch.life || !touch.stores)
      continue;
    auto found = find_if(left, [&](const Touch *other) { return fills_the_same(split, touch, *other); });
    if (found == left.end())
      return false;
    left.erase(found);
  }
  return left.empty();
}

bool fill_alike(LifeSplit &split) {
  for (size_t life = 1; life < split.lives; life++)
    if (!fill_the_same(split, life))
      return false;
  return true;
}

// ---- an array for each ----

bool comes_before(const LifeSplit &split, const Touch &touch) {
  return isPotentiallyReachable(touch.at->getParent(), split.loop->getHeader(), nullptr, &split.tree, &split.loops);
}

// What other tile loops store is not stored twice.
bool outside_may_be_doubled(const LifeSplit &split) {
  return none_of(split.outside, [&](const Touch &touch) {
    const Loop *around = split.loops.getLoopFor(touch.at->getParent());
    return touch.stores && comes_before(split, touch) && around && !around->contains(split.loop) && waits_for_block(*around);
  });
}

// The pointer, into the other array; what leads there is made again beside what leads here.
Value *lead(DenseMap<Value *, Value *> &led, Value *pointer) {
  if (Value *known = led.lookup(pointer))
    return known;
  Value *twin;
  if (auto *constant = dyn_cast<ConstantExpr>(pointer)) {
    SmallVector<Constant *, 4> operands;
    for (Value *operand : constant->operand_values())
      operands.push_back(cast<Constant>(operand));
    operands[0] = cast<Constant>(lead(led, operands[0]));
    twin = constant->getWithOperands(operands);
  } else {
    Instruction *made = cast<Instruction>(pointer)->clone();
    made->insertAfter(cast<Instruction>(pointer)->getIterator());
    made->setOperand(0, lead(led, made->getOperand(0)));
    twin = made;
  }
  led[pointer] = twin;
  return twin;
}

GlobalVariable *another(LifeSplit &split) {
  GlobalVariable &array = *split.array;
  auto *twin = new GlobalVariable(*split.f.getParent(), array.getValueType(), false, GlobalValue::InternalLinkage,
                                  array.getInitializer(), array.getName() + "_again", &array, array.getThreadLocalMode(),
                                  array.getAddressSpace());
  twin->setAlignment(array.getAlign());
  return twin;
}

void split_lives(LifeSplit &split) {
  for (size_t life = 0; life + 1 < split.lives; life++) {
    DenseMap<Value *, Value *> led = {{split.array, another(split)}};
    for (const Touch &touch : split.inside)
      if (touch.life == life)
        touch.at->setOperand(touch.operand, lead(led, touch.at->getOperand(touch.operand)));
    for (const Touch &touch : split.outside) {
      if (!touch.stores || !comes_before(split, touch))
        continue;
      Value *place = lead(led, touch.at->getOperand(touch.operand));
      Instruction *too = touch.at->clone();
      too->insertAfter(touch.at->getIterator());
      too->setOperand(touch.operand, place);
    }
  }
}

bool is_irreducible(Function &f, LoopInfo &loops) {
  ReversePostOrderTraversal<Function *> order(&f);
  return containsIrreducibleCFG<const BasicBlock *>(order, loops);
}

// Calls `part` for the lives of the array in each loop that may have any, until it returns true; whether it has.
bool any_lives(IrModule *ir, Function &f, GlobalVariable *array, function_ref<bool(LifeSplit &)> part) {
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    bool whole = loop->getLoopLatch() && loop->getExitingBlock() == loop->getLoopLatch(); // an iteration has all of its lives
    if (!whole || barriers_of(loops, tree, *loop).size() < LEAST_OF_LIVES)
      continue;
    LifeSplit split = {ir, f, loops, tree, evolution, array, loop, loop->getOutermostLoop()};
    if (find_touches(*split.array, f, *loop, split.inside, split.outside) && find_lives(split) && part(split))
      return true;
  }
  return false;
}

} // namespace

extern "C" {

bool ir_may_split_arrays(IrModule *ir, LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  if (f.isDeclaration() || (size_t)count_if(instructions(f), is_plain_barrier) < LEAST_OF_LIVES)
    return false;
  auto has_lives = [&](GlobalVariable *array) { return any_lives(ir, f, array, [](LifeSplit &) { return true; }); };
  return any_of(own_arrays(*f.getParent()), has_lives) && !is_irreducible(f, ir->functions->getResult<LoopAnalysis>(f));
}

void ir_split_arrays(IrModule *ir, LLVMValueRef function, bool (*together)(void *, LLVMBasicBlockRef), void *context) {
  Function &f = *unwrap<Function>(function);
  if (!ir_may_split_arrays(ir, function))
    return;
  auto part = [&](LifeSplit &split) {
    bool parts = outside_may_be_doubled(split) && together(context, wrap(split.loop->getLoopLatch())) && fill_alike(split);
    if (parts)
      split_lives(split);
    return parts;
  };
  for (GlobalVariable *array : own_arrays(*f.getParent()))
    if (any_lives(ir, f, array, part))
      ir_changed(ir, function);
}

} // extern "C"
