// Which iterations of a tile loop do nothing: what stands in front of its barriers has no effect, and may lead past them.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"
#include "pass/reshape/skips.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

bool is_constant_object(const Value *object) {
  auto *argument = dyn_cast<Argument>(object);
  auto *global = dyn_cast<GlobalVariable>(object);
  bool promised = argument && (argument->hasNoAliasAttr() || argument->hasByValAttr()) && argument->onlyReadsMemory() &&
                  argument->getParent()->getCallingConv() == CallingConv::PTX_Kernel;
  bool constant = global && (global->isConstant() || global->getAddressSpace() == CONSTANT_SPACE);
  return promised || constant;
}

bool reads_constant(const LoadInst &load) {
  return is_constant_object(getUnderlyingObject(load.getPointerOperand())) || load.hasMetadata(LLVMContext::MD_invariant_load);
}

namespace {

// Where all of the loop's barriers are met, or behind.
BasicBlock *above_barriers(const Loop &loop, DominatorTree &tree) {
  BasicBlock *above = nullptr;
  for (BasicBlock *block : loop.blocks())
    if (any_of(*block, is_block_barrier))
      above = above ? tree.findNearestCommonDominator(above, block) : block;
  return above;
}

// ---- what is looked at ----

// A block on the way to the barriers that not all iterations come to, and behind which the latch alone leaves the loop?
bool may_be_body(const Skips &skips, BasicBlock *b, DominatorTree &tree) {
  SmallVector<BasicBlock *, 8> exiting;
  skips.loop.getExitingBlocks(exiting);
  auto is_early = [&](BasicBlock *e) { return e != skips.latch && !tree.dominates(b, e); };
  bool leaves = any_of(exiting, [&](BasicBlock *e) { return e != skips.latch && tree.dominates(b, e); });
  return !leaves && !isa<PHINode>(b->front()) && (!tree.dominates(b, skips.latch) || any_of(exiting, is_early));
}

// Of an object that is known in front of the loop.
bool may_be_read(const Loop &loop, const LoadInst &load) {
  return load.isSimple() && (reads_constant(load) || object_in(loop, load));
}

// Arithmetic: the function is asked alike by all threads if it is given the same, so that it may not ask who they are.
bool is_same_for_all(const CallBase &call) {
  const Function *callee = isa<IntrinsicInst>(call) ? call.getCalledFunction() : nullptr;
  return callee && !call.isConvergent() && !callee->getName().starts_with("llvm.nvvm.read.");
}

// May it stand in a function of its own, and be asked for as often as one likes?
bool is_question(const Loop &loop, const Instruction &i) {
  if (i.isTerminator() || isa<PHINode>(i))
    return !i.isTerminator() || isa<BranchInst>(i) || isa<SwitchInst>(i);
  if (auto *load = dyn_cast<LoadInst>(&i))
    return may_be_read(loop, *load);
  if (auto *call = dyn_cast<CallBase>(&i); call && !is_same_for_all(*call))
    return false;
  return !i.mayReadOrWriteMemory() && !i.mayHaveSideEffects() && !i.getType()->isFPOrFPVectorTy() && !isa<AllocaInst>(i) &&
         !i.getType()->isTokenTy();
}

} // namespace

// The phi of the header that the value is in an iteration that does nothing; null: another value.
PHINode *kept_as(const Skips &skips, Value *value, unsigned depth) {
  constexpr unsigned DEEPEST = 8;
  auto *phi = dyn_cast<PHINode>(value);
  if (!phi || depth == DEEPEST || !skips.front.contains(phi->getParent()))
    return nullptr;
  if (phi->getParent() == skips.header)
    return phi;
  PHINode *kept = nullptr;
  for (unsigned i = 0; i < phi->getNumIncomingValues(); i++) {
    if (!skips.front.contains(phi->getIncomingBlock(i)))
      continue;
    PHINode *way = kept_as(skips, phi->getIncomingValue(i), depth + 1);
    if (!way || (kept && kept != way))
      return nullptr;
    kept = way;
  }
  return kept;
}

bool latch_is_front(const Skips &skips) { return skips.front.contains(skips.latch); }

// The front's blocks from which a way leads to the body, without another iteration; and the body.
SmallSetVector<BasicBlock *, 8> leading(const Skips &skips) {
  SmallSetVector<BasicBlock *, 8> leads;
  leads.insert(skips.body);
  for (bool grows = true; grows;) {
    grows = false;
    for (BasicBlock *block : skips.front)
      if (block != skips.latch && any_of(successors(block), [&](BasicBlock *s) { return leads.contains(s) && s != skips.header; }))
        grows |= leads.insert(block);
  }
  return leads;
}

namespace {

// An iteration that does something has one way to go wherever another one may go elsewhere.
bool ways_are_single(const Skips &skips) {
  SmallSetVector<BasicBlock *, 8> leads = leading(skips);
  return all_of(skips.front, [&](BasicBlock *block) {
    Ways ways(leads, block);
    return !leads.contains(block) || !ways.elsewhere || ways.on.size() == 1;
  });
}

bool find_front(Skips &skips, DominatorTree &tree) {
  skips.front.clear();
  for (BasicBlock *block : skips.loop.blocks()) {
    if (tree.dominates(skips.body, block))
      continue;
    skips.front.insert(block);
    if (!all_of(*block, [&](const Instruction &i) { return is_question(skips.loop, i); }) ||
        (block != skips.header &&
         any_of(predecessors(block), [&](BasicBlock *p) { return tree.dominates(skips.body, p) && block != skips.latch; })))
      return false;
    if (block != skips.latch && is_contained(successors(block), skips.header)) /* a loop of its own */
      return false;
  }
  return ways_are_single(skips) &&
         none_of(skips.loop.getSubLoops(), [&](Loop *inner) { return skips.front.contains(inner->getHeader()); });
}

// As near to the barriers as what stands in front has no effect.
bool find_body(Skips &skips, DominatorTree &tree) {
  for (BasicBlock *b = above_barriers(skips.loop, tree); b && b != skips.header; b = tree.getNode(b)->getIDom()->getBlock()) {
    skips.body = b;
    if (may_be_body(skips, b, tree) && find_front(skips, tree))
      return true;
  }
  return false;
}

} // namespace

// The phi of the header whose value in the next iteration the exit's phi takes; null: another value.
PHINode *head_of(const Skips &skips, const PHINode &phi) {
  for (PHINode &head : skips.header->phis()) {
    bool same = !is_contained(skips.moved, &head);
    for (unsigned i = 0; same && i < phi.getNumIncomingValues(); i++) {
      BasicBlock *from = phi.getIncomingBlock(i);
      same = from == skips.latch ? phi.getIncomingValue(i) == head.getIncomingValueForBlock(skips.latch)
                                 : skips.front.contains(from) && kept_as(skips, phi.getIncomingValue(i)) == &head;
    }
    if (same)
      return &head;
  }
  return nullptr;
}

namespace {

// What leaves the loop is as an iteration that does nothing leaves it.
bool exits_are_kept(const Skips &skips) {
  for (PHINode &phi : skips.exit->phis())
    if (!head_of(skips, phi))
      return false;
  return true;
}

} // namespace

bool find_skips(Skips &skips, DominatorTree &tree) {
  if (!skips.latch || !skips.preheader || !skips.exit || !isa<BranchInst>(skips.latch->getTerminator()))
    return false;
  if (!find_body(skips, tree))
    return false;
  for (PHINode &head : skips.header->phis())
    if (latch_is_front(skips) && kept_as(skips, head.getIncomingValueForBlock(skips.latch)) != &head)
      skips.moved.push_back(&head);
  for (BasicBlock *block : skips.front)
    for (Instruction &i : *block)
      if (auto *load = dyn_cast<LoadInst>(&i); load && !reads_constant(*load))
        skips.reads.push_back(load);
  bool moves_small = all_of(skips.moved, [](PHINode *p) { return p->getType()->isIntOrPtrTy(); });
  return moves_small && exits_are_kept(skips);
}

// Is there a barrier that not every iteration comes to, or an early end of a loop with barriers?
bool may_skip(const Loop &loop, DominatorTree &tree) {
  SmallVector<BasicBlock *, 8> exiting;
  BasicBlock *latch = loop.getLoopLatch();
  loop.getExitingBlocks(exiting);
  if (!latch || is_aside(loop))
    return false;
  return any_of(exiting, [&](BasicBlock *e) { return e != latch; }) ||
         any_of(loop.blocks(), [&](BasicBlock *b) { return any_of(*b, is_block_barrier) && !tree.dominates(b, latch); });
}
