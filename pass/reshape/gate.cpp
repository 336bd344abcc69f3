// A gate: lanes that go on and lanes that stay away come there together, in front of what some of them do.
//
//     if (a || b) T;       above: br a, T, M       above: br a, G, M                      G: goes = phi [true, above], [b, M]
//                          M:     br b, T, join    M:     br G                                br goes, T, join
//
// Every lane goes the way that it went. What was computed on the way to T, and is used there or behind, comes through the gate by a phi,
// poison in lanes that stay away; indices and addresses that are known above are computed there.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace {

// A way into the gate: from a block that was there (`old`), or from one made for it, which stands behind that.
struct Way {
  BasicBlock *old, *from;
  bool to_then, to_join; // of a conditional branch to both: either
  Value *goes;
};

struct Gate {
  BasicBlock *above, *then, *join, *block;
  SmallSetVector<BasicBlock *, 16> between; // without those three
  SmallVector<Way, 8> ways;
};

void find_between(Gate &gate) {
  SmallVector<BasicBlock *, 16> work = {gate.above};
  while (!work.empty())
    for (BasicBlock *next : successors(work.pop_back_val()))
      if (next != gate.then && next != gate.join && gate.between.insert(next))
        work.push_back(next);
}

// ---- what is known above ----

bool is_known_above(const Gate &gate, const Value *value) {
  auto *made = dyn_cast<Instruction>(value);
  return !made || !gate.between.contains(made->getParent());
}

// Indices and addresses alone: sums and products of reals are fused as the blocks have them.
bool can_come(const Gate &gate, Instruction &i, const DenseSet<Instruction *> &come) {
  bool is_index = i.getType()->isIntOrPtrTy() && !isa<PHINode>(i) && !i.mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(&i);
  return is_index && !isa<CallBase>(i) && all_of(i.operands(), [&](const Use &operand) {
           auto *made = dyn_cast<Instruction>(operand.get());
           return is_known_above(gate, operand.get()) || come.contains(made);
         });
}

bool is_used_behind(const Gate &gate, const Instruction &i, const DenseSet<const Instruction *> &wanted) {
  return any_of(i.users(), [&](const User *user) {
    auto *at = cast<Instruction>(user);
    return !gate.between.contains(at->getParent()) || wanted.contains(at);
  });
}

// In the order of the dominator tree, so that operands come before what uses them.
SmallVector<Instruction *, 16> between_in_order(const Gate &gate, DominatorTree &tree) {
  SmallVector<Instruction *, 16> order;
  for (DomTreeNode *node : depth_first(tree.getNode(gate.above)))
    if (gate.between.contains(node->getBlock()))
      for (Instruction &i : *node->getBlock())
        order.push_back(&i);
  return order;
}

void bring_indices(const Gate &gate, DominatorTree &tree) {
  const SmallVector<Instruction *, 16> order = between_in_order(gate, tree);
  DenseSet<Instruction *> come;
  DenseSet<const Instruction *> wanted;
  for (Instruction *i : order)
    if (can_come(gate, *i, come))
      come.insert(i);
  for (Instruction *i : reverse(order))
    if (come.contains(i) && is_used_behind(gate, *i, wanted))
      wanted.insert(i);
  for (Instruction *i : order)
    if (wanted.contains(i))
      i->moveBefore(gate.above->getTerminator()->getIterator());
}

// ---- the ways ----

BasicBlock *make_step(const Gate &gate, BasicBlock *from, BasicBlock *to) {
  BasicBlock *step = BasicBlock::Create(from->getContext(), "", from->getParent(), gate.block);
  BranchInst::Create(gate.block, step);
  from->getTerminator()->replaceSuccessorWith(to, step);
  return step;
}

// Of a branch between the two: its condition says which.
bool add_choice(Gate &gate, BasicBlock *from) {
  auto *branch = dyn_cast<BranchInst>(from->getTerminator());
  if (!branch || !branch->isConditional())
    return false;
  bool first = branch->getSuccessor(0) == gate.then && branch->getSuccessor(1) == gate.join;
  bool second = branch->getSuccessor(1) == gate.then && branch->getSuccessor(0) == gate.join;
  if (!first && !second)
    return false;
  IRBuilder<> builder(branch);
  Value *goes = first ? branch->getCondition() : builder.CreateNot(branch->getCondition());
  builder.CreateBr(gate.block);
  branch->eraseFromParent();
  gate.ways.push_back({from, from, true, true, goes});
  return true;
}

void add_ways(Gate &gate, BasicBlock *from) {
  LLVMContext &context = from->getContext();
  if (add_choice(gate, from))
    return;
  for (BasicBlock *to : {gate.then, gate.join}) {
    if (!is_contained(successors(from), to))
      continue;
    bool alone = from->getTerminator()->getNumSuccessors() == 1, is_then = to == gate.then;
    if (alone)
      from->getTerminator()->replaceSuccessorWith(to, gate.block);
    BasicBlock *last = alone ? from : make_step(gate, from, to);
    gate.ways.push_back({from, last, is_then, !is_then, ConstantInt::getBool(context, is_then)});
  }
}

// ---- what comes through ----

PHINode *make_phi(const Gate &gate, Type *type, function_ref<Value *(const Way &)> value) {
  auto *phi = PHINode::Create(type, gate.ways.size(), "", gate.block->begin());
  for (const Way &way : gate.ways) {
    Value *comes = value(way);
    phi->addIncoming(comes ? comes : PoisonValue::get(type), way.from);
  }
  return phi;
}

void gate_then(const Gate &gate) {
  for (PHINode &phi : make_early_inc_range(gate.then->phis())) {
    PHINode *through = make_phi(gate, phi.getType(),
                                [&](const Way &way) { return way.to_then ? phi.getIncomingValueForBlock(way.old) : nullptr; });
    phi.replaceAllUsesWith(through);
    phi.eraseFromParent();
  }
}

void gate_join(const Gate &gate) {
  for (PHINode &phi : gate.join->phis()) {
    PHINode *through = make_phi(gate, phi.getType(),
                                [&](const Way &way) { return way.to_join ? phi.getIncomingValueForBlock(way.old) : nullptr; });
    for (const Way &way : gate.ways)
      for (int at = phi.getBasicBlockIndex(way.old); way.to_join && at >= 0; at = phi.getBasicBlockIndex(way.old))
        phi.removeIncomingValue(at, false);
    phi.addIncoming(through, gate.block);
  }
}

// Where the value is used, which is where it comes from if that is a phi.
BasicBlock *place_of(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(user);
  return phi ? phi->getIncomingBlock(use) : user->getParent();
}

void gate_value(const Gate &gate, const DominatorTree &tree, Instruction &i) {
  SmallVector<Use *, 8> behind;
  for (Use &use : i.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    if (user->getParent() != gate.block && place_of(use) != gate.block && !gate.between.contains(place_of(use)))
      behind.push_back(&use);
  }
  if (behind.empty())
    return;
  PHINode *through = make_phi(gate, i.getType(),
                              [&](const Way &way) -> Value * { return tree.dominates(i.getParent(), way.old) ? &i : nullptr; });
  for (Use *use : behind)
    use->set(through);
}

} // namespace

extern "C" {

LLVMBasicBlockRef ir_gate(IrModule *ir, LLVMBasicBlockRef above, LLVMBasicBlockRef then, LLVMBasicBlockRef join) {
  Gate gate = {unwrap(above), unwrap(then), unwrap(join), nullptr, {}, {}};
  DominatorTree &tree = dominators(ir, gate.above); // as it was
  LLVMContext &context = gate.then->getContext();
  find_between(gate);
  bring_indices(gate, tree);
  gate.block = BasicBlock::Create(context, "", gate.then->getParent(), gate.then);
  add_ways(gate, gate.above);
  for (BasicBlock *block : gate.between)
    add_ways(gate, block);
  gate_then(gate);
  gate_join(gate);
  for (BasicBlock *block : gate.between)
    for (Instruction &i : *block)
      gate_value(gate, tree, i);
  PHINode *goes = make_phi(gate, Type::getInt1Ty(context), [](const Way &way) { return way.goes; });
  auto *jump = BranchInst::Create(gate.then, gate.join, goes, gate.block);
  jump->setMetadata(GATE_METADATA, MDNode::get(context, {}));
  ir_changed(ir, wrap(gate.then->getParent()));
  return wrap(gate.block);
}
}
