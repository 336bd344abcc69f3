// Counters as whoever reads the loop knows them.
//
// Those that are one. A library's pipeline counts the copies that it has begun, and those that it has awaited:
//
//     begun = awaited = 0;  for (...) { begun++; if (begun != awaited) wait_for_all_but(begun - awaited - 1), awaited++; }
//
// Where the two are equal in every iteration, as at first, no other number of copies is ever awaited than one that is known. That is
// shown by induction: in a copy of the function they are one, and what they become in an iteration is then found to be the same.
//
// Those that are pointers into a shared array, which are told by how far they lead into it:
//
//     for (p = s + t; p < s + 4096; p += 256) *p = *q;   ->   for (i = 4 * t; (p = s + i) < s + 4096; i += 1024) *p = *q;
//
// Those that are narrower than their bound, and would begin anew before they came to one that is too large for them:
//
//     for (unsigned j = 0; j < m; j++) s += a[i * m + j];      where m has 64 bits
//     for (unsigned j = 0; j + 4 <= m; j += 4) ...             whatever m has
//
// The loop would go on for ever then, which one that has to make progress does not: its counter never wraps around, and it walks a row.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"
#include "pass/bridge/bridge_module.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr size_t MOST_PAIRS = 8;

struct Pair {
  PHINode *kept, *gone; // of one block
};

using Pairs = SmallVector<Pair, MOST_PAIRS>;

struct PairSearch {
  Pairs pairs;
  SmallPtrSet<Value *, 16> taken; // each counter is in one pair
};

void pair_add(PairSearch &search, Value *a, Value *b) {
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

Value *without_number(Value *value) {
  Value *counter;
  return match(value, m_Add(m_Value(counter), m_ConstantInt())) ? counter : value;
}

// Counters that are compared or subtracted.
Pairs pairs_of(Function &f) {
  PairSearch search;
  for (Instruction &i : instructions(f))
    if (i.getOpcode() == Instruction::Sub || isa<ICmpInst>(i))
      pair_add(search, without_number(i.getOperand(0)), without_number(i.getOperand(1)));
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

// ---- pointers ----

using Steps = SmallVector<GEPOperator *, 4>;

// Where the pointer comes from, and the steps from there on, the last one first. Of a cast, what it casts: an array has one address in
// shared memory and one in generic memory, and both are as far apart as they seem.
Value *origin_of(Value *pointer, Steps &steps) {
  for (;;) {
    auto *step = dyn_cast<GEPOperator>(pointer);
    auto *cast = dyn_cast<AddrSpaceCastOperator>(pointer);
    if (!step && !cast)
      return pointer;
    if (step)
      steps.push_back(step);
    pointer = step ? step->getPointerOperand() : cast->getPointerOperand();
  }
}

bool is_shared_array(const Value *value) {
  auto *array = dyn_cast<GlobalVariable>(value);
  return array && array->getAddressSpace() == SHARED_SPACE;
}

// Of a counter that starts in a shared array, and steps on from where it is: that array.
GlobalVariable *array_of_counter(const Loop &loop, PHINode &counter) {
  GlobalVariable *array = nullptr;
  if (!counter.getType()->isPointerTy())
    return nullptr;
  for (unsigned i = 0; i < counter.getNumIncomingValues(); i++) {
    Steps steps;
    Value *origin = origin_of(counter.getIncomingValue(i), steps);
    bool steps_on = loop.contains(counter.getIncomingBlock(i));
    if ((steps_on && origin != &counter) || (!steps_on && (!is_shared_array(origin) || (array && origin != array))))
      return nullptr;
    if (!steps_on)
      array = cast<GlobalVariable>(origin);
  }
  return array;
}

bool is_in_bounds(const Steps &steps) {
  return all_of(steps, [](GEPOperator *step) { return step->isInBounds(); });
}

// In bytes, from where it comes from. No sum of what stays in one object wraps around.
Value *length_of(IRBuilder<> &builder, const DataLayout &layout, const Steps &steps, Value *from) {
  Value *sum = from;
  for (GEPOperator *step : reverse(steps)) {
    Value *length = emitGEPOffset(&builder, layout, step);
    length = builder.CreateSExtOrTrunc(length, sum->getType());
    sum = builder.CreateAdd(sum, length, "", step->isInBounds() && step->hasNoUnsignedWrap(), step->isInBounds());
  }
  return sum;
}

void index_counter(const DataLayout &layout, PHINode &counter, GlobalVariable &array) {
  Type *type = layout.getIndexType(counter.getType());
  PHINode *index = PHINode::Create(type, counter.getNumIncomingValues(), "", counter.getIterator());
  bool stays_inside = true;
  for (unsigned i = 0; i < counter.getNumIncomingValues(); i++) {
    Steps steps;
    bool steps_on = origin_of(counter.getIncomingValue(i), steps) == &counter;
    BasicBlock *from = counter.getIncomingBlock(i);
    IRBuilder<> builder(from->getTerminator());
    Value *origin = ConstantInt::get(type, 0);
    index->addIncoming(length_of(builder, layout, steps, steps_on ? index : origin), from);
    stays_inside &= is_in_bounds(steps);
  }
  BasicBlock *block = counter.getParent();
  IRBuilder<> builder(block, block->getFirstInsertionPt());
  Value *begin = counter.getType() == array.getType() ? &array : ConstantExpr::getAddrSpaceCast(&array, counter.getType());
  Value *pointer = builder.CreateGEP(builder.getInt8Ty(), begin, index, "",
                                     stays_inside ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none());
  counter.replaceAllUsesWith(pointer);
  counter.eraseFromParent();
}

// Two pointers into one array, which stay inside of it, are as their distances from its beginning are.
void compare_lengths(const DataLayout &layout, ICmpInst &compare) {
  Steps first, second;
  bool pointers = compare.getOperand(0)->getType()->isPointerTy();
  Value *origin = pointers ? origin_of(compare.getOperand(0), first) : nullptr;
  if (!pointers || !is_shared_array(origin) || origin_of(compare.getOperand(1), second) != origin || !is_in_bounds(first) ||
      !is_in_bounds(second))
    return;
  IRBuilder<> builder(&compare);
  Value *none = ConstantInt::get(layout.getIndexType(compare.getOperand(0)->getType()), 0);
  Value *a = length_of(builder, layout, first, none), *b = length_of(builder, layout, second, none);
  compare.replaceAllUsesWith(builder.CreateICmp(compare.getSignedPredicate(), a, b));
}

struct PointerCounter {
  PHINode *counter;
  GlobalVariable *array;
};

// The first such counter of the outermost loop that has one: those of loops inside may start from it.
PointerCounter pointer_counter(Function &f) {
  DominatorTree dominators(f);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder())
    for (PHINode &phi : loop->getHeader()->phis())
      if (GlobalVariable *array = array_of_counter(*loop, phi))
        return {&phi, array};
  return {nullptr, nullptr};
}

} // namespace

extern "C" {

bool ir_may_index(LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  return !f.isDeclaration() && !f.hasOptNone() && pointer_counter(f).counter;
}

void ir_index_pointers(IrModule *ir, LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  if (f.isDeclaration() || f.hasOptNone())
    return;
  while (true) {
    PointerCounter found = pointer_counter(f);
    if (!found.counter)
      break;
    index_counter(f.getDataLayout(), *found.counter, *found.array);
  }
  for (Instruction &i : instructions(f))
    if (auto *compare = dyn_cast<ICmpInst>(&i))
      compare_lengths(f.getDataLayout(), *compare);
  ir_changed(ir, function);
}

} // extern "C"

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

// ---- that are narrower than their bound ----

namespace {

// A number that is counted up by `step` in each iteration, where the loop goes on while it and `ahead`, with more bits perhaps, is below a bound.
struct Narrow {
  PHINode *counter;
  APInt step, ahead;
  Value *bound;
  CmpInst::Predicate below;
};

} // namespace

// The number that is added to the counter, in sums that do not wrap around by themselves.
static bool is_ahead(const Value *value, const PHINode *counter, APInt &ahead) {
  const APInt *number;
  bool wraps = false;
  ahead = APInt::getZero(counter->getType()->getScalarSizeInBits());
  for (const Value *from; value != counter && !wraps; value = from) {
    if (!match(value, m_Add(m_Value(from), m_APInt(number))))
      return false;
    ahead = ahead.uadd_ov(*number, wraps);
  }
  return !wraps;
}

// By powers of two: once they have wrapped around the same numbers come again, of which none was too large. By threes others come. What is asked of is
// not behind the next number.
static bool is_counted_up(const Loop &loop, const Value *asked, Narrow &narrow) {
  for (PHINode &phi : loop.getHeader()->phis()) {
    narrow.counter = &phi;
    if (phi.getType() == asked->getType() && is_ahead(asked, &phi, narrow.ahead) &&
        is_ahead(phi.getIncomingValueForBlock(loop.getLoopLatch()), &phi, narrow.step))
      return narrow.step.isPowerOf2() && narrow.ahead.uge(narrow.step);
  }
  return false;
}

// The loop ends nowhere else, and LLVM does not count it.
static bool ends_by_bound(const Loop &loop, ScalarEvolution &evolution, Narrow &narrow) {
  BasicBlock *latch = loop.getLoopLatch();
  auto *branch = latch && loop.getLoopPredecessor() && loop.getExitingBlock() == latch
                     ? dyn_cast<BranchInst>(latch->getTerminator())
                     : nullptr;
  auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  for (unsigned side = 0; compare && side < 2; side++) {
    Value *sum = compare->getOperand(side), *asked;
    bool is_wide = match(sum, m_ZExt(m_Value(asked)));
    CmpInst::Predicate below = loop.contains(branch->getSuccessor(0)) ? compare->getPredicate() : compare->getInversePredicate();
    below = side ? CmpInst::getSwappedPredicate(below) : below;
    narrow.bound = compare->getOperand(1 - side);
    narrow.below = below;
    bool ends = is_wide ? ICmpInst::isLT(below) || ICmpInst::isLE(below)
                        : below == ICmpInst::ICMP_ULT || below == ICmpInst::ICMP_ULE;
    if (ends && loop.isLoopInvariant(narrow.bound) && is_counted_up(loop, is_wide ? asked : sum, narrow))
      return is_wide || isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
  }
  return false;
}

// The first number does not wrap around, or the loop, which nothing but its bound has led to, would end nowhere either.
static bool begins_below(const Loop &loop, ScalarEvolution &evolution, const Narrow &narrow) {
  const SCEV *start = evolution.getSCEV(narrow.counter->getIncomingValueForBlock(loop.getLoopPredecessor()));
  const APInt most = evolution.getUnsignedRangeMax(start);
  if ((APInt::getMaxValue(most.getBitWidth()) - most).uge(narrow.ahead))
    return true;
  const SCEV *bound = evolution.getSCEV(narrow.bound);
  if (narrow.ahead != narrow.step || bound->getType() == start->getType())
    return false;
  const SCEV *wide = evolution.getZeroExtendExpr(start, narrow.bound->getType());
  CmpInst::Predicate with_sign = ICmpInst::getSignedPredicate(narrow.below); // tells as much: `wide` is not negative
  return evolution.isLoopEntryGuardedByCond(&loop, narrow.below, wide, bound) ||
         evolution.isLoopEntryGuardedByCond(&loop, with_sign, wide, bound);
}

// No sum of the counter that is not behind what is asked of.
static bool promise_sums(const Narrow &narrow, Value *of) {
  bool any = false;
  APInt ahead;
  for (User *user : of->users()) {
    auto *add = dyn_cast<BinaryOperator>(user);
    if (!add || !is_ahead(add, narrow.counter, ahead) || ahead.ugt(narrow.ahead))
      continue;
    any |= !add->hasNoUnsignedWrap();
    add->setHasNoUnsignedWrap(true);
    any |= promise_sums(narrow, add);
  }
  return any;
}

static bool stays_below(Loop &loop, ScalarEvolution &evolution) {
  Narrow narrow;
  if (!ends_by_bound(loop, evolution, narrow) || !evolution.loopIsFiniteByAssumption(&loop) ||
      !begins_below(loop, evolution, narrow) || !promise_sums(narrow, narrow.counter))
    return false;
  evolution.forgetTopmostLoop(&loop);
  return true;
}

// Beside such a counter LLVM has put one of more bits, which becomes what the narrower one does: from now on it counts by itself. It is seen to
// where ScalarEvolution finds the two to be one already; and where that cannot tell what one more than the first number is in more bits, as
// of a number that is loaded: the wider one begins as the narrower one does, and neither wraps around.
static bool goes_along(const Loop &loop, ScalarEvolution &evolution, PHINode &counter, CastInst &next, const APInt *&step) {
  auto *sum = dyn_cast<OverflowingBinaryOperator>(next.getOperand(0));
  Value *narrow;
  if (!sum || !match(sum, m_Add(m_Value(narrow), m_APInt(step))) ||
      !(isa<SExtInst>(next) ? sum->hasNoSignedWrap() : sum->hasNoUnsignedWrap()))
    return false;
  auto *own = dyn_cast<PHINode>(narrow);
  if (!own || own->getParent() != loop.getHeader() || own->getIncomingValueForBlock(loop.getLoopLatch()) != sum)
    return false;
  const SCEV *start = evolution.getSCEV(own->getIncomingValueForBlock(loop.getLoopPredecessor()));
  const SCEV *wide = isa<SExtInst>(next) ? evolution.getSignExtendExpr(start, counter.getType())
                                         : evolution.getZeroExtendExpr(start, counter.getType());
  return wide == evolution.getSCEV(counter.getIncomingValueForBlock(loop.getLoopPredecessor()));
}

static CastInst *extended(const Loop &loop, ScalarEvolution &evolution, PHINode &counter, APInt &step) {
  auto *next = dyn_cast<CastInst>(counter.getIncomingValueForBlock(loop.getLoopLatch()));
  if (!next || !isa<ZExtInst, SExtInst>(next) || !loop.contains(next))
    return nullptr;
  auto *counts = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&counter));
  bool is_counted = counts && counts->getLoop() == &loop && counts->isAffine();
  auto *known = is_counted ? dyn_cast<SCEVConstant>(counts->getStepRecurrence(evolution)) : nullptr;
  const APInt *least = nullptr;
  if (known && evolution.getSCEV(next) == counts->getPostIncExpr(evolution))
    step = known->getAPInt();
  else if (goes_along(loop, evolution, counter, *next, least))
    step = isa<SExtInst>(next) ? least->sext(counter.getType()->getIntegerBitWidth())
                               : least->zext(counter.getType()->getIntegerBitWidth());
  else
    return nullptr;
  return next;
}

static bool count_by_itself(Loop &loop, ScalarEvolution &evolution, PHINode &counter) {
  APInt step;
  CastInst *next = extended(loop, evolution, counter, step);
  if (!next)
    return false;
  Value *narrow = next->getOperand(0);
  auto *own = BinaryOperator::CreateNSWAdd(&counter, ConstantInt::get(counter.getType(), step), "", next->getIterator());
  own->setDebugLoc(next->getDebugLoc());
  evolution.forgetTopmostLoop(&loop);
  next->replaceAllUsesWith(own);
  next->eraseFromParent();
  if (auto *add = dyn_cast<Instruction>(narrow))
    for (Use &use : add->operands())
      if (auto *phi = dyn_cast<PHINode>(use); phi && RecursivelyDeleteDeadPHINode(phi))
        break;
  return true;
}

bool loop_count_on(Loop &loop, ScalarEvolution &evolution) {
  bool any = stays_below(loop, evolution);
  if (!loop.getLoopLatch() || !loop.getLoopPredecessor())
    return false;
  SmallVector<WeakVH, 8> counters;
  for (PHINode &phi : loop.getHeader()->phis())
    if (phi.getType()->isIntegerTy())
      counters.push_back(&phi);
  for (WeakVH &counter : counters)
    if (counter) // or it is gone with another
      any |= count_by_itself(loop, evolution, *cast<PHINode>(counter));
  return any;
}
