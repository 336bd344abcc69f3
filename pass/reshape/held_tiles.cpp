// Tile loops that load the next tile while this one is used, and store it in the next iteration: each loads its own.
//
//     v = g[t];                                              for (k = 0; k < n; k++) {
//     for (k = 0; k < n; k++) {                                s[t] = g[256 * k + t];
//       s[t] = v;  barrier;                         ->         barrier;
//       if (k + 1 < n) v = g[256 * (k + 1) + t];               use s;
//       use s;  barrier;                                       barrier;
//     }                                                      }
//
// So copies are seen, and may run ahead by more than one tile. Why what is stored stays the same: the load in front of the loop and the one in
// it go along one row of addresses, as ScalarEvolution has them; whenever there is a next iteration, this one has loaded for it; and nothing in
// the loop writes what is read, which whoever asks for this sees to, as nothing does between the first load and the loop.
#include "pass/base/marks.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {

// What a phi of the header holds from one iteration to the next.
struct Held {
  PHINode *phi;
  StoreInst *store; // of it, in the loop: its only use, but for the phi that hands it on where nothing is loaded
  LoadInst *first, *next;
  const SCEV *address; // that is loaded for this iteration
};

// ---- is there always a next tile where there is a next iteration? ----

// Counting by ones up to what ends the loop, and begun no further than that, a number that is compared with it is less until then.
bool ends_there(ScalarEvolution &evolution, Loop &loop, const SCEV *counter, const SCEV *bound) {
  auto *row = dyn_cast<SCEVAddRecExpr>(counter);
  auto *branch = cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  auto *ends = branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!row || row->getLoop() != &loop || !row->isAffine() || !row->getStepRecurrence(evolution)->isOne() || !ends ||
      !ends->isEquality() || !evolution.isLoopInvariant(bound, &loop))
    return false;
  bool goes_on = loop.contains(branch->getSuccessor(0));
  const SCEV *a = evolution.getSCEV(ends->getOperand(0)), *b = evolution.getSCEV(ends->getOperand(1));
  if (evolution.isLoopInvariant(a, &loop))
    std::swap(a, b);
  if (!evolution.isLoopInvariant(b, &loop) || goes_on != (ends->getPredicate() == ICmpInst::ICMP_NE) ||
      a->getType() != counter->getType())
    return false;
  const SCEV *ahead = evolution.getMinusSCEV(a, counter);
  return isa<SCEVConstant>(ahead) && ahead == evolution.getMinusSCEV(b, bound);
}

bool holds_if_again(ScalarEvolution &evolution, Loop &loop, ICmpInst &condition, bool holds) {
  auto predicate = holds ? condition.getPredicate() : condition.getInversePredicate();
  const SCEV *a = evolution.getSCEV(condition.getOperand(0)), *b = evolution.getSCEV(condition.getOperand(1));
  if (evolution.isLoopBackedgeGuardedByCond(&loop, predicate, a, b))
    return true;
  if (predicate == ICmpInst::ICMP_SGT || predicate == ICmpInst::ICMP_UGT) {
    std::swap(a, b);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  auto *row = dyn_cast<SCEVAddRecExpr>(a);
  bool is_signed = predicate == ICmpInst::ICMP_SLT, is_less = is_signed || predicate == ICmpInst::ICMP_ULT;
  return is_less && row && ends_there(evolution, loop, a, b) &&
         evolution.isLoopEntryGuardedByCond(&loop, is_signed ? ICmpInst::ICMP_SLE : ICmpInst::ICMP_ULE, row->getStart(), b);
}

// Each iteration but the last comes to the load: it is in all of them, or under one condition that holds in those.
bool loads_for_next(ScalarEvolution &evolution, const DominatorTree &tree, Loop &loop, const LoadInst &next) {
  const BasicBlock *block = next.getParent(), *above = block->getSinglePredecessor();
  if (tree.dominates(block, loop.getLoopLatch()))
    return true;
  auto *branch = above ? dyn_cast<BranchInst>(above->getTerminator()) : nullptr;
  auto *condition = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  return condition && branch->getSuccessor(0) != branch->getSuccessor(1) && tree.dominates(above, loop.getLoopLatch()) &&
         holds_if_again(evolution, loop, *condition, branch->getSuccessor(0) == block);
}

// ---- what is held ----

// The load that hands it to the next iteration; the phi may keep what it was where nothing is loaded.
LoadInst *next_of(const Loop &loop, PHINode &phi, PHINode *&merge) {
  Value *value = phi.getIncomingValueForBlock(loop.getLoopLatch());
  merge = dyn_cast<PHINode>(value);
  if (!merge)
    return dyn_cast<LoadInst>(value);
  LoadInst *load = nullptr;
  for (Value *side : merge->incoming_values()) {
    if (side == &phi || isa<UndefValue>(side))
      continue;
    if (load || !isa<LoadInst>(side))
      return nullptr;
    load = cast<LoadInst>(side);
  }
  return merge->hasOneUse() && loop.contains(merge) ? load : nullptr;
}

StoreInst *store_of(const Loop &loop, PHINode &phi, const PHINode *merge) {
  StoreInst *found = nullptr;
  for (User *user : phi.users()) {
    auto *store = dyn_cast<StoreInst>(user);
    if (user == merge)
      continue;
    if (found || !store || store->getValueOperand() != &phi || !store->isSimple() || !loop.contains(store))
      return nullptr;
    found = store;
  }
  auto *array = found ? dyn_cast<GlobalVariable>(getUnderlyingObject(found->getPointerOperand())) : nullptr;
  return array && array->getAddressSpace() == SHARED_SPACE ? found : nullptr;
}

// Nothing is written, nor waited for, between the load and the loop.
bool is_right_before(const Loop &loop, const LoadInst &first) {
  if (first.getParent() != loop.getLoopPreheader())
    return false;
  for (const Instruction *i = first.getNextNode(); i; i = i->getNextNode())
    if (i->mayWriteToMemory() || i->mayThrow())
      return false;
  return true;
}

// What is made of the loop's counters, an iteration before; or in the first iteration.
class Moved : public SCEVRewriteVisitor<Moved> {
  const Loop &loop;
  bool to_first, is_positive;

public:
  bool is_whole = true;

  Moved(ScalarEvolution &evolution, const Loop &loop, bool to_first, bool is_positive)
      : SCEVRewriteVisitor(evolution), loop(loop), to_first(to_first), is_positive(is_positive) {}

  // What is made longer is not negative, but in front of the first iteration, where it is asked for the first tile.
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *longer) {
    const SCEV *inside = longer->getOperand(), *moved = visit(inside);
    bool is_signed = is_positive && !SE.isLoopInvariant(inside, &loop);
    return is_signed ? SE.getSignExtendExpr(moved, longer->getType()) : SE.getZeroExtendExpr(moved, longer->getType());
  }

  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *row) {
    if (SE.isLoopInvariant(row, &loop))
      return row;
    is_whole &= row->getLoop() == &loop && row->isAffine();
    if (to_first || !is_whole)
      return row->getStart();
    const SCEV *step = row->getStepRecurrence(SE);
    return SE.getAddRecExpr(SE.getMinusSCEV(row->getStart(), step), step, &loop, SCEV::FlagAnyWrap);
  }

  const SCEV *visitUnknown(const SCEVUnknown *value) {
    is_whole &= SE.isLoopInvariant(value, &loop);
    return value;
  }
};

bool keeps_sign(const Instruction &made) {
  switch (made.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::SExt:
  case Instruction::GetElementPtr: return true;
  case Instruction::Or: return cast<PossiblyDisjointInst>(made).isDisjoint();
  case Instruction::ZExt: return made.hasNonNeg();
  default: return false;
  }
}

// Does the compiler say of all that is made longer on the way to the address, in the loop, that it is not negative?
bool is_of_positive(const Loop &loop, Value *address) {
  constexpr size_t MOST = 64; // values, a bound of the search
  SmallVector<Value *, 16> pending = {address};
  SmallPtrSet<Value *, 16> seen;
  while (!pending.empty()) {
    auto *made = dyn_cast<Instruction>(pending.pop_back_val());
    if (!made || !loop.contains(made) || isa<PHINode>(made) || !seen.insert(made).second)
      continue;
    if (seen.size() > MOST || !keeps_sign(*made))
      return false;
    pending.append(made->op_begin(), made->op_end());
  }
  return true;
}

// The address of this iteration's tile: that of the next one's, an iteration before, which the first load has in the first.
const SCEV *address_of(ScalarEvolution &evolution, Loop &loop, LoadInst &first, LoadInst &next) {
  const SCEV *start = evolution.getSCEV(first.getPointerOperand()), *row = evolution.getSCEV(next.getPointerOperand());
  if (start->getType() != row->getType())
    return nullptr;
  for (bool is_positive : {false, true}) {
    Moved moved(evolution, loop, false, is_positive), begun(evolution, loop, true, false);
    const SCEV *address = moved.visit(row);
    if (moved.is_whole && begun.visit(address) == start && (!is_positive || is_of_positive(loop, next.getPointerOperand())))
      return address;
  }
  return nullptr;
}

bool is_plain_load(const LoadInst *load, const User *user) {
  return load && load->isSimple() && load->hasOneUse() && *load->user_begin() == user;
}

std::optional<Held> held_by(ScalarEvolution &evolution, const DominatorTree &tree, const LoopInfo &loops, Loop &loop,
                            PHINode &phi) {
  PHINode *merge;
  auto *first = dyn_cast<LoadInst>(phi.getIncomingValueForBlock(loop.getLoopPreheader()));
  LoadInst *next = next_of(loop, phi, merge);
  StoreInst *store = store_of(loop, phi, merge);
  if (!store || !is_plain_load(first, &phi) || !is_plain_load(next, merge ? merge : &phi) || first->getType() != next->getType() ||
      loops.getLoopFor(next->getParent()) != &loop || !is_right_before(loop, *first) ||
      !loads_for_next(evolution, tree, loop, *next))
    return {};
  const SCEV *address = address_of(evolution, loop, *first, *next);
  SCEVExpander expander(evolution, "tile");
  if (!address || !expander.isSafeToExpandAt(address, store))
    return {};
  return Held{&phi, store, first, next, address};
}

void load_here(ScalarEvolution &evolution, const Held &held) {
  SCEVExpander expander(evolution, "tile");
  Value *address = expander.expandCodeFor(held.address, held.next->getPointerOperandType(), held.store->getIterator());
  auto *load = IRBuilder<>(held.store)
                   .CreateAlignedLoad(held.next->getType(), address, std::min(held.first->getAlign(), held.next->getAlign()));
  load->copyMetadata(*held.next);
  combineMetadataForCSE(load, held.first, true);
  held.store->setOperand(0, load);
  held.phi->replaceAllUsesWith(PoisonValue::get(held.phi->getType()));
  held.phi->eraseFromParent();
}

// ---- loops ----

bool may_hold(const Loop &loop) { return loop.getLoopLatch() && loop.getExitingBlock() == loop.getLoopLatch() && !is_aside(loop); }

// The header of the first loop that has not been looked at; null: none is left.
BasicBlock *next_loop(IrModule *ir, Function &f, SmallPtrSetImpl<BasicBlock *> &seen) {
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  for (Loop *loop : loops.getLoopsInPreorder())
    if (may_hold(*loop) && loop->getLoopPreheader() && !barriers_of(loops, tree, *loop).empty() &&
        seen.insert(loop->getHeader()).second)
      return loop->getHeader();
  return nullptr;
}

SmallVector<Held, 8> all_held(IrModule *ir, Function &f, Loop &loop) {
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  SmallVector<Held, 8> found;
  for (PHINode &phi : loop.getHeader()->phis())
    if (auto held = held_by(evolution, tree, loops, loop, phi))
      found.push_back(*held);
  return found;
}

bool may_release(const IrNaming &asks, BasicBlock *header, ArrayRef<Held> all) {
  SmallVector<LLVMValueRef, 8> loads;
  for (const Held &held : all)
    loads.push_back(wrap(held.next));
  const IrNamed named = {wrap(header), loads.data(), loads.size(), 0, 0, 0};
  return asks.may(asks.context, &named);
}

// The loop may be one of two by now: addresses are told anew.
void release(IrModule *ir, Function &f, BasicBlock *header, ArrayRef<Held> all) {
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop &loop = *ir->functions->getResult<LoopAnalysis>(f).getLoopFor(header);
  SmallVector<WeakTrackingVH, 8> loaded;
  for (Held held : all) {
    held.address = address_of(evolution, loop, *held.first, *held.next);
    if (!held.address)
      continue;
    loaded.push_back(held.next);
    load_here(evolution, held);
  }
  for (WeakTrackingVH &load : loaded)
    if (load)
      RecursivelyDeleteTriviallyDeadInstructions(load);
  Instruction *jump = loop.getLoopLatch()->getTerminator();
  jump->setMetadata(HELD_METADATA, MDNode::get(jump->getContext(), {}));
}

} // namespace

extern "C" {

bool ir_may_hold_tiles(LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  DominatorTree tree(f);
  LoopInfo loops(tree);
  auto holds = [](const Loop *loop) {
    return may_hold(*loop) && any_of(loop->getHeader()->phis(), [&](const PHINode &phi) {
             return any_of(phi.users(), [&](const User *user) {
               auto *store = dyn_cast<StoreInst>(user);
               return store && store->getValueOperand() == &phi && loop->contains(store);
             });
           });
  };
  return any_of(loops.getLoopsInPreorder(), holds);
}

void ir_release_tiles(IrModule *ir, LLVMValueRef function, const IrNaming *asks) {
  Function &f = *unwrap<Function>(function);
  SmallPtrSet<BasicBlock *, 8> seen;
  bring_in_form(ir, f);
  while (BasicBlock *header = next_loop(ir, f, seen)) {
    auto all = all_held(ir, f, *ir->functions->getResult<LoopAnalysis>(f).getLoopFor(header));
    if (all.empty() || !may_release(*asks, header, all))
      continue;
    ir_changed(ir, function);
    bring_in_form(ir, f);
    release(ir, f, header, all);
    ir_changed(ir, function);
    bring_in_form(ir, f);
  }
}

} // extern "C"
