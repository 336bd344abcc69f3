// A loop inside that runs unequally often in iterations of the loop around, which come to stand side by side.
//
//     for (k = b; k < e; k++) s += f(k)     ->     B = the largest b, p = B - b           of all iterations: `SharedValue`
//                                                  m = the least of (e - b) - p, 0 where any p is not less than e - b
//                                                  p times the loop, where m is not 0     of each iteration by itself: `OwnBlocks`
//                                                  m times the loop, from B on            side by side
//                                                  the loop, if it is not at its end      of each by itself
//
// Each iteration does the same in the same order, whatever p and m are, as long as p + m is no more than the loop's own number: that k is
// the same number in all of them from B on is what lets them share what they load.
#include "pass/jam/even_out.h"
#include "pass/bridge/bridge.h"
#include "pass/jam/loop_copy.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

static BranchInst *decision_of(BasicBlock *block, const Values &values) {
  auto *branch = block ? dyn_cast<BranchInst>(block->getTerminator()) : nullptr;
  return branch && branch->isConditional() && values.contains(branch->getCondition()) ? branch : nullptr;
}

static bool does_nothing(BasicBlock &block) {
  return all_of(block, [](const Instruction &i) { return isa<PHINode>(i) || i.isTerminator(); });
}

// Where nothing comes of it that was not to happen, if the guard leads past it.
static bool may_stand_above(BasicBlock &block) {
  return all_of(block, [](const Instruction &i) {
    return i.isTerminator() || (!isa<PHINode>(i) && !i.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&i));
  });
}

std::optional<UnevenLoop> uneven_of(Loop &inner, const Values &values, ScalarEvolution &evolution) {
  BasicBlock *latch = inner.getLoopLatch(), *before = inner.getLoopPredecessor(), *exit = inner.getExitBlock();
  bool ends = latch && before && exit && inner.getExitingBlock() == latch && inner.isInnermost() &&
              isa<BranchInst>(latch->getTerminator()) && isa<BranchInst>(before->getTerminator());
  const SCEV *times = ends ? evolution.getBackedgeTakenCount(&inner) : evolution.getCouldNotCompute();
  if (isa<SCEVCouldNotCompute>(times) || evolution.getTypeSizeInBits(times->getType()) > 64 ||
      !SCEVExpander(evolution, "coalda").isSafeToExpandAt(times, before->getTerminator()))
    return std::nullopt;
  UnevenLoop uneven = {&inner, nullptr, nullptr};
  BranchInst *guard = decision_of(before, values);
  bool is_at_once = guard != nullptr;
  if (!guard && cast<BranchInst>(before->getTerminator())->isUnconditional())
    guard = decision_of(before->getSinglePredecessor(), values);
  if (!guard)
    return uneven;
  BasicBlock *within = is_at_once ? inner.getHeader() : before;
  uneven.guard = guard->getParent();
  uneven.join = guard->getSuccessor(guard->getSuccessor(0) == within);
  bool meets = uneven.join == exit || (does_nothing(*exit) && exit->getUniqueSuccessor() == uneven.join);
  bool is_clear = meets && inner.getHeader() != uneven.join && (is_at_once || may_stand_above(*before));
  return is_clear ? std::optional(uneven) : std::nullopt;
}

namespace {
// What is made of one loop, in a function whose loops are in simplified and closed form.
struct EvenOut {
  const UnevenLoop &uneven;
  const Values &values;
  ScalarEvolution &evolution;
  EvenedOut &made;
  Loop &loop = *uneven.loop;
  LLVMContext &context = loop.getHeader()->getContext();
  Function &function = *loop.getHeader()->getParent();
  BasicBlock *above = uneven.guard ? uneven.guard : loop.getLoopPreheader(), *exit = loop.getExitBlock();
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch(), *preheader = loop.getLoopPreheader();
  IntegerType *number = Type::getInt64Ty(context);
  SmallVector<PHINode *, 8> phis;
  SmallVector<Value *, 8> starts, nexts;
  PHINode *leader = nullptr; // one number in all iterations, once they have all come to the largest that one of them begins with
  bool is_downward = false;
  Value *count = nullptr, *first = nullptr, *early = nullptr, *common = nullptr;

  EvenOut(const UnevenLoop &uneven, const Values &values, ScalarEvolution &evolution, EvenedOut &made)
      : uneven(uneven), values(values), evolution(evolution), made(made) {
    for (PHINode &phi : header->phis()) {
      phis.push_back(&phi);
      starts.push_back(phi.getIncomingValueForBlock(preheader));
      nexts.push_back(phi.getIncomingValueForBlock(latch));
    }
  }

  // None where one number is the same in all iterations as it is, or none goes on by one.
  void find_leader() {
    PHINode *found = nullptr;
    for (PHINode *phi : phis) {
      auto *counter = phi->getType()->isIntegerTy() ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(phi)) : nullptr;
      auto *step = counter && counter->getLoop() == &loop && counter->isAffine()
                       ? dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution))
                       : nullptr;
      if (!step)
        continue;
      if (!values.contains(phi))
        return;
      if (!found && evolution.getTypeSizeInBits(phi->getType()) <= 64 && step->getAPInt().abs().isOne()) {
        found = phi;
        is_downward = step->getAPInt().isNegative();
      }
    }
    leader = found;
  }

  Value *share(IRBuilder<> &builder, SharedValue::Kind kind, Value *value) {
    auto *at = new FreezeInst(value, "");
    builder.Insert(at);
    made.shared.push_back({kind, at});
    return at;
  }

  // How often each of the three loops runs.
  void measure() {
    if (uneven.guard)
      for (Instruction &i : make_early_inc_range(*preheader))
        if (!i.isTerminator())
          i.moveBefore(above->getTerminator()->getIterator());
    Instruction *place = above->getTerminator();
    const SCEV *times = evolution.getBackedgeTakenCount(&loop);
    SCEVExpander expander(evolution, "coalda");
    Value *last = expander.expandCodeFor(times, times->getType(), place->getIterator());
    IRBuilder<> builder(place);
    count = builder.CreateAdd(builder.CreateZExt(last, number), builder.getInt64(1));
    if (uneven.guard) {
      auto *guard = cast<BranchInst>(place);
      Value *none = builder.getInt64(0);
      bool runs = guard->getSuccessor(1) == uneven.join;
      count = builder.CreateSelect(guard->getCondition(), runs ? count : none, runs ? none : count);
    }
    if (!leader) {
      common = share(builder, SharedValue::FEWEST, count);
      return;
    }
    Value *begin = leader->getIncomingValueForBlock(preheader);
    if (uneven.guard) // which keeps it from running where the begin is poison: its count is 0 then, and what all share is no poison
      begin = builder.CreateFreeze(begin);
    first = share(builder, is_downward ? SharedValue::SMALLEST : SharedValue::LARGEST, begin);
    Value *way = is_downward ? builder.CreateSub(begin, first) : builder.CreateSub(first, begin);
    way = builder.CreateZExt(way, number);
    Value *all = share(builder, SharedValue::ALL, builder.CreateICmpULT(way, count));
    Value *fewest = share(builder, SharedValue::FEWEST, builder.CreateSub(count, way));
    common = builder.CreateSelect(all, fewest, builder.getInt64(0));
    early = builder.CreateSelect(all, way, builder.getInt64(0));
  }

  BasicBlock *block(const char *name) { return BasicBlock::Create(context, name, &function, header); }

  PHINode *closed(BasicBlock *block, Value *value, BasicBlock *from) {
    IRBuilder<> builder(block, block->begin());
    PHINode *phi = builder.CreatePHI(value->getType(), 1);
    phi->addIncoming(value, from);
    return phi;
  }

  // A copy of the loop; null: the loop itself.
  void begin(BasicBlock *from, const LoopCopy *own, ArrayRef<Value *> values_there) {
    for (size_t i = 0; i < phis.size(); i++) {
      auto *phi = own ? cast<PHINode>(own->of(phis[i])) : phis[i];
      int known = phi->getBasicBlockIndex(preheader);
      phi->setIncomingBlock(unsigned(known), from);
      phi->setIncomingValue(unsigned(known), values_there[i]);
    }
  }

  // What each does by itself until it comes to where all of them are: from the block on, to the one that is returned.
  BasicBlock *make_early(BasicBlock *asks, SmallVectorImpl<Value *> &at) {
    BasicBlock *enters = block("early"), *leaves = block("early.left"), *last = block("early.end");
    LoopCopy own(loop);
    IRBuilder<> builder(asks);
    builder.CreateCondBr(builder.CreateICmpNE(early, builder.getInt64(0)), enters, last);
    BranchInst::Create(own.header, enters);
    begin(enters, &own, at);
    run_times(enters, own.header, own.latch, leaves, early);
    BranchInst::Create(last, leaves);
    builder.SetInsertPoint(last);
    for (size_t i = 0; i < phis.size(); i++) {
      PHINode *left = closed(leaves, own.of(nexts[i]), own.latch), *both = builder.CreatePHI(left->getType(), 2);
      both->addIncoming(at[i], asks);
      both->addIncoming(left, leaves);
      at[i] = both;
    }
    made.own.push_back({asks, last});
    return last;
  }

  // What all of them do, side by side: to the block that is returned.
  BasicBlock *make_common(BasicBlock *asks, SmallVectorImpl<Value *> &at, ArrayRef<PHINode *> results,
                          SmallVectorImpl<Value *> &left) {
    BasicBlock *enters = block("common"), *last = block("common.end");
    IRBuilder<> builder(asks);
    builder.CreateCondBr(builder.CreateICmpNE(common, builder.getInt64(0)), enters, last);
    BranchInst::Create(header, enters);
    SmallVector<Value *, 8> begins(at.begin(), at.end());
    for (size_t i = 0; i < phis.size() && leader; i++)
      if (phis[i] == leader)
        begins[i] = first;
    begin(enters, nullptr, begins);
    run_times(enters, header, latch, exit, common);
    exit->getTerminator()->eraseFromParent();
    BranchInst::Create(last, exit);
    builder.SetInsertPoint(last);
    for (size_t i = 0; i < phis.size(); i++) {
      PHINode *over = closed(exit, nexts[i], latch), *both = builder.CreatePHI(over->getType(), 2);
      both->addIncoming(at[i], asks);
      both->addIncoming(over, exit);
      at[i] = both;
    }
    for (PHINode *result : results) {
      PHINode *both = builder.CreatePHI(result->getType(), 2);
      both->addIncoming(PoisonValue::get(result->getType()), asks);
      both->addIncoming(result, exit);
      left.push_back(both);
    }
    return last;
  }

  // What remains for each, by itself: from the block on, to the one that is returned.
  BasicBlock *make_rest(BasicBlock *asks, LoopCopy &own, ArrayRef<Value *> at, ArrayRef<PHINode *> results,
                        SmallVectorImpl<Value *> &left) {
    BasicBlock *enters = block("rest"), *leaves = block("rest.left"), *last = block("rest.end");
    IRBuilder<> builder(asks);
    Value *done = early ? builder.CreateAdd(early, common) : common;
    builder.CreateCondBr(builder.CreateICmpNE(done, count), enters, last);
    BranchInst::Create(own.header, enters);
    begin(enters, &own, at);
    own.latch->getTerminator()->replaceSuccessorWith(exit, leaves);
    BranchInst::Create(last, leaves);
    builder.SetInsertPoint(last);
    for (size_t i = 0; i < results.size(); i++) {
      Value *result = results[i]->getIncomingValueForBlock(latch);
      PHINode *over = closed(leaves, own.of(result), own.latch), *both = builder.CreatePHI(over->getType(), 2);
      both->addIncoming(left[i], asks);
      both->addIncoming(over, leaves);
      left[i] = both;
    }
    made.own.push_back({asks, last});
    return last;
  }

  // What the loop has left is what its rest has; where it did not run, what the guard says.
  void join(BasicBlock *last, BasicBlock *onward, ArrayRef<PHINode *> results, ArrayRef<Value *> left) {
    BranchInst::Create(onward, last);
    if (uneven.guard) {
      IRBuilder<> builder(last->getTerminator());
      Value *none = builder.CreateICmpEQ(count, builder.getInt64(0));
      for (PHINode &phi : onward->phis()) {
        Value *skipped = phi.getIncomingValueForBlock(above), *ran = phi.getIncomingValueForBlock(exit);
        phi.removeIncomingValue(above, false);
        phi.setIncomingBlock(unsigned(phi.getBasicBlockIndex(exit)), last);
        phi.setIncomingValueForBlock(last, builder.CreateSelect(none, skipped, ran));
      }
    } else {
      onward->replacePhiUsesWith(exit, last);
    }
    for (size_t i = 0; i < results.size(); i++)
      results[i]->replaceUsesWithIf(left[i], [&](Use &use) {
        auto *user = cast<Instruction>(use.getUser());
        return !(isa<PHINode>(user) && cast<PHINode>(user)->getIncomingBlock(use) == exit);
      });
  }

  void make() {
    find_leader();
    measure();
    SmallVector<PHINode *, 8> results;
    for (PHINode &phi : exit->phis())
      results.push_back(&phi);
    BasicBlock *onward = uneven.guard ? uneven.join : exit->splitBasicBlock(exit->getFirstNonPHIIt(), "onward");
    LoopCopy own(loop);
    SmallVector<Value *, 8> at(starts.begin(), starts.end()), left;
    BasicBlock *asks = block("own");
    above->getTerminator()->eraseFromParent();
    BranchInst::Create(asks, above);
    BasicBlock *on = asks;
    if (early) {
      on = block("side.by.side");
      BranchInst::Create(on, make_early(asks, at));
    }
    BasicBlock *all = make_common(on, at, results, left), *rest = block("own.rest");
    BranchInst::Create(rest, all);
    join(make_rest(rest, own, at, results, left), onward, results, left);
    if (uneven.guard)
      preheader->eraseFromParent();
  }
};
} // namespace

void even_out(const UnevenLoop &uneven, const Values &values, ScalarEvolution &evolution, EvenedOut *made) {
  EvenOut(uneven, values, evolution, *made).make();
}
