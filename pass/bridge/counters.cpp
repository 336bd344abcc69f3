// Counters that are one. A library's pipeline counts the copies that it has begun, and those that it has awaited:
//
//     begun = awaited = 0;  for (...) { begun++; if (begun != awaited) wait_for_all_but(begun - awaited - 1), awaited++; }
//
// Where the two are equal in every iteration, as at first, no other number of copies is ever awaited than one that is known. That is
// shown by induction: in a copy of the function they are one, and what they become in an iteration is then found to be the same.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr size_t MOST_PAIRS = 8;

struct Pair {
  PHINode *kept, *gone; // of one block
};

using Pairs = SmallVector<Pair, MOST_PAIRS>;

struct Search {
  Pairs pairs;
  SmallPtrSet<Value *, 16> taken; // each counter is in one pair
};

void pair_add(Search &search, Value *a, Value *b) {
  auto *first = dyn_cast<PHINode>(a), *second = dyn_cast<PHINode>(b);
  bool may = first && second && first != second && first->getParent() == second->getParent() && first->getType()->isIntegerTy();
  if (!may || first->getType() != second->getType() || search.pairs.size() == MOST_PAIRS)
    return;
  if (search.taken.contains(a) || search.taken.contains(b))
    return;
  search.taken.insert(a);
  search.taken.insert(b);
  search.pairs.push_back({first, second});
}

Value *bare(Value *value) {
  Value *counter;
  return match(value, m_Add(m_Value(counter), m_ConstantInt())) ? counter : value;
}

// Counters that are compared or subtracted.
Pairs pairs_of(Function &f) {
  Search search;
  for (Instruction &i : instructions(f))
    if (i.getOpcode() == Instruction::Sub || isa<ICmpInst>(i))
      pair_add(search, bare(i.getOperand(0)), bare(i.getOperand(1)));
  return search.pairs;
}

void unite(Pair pair) {
  pair.gone->replaceAllUsesWith(pair.kept);
  pair.gone->eraseFromParent();
}

// What both become on each way to their block is kept, with the number of their pair.
void marks_add(Pair pair, size_t number) {
  SmallPtrSet<BasicBlock *, 8> seen;
  for (BasicBlock *from : predecessors(pair.kept->getParent())) {
    if (!seen.insert(from).second)
      continue;
    IRBuilder<> builder(from->getTerminator());
    Value *values[] = {pair.kept->getIncomingValueForBlock(from), pair.gone->getIncomingValueForBlock(from),
                       builder.getInt64(number)};
    builder.CreateIntrinsic(Intrinsic::fake_use, {}, values);
  }
}

// Of the pairs, those of which all the rest shows that they are equal wherever they are.
SmallVector<bool, MOST_PAIRS> equal_pairs(Function &twin, size_t count) {
  SmallVector<bool, MOST_PAIRS> equal(count, true);
  for (Instruction &i : instructions(twin)) {
    auto *mark = dyn_cast<IntrinsicInst>(&i);
    if (mark && mark->getIntrinsicID() == Intrinsic::fake_use && mark->arg_size() == 3)
      equal[cast<ConstantInt>(mark->getArgOperand(2))->getZExtValue()] &= mark->getArgOperand(0) == mark->getArgOperand(1);
  }
  return equal;
}

// One step of the induction, for all pairs at once.
SmallVector<bool, MOST_PAIRS> try_pairs(IrModule *ir, Function &f, const Pairs &pairs) {
  ValueToValueMapTy twins;
  Function *twin = CloneFunction(&f, twins);
  Pairs copies;
  for (Pair pair : pairs)
    copies.push_back({cast<PHINode>(twins[pair.kept]), cast<PHINode>(twins[pair.gone])});
  for (size_t k = 0; k < copies.size(); k++)
    marks_add(copies[k], k);
  for (Pair copy : copies)
    unite(copy);
  ir_tidy(ir, wrap(twin));
  ir_tidy(ir, wrap(twin)); // what the first has made of two ways in one is found to be the same
  SmallVector<bool, MOST_PAIRS> equal = equal_pairs(*twin, pairs.size());
  ir->functions->clear(*twin, twin->getName());
  twin->eraseFromParent();
  return equal;
}

} // namespace

// Until none of them leans on one that is not.
void counters_unite(IrModule *ir, Function &f) {
  Pairs pairs = pairs_of(f);
  for (size_t before = 0; before != pairs.size() && !pairs.empty();) {
    SmallVector<bool, MOST_PAIRS> equal = try_pairs(ir, f, pairs);
    Pairs left;
    before = pairs.size();
    for (size_t k = 0; k < before; k++)
      if (equal[k])
        left.push_back(pairs[k]);
    pairs = left;
  }
  for (Pair pair : pairs)
    unite(pair);
  ir_changed(ir, wrap(&f));
}
