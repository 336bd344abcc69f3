// Which thread of the block has filled a slot of a shared array, and what it has stored there, told by the slot's number.
//
//     if (t < 32) s[t + 1] = list[k + t] * 3;         slot q: thread q - 1, list[k + (q - 1)] * 3
//
// The store knows its slot by one number of its thread, which two threads have alike at most where they store alike: what is stored, and
// whether, is made of that number and of what all threads of the block share. So it is enough that one thread has it: that along x, with
// no place along the other axes, or the one in a plane of x and y.
#include "pass/base/shape.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr unsigned ADDRESS_BITS = 64;

bool is_register(const Value *value, StringRef name) {
  auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == ("llvm.nvvm.read.ptx.sreg." + name).str();
}

// ---- slots ----

// An element of an array: so many behind the one that the index names, if there is one.
struct Slot {
  Value *index = nullptr;
  int64_t behind = 0;
};

std::optional<Slot> slot_of(Value *pointer, const GlobalVariable &array, int64_t bytes) {
  const DataLayout &layout = array.getDataLayout();
  SmallMapVector<Value *, APInt, 4> steps;
  APInt offset(ADDRESS_BITS, 0);
  while (pointer != &array) {
    auto *step = dyn_cast<GEPOperator>(pointer);
    bool moves = step && layout.getIndexTypeSizeInBits(step->getType()) == ADDRESS_BITS &&
                 step->collectOffset(layout, ADDRESS_BITS, steps, offset);
    if (!moves && !isa<AddrSpaceCastOperator>(pointer))
      return {};
    pointer = cast<Operator>(pointer)->getOperand(0);
  }
  bool one = steps.size() <= 1 && (steps.empty() || steps.front().second == (uint64_t)bytes);
  if (!one || offset.getSExtValue() % bytes)
    return {};
  return Slot{steps.empty() ? nullptr : steps.front().first, offset.getSExtValue() / bytes};
}

// What an index is a conversion of, or so much behind: as far as it wraps around nowhere.
Slot without_steps(Slot slot) {
  bool is_signed = true, is_unsigned = true; // as the conversions take it
  while (true) {
    auto *widens = dyn_cast<CastInst>(slot.index);
    auto *adds = dyn_cast<BinaryOperator>(slot.index);
    const APInt *step = nullptr;
    Value *inner = nullptr;
    bool parts = adds && match(adds, m_AddLike(m_Value(inner), m_APInt(step)));
    auto *wraps = dyn_cast<OverflowingBinaryOperator>(slot.index);
    if (isa<SExtInst, ZExtInst>(slot.index)) {
      is_unsigned = isa<ZExtInst>(widens);
      is_signed = !is_unsigned;
      slot.index = widens->getOperand(0);
    } else if (parts &&
               (!wraps || is_signed == is_unsigned || (is_signed ? wraps->hasNoSignedWrap() : wraps->hasNoUnsignedWrap()))) {
      slot = {inner, slot.behind + step->getSExtValue()};
    } else
      return slot;
  }
}

// ---- numbers of threads ----

// How the threads of a block are numbered: along x; in rows of as many as there are along x; in rows of so many.
bool number_kind(Value *value, Filling &filling) {
  Value *row;
  const APInt *width;
  auto along = [](StringRef name) { return [=](Value *v) { return is_register(v, name); }; };
  filling.width = 0;
  filling.in_plane = false;
  if (is_register(value, "tid.x"))
    return true;
  if (match(value, m_And(m_Value(row), m_APInt(width))) && is_register(row, "tid.x") && (*width + 1).isPowerOf2()) {
    filling.most = width->getSExtValue() + 1;
    return true;
  }
  Value *x, *a, *b;
  if (!match(value, m_c_Add(m_Value(row), m_Value(x))) && !match(value, m_DisjointOr(m_Value(row), m_Value(x))))
    return false;
  if (!along("tid.x")(x))
    std::swap(x, row);
  if (!along("tid.x")(x))
    return false;
  if (match(row, m_Shl(m_Value(a), m_APInt(width))) && along("tid.y")(a) && width->ult(10))
    filling.width = (int64_t)1 << width->getZExtValue();
  else if (match(row, m_Mul(m_Value(a), m_APInt(width))) && along("tid.y")(a) && width->ult(1024))
    filling.width = width->getSExtValue();
  else if (match(row, m_Mul(m_Value(a), m_Value(b))))
    filling.in_plane = (along("tid.y")(a) && along("ntid.x")(b)) || (along("tid.y")(b) && along("ntid.x")(a));
  return filling.width || filling.in_plane;
}

// ---- who stores at all ----

struct Guards {
  const Filling &filling;
  int64_t threads; // whose numbers are less than that are asked for

  // What the value may be for one of them.
  std::optional<ConstantRange> range(Value *value) const {
    unsigned bits = value->getType()->isIntegerTy() ? value->getType()->getIntegerBitWidth() : 0;
    bool in_row = filling.along_x() || filling.in_first_row(threads);
    bool of_row = in_row && (is_register(value, "tid.y") || is_register(value, "tid.z"));
    bool is_number = value == filling.thread || (in_row && is_register(value, "tid.x"));
    constexpr unsigned LEAST_BITS = 16; // that hold any number of a thread
    if (bits < LEAST_BITS || (!of_row && !is_number))
      return {};
    return ConstantRange(APInt(bits, 0), APInt(bits, of_row ? 1 : (uint64_t)threads));
  }

  bool holds(Value *condition, bool way) const {
    Value *a, *b;
    if (way ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b))) : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
      return holds(a, way) && holds(b, way);
    auto *compares = dyn_cast<ICmpInst>(condition);
    auto *bound = compares ? dyn_cast<ConstantInt>(compares->getOperand(1)) : nullptr;
    auto values = bound ? range(compares->getOperand(0)) : std::nullopt;
    return values &&
           values->icmp(way ? compares->getPredicate() : compares->getInversePredicate(), ConstantRange(bound->getValue()));
  }
};

// All that decides whether the store is made on the way to the reading.
bool is_surely_made(const Guards &guards, const DominatorTree &tree, const Instruction &at) {
  BasicBlock *block = guards.filling.store->getParent();
  while (!tree.dominates(block, at.getParent())) {
    BasicBlock *before = block->getSinglePredecessor();
    auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!branch || (branch->isConditional() && !guards.holds(branch->getCondition(), branch->getSuccessor(0) == block)))
      return false;
    block = before;
  }
  return true;
}

// ---- what is stored ----

// What a value is in the thread of that number; null: that has to be found out. Arithmetic may have taken the number of a thread in its plane
// apart; in the first row it is that along x, of no other thread.
Value *known_in(const Filling &filling, bool in_first_row, Value *value, Value *number) {
  if (value == filling.thread || (in_first_row && is_register(value, "tid.x")))
    return number;
  return in_first_row && is_register(value, "tid.y") ? Constant::getNullValue(value->getType()) : nullptr;
}

// As far as it is made of the thread's number; null: of something else.
struct Stored {
  const Filling &filling;
  bool in_first_row;
  const Loop &loop;
  const LoopInfo &loops;
  const DominatorTree &tree;
  Instruction *at;
  function_ref<bool(Value *)> alike;
  SmallVector<LoadInst *, 2> loads = {};
  SmallVector<Instruction *, 8> made = {}; // in order: what is to be made again

  bool is_known(Value *value) {
    auto *i = dyn_cast<Instruction>(value);
    if (!i)
      return isa<Constant>(value) || (isa<Argument>(value) && alike(value));
    bool once = !loop.contains(i) || loops.getLoopFor(i->getParent()) == &loop;
    return once && tree.dominates(i, at) && alike(value);
  }

  bool is_repeatable(Instruction &i) {
    if (auto *load = dyn_cast<LoadInst>(&i)) {
      loads.push_back(load);
      bool own = isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand())); // each thread has another
      return load->isSimple() && load->getPointerAddressSpace() != SHARED_SPACE && !own &&
             loops.getLoopFor(load->getParent()) == &loop;
    }
    bool computes = isa<BinaryOperator, CastInst, GetElementPtrInst, SelectInst, CmpInst, FreezeInst>(i);
    return (computes || isa<MinMaxIntrinsic>(i)) && loop.contains(&i);
  }

  bool find(Value *value) {
    constexpr size_t MOST = 32; // instructions, a bound of the search
    if (known_in(filling, in_first_row, value, filling.thread) || is_known(value))
      return true;
    auto *i = dyn_cast<Instruction>(value);
    if (!i || made.size() == MOST)
      return false;
    if (is_contained(made, i))
      return true;
    bool outside = !loop.contains(i) && isa<BinaryOperator, CastInst, GetElementPtrInst, SelectInst, CmpInst>(i);
    if ((!outside && !is_repeatable(*i)) || !all_of(i->operands(), [&](Value *operand) { return find(operand); }))
      return false;
    made.push_back(i);
    return true;
  }
};

} // namespace

std::optional<Filling> filling_of(StoreInst &store, const GlobalVariable &array) {
  Filling filling = {&store};
  int64_t bytes = (int64_t)array.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType()).getFixedValue();
  auto slot = slot_of(store.getPointerOperand(), array, bytes);
  if (!slot || !slot->index)
    return {};
  *slot = without_steps(*slot);
  filling.thread = slot->index;
  filling.first = slot->behind;
  if (!number_kind(filling.thread, filling))
    return {};
  return filling;
}

std::optional<Named> named_of(const Filling &filling, LoadInst &load, const GlobalVariable &array, IrModule *ir, const Loop &loop,
                              function_ref<bool(Value *)> alike) {
  const DataLayout &layout = array.getDataLayout();
  Function &f = *load.getFunction();
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  int64_t bytes = (int64_t)layout.getTypeStoreSize(load.getType()).getFixedValue();
  int64_t slots = (int64_t)layout.getTypeAllocSize(array.getValueType()).getFixedValue() / bytes;
  auto slot = slot_of(load.getPointerOperand(), array, bytes);
  if (!slot || load.getType() != filling.store->getValueOperand()->getType())
    return {};
  Named named = {&load, filling, slot->index, slot->behind - filling.first};
  int64_t least = named.behind, most = named.behind;
  if (slot->index) {
    const SCEV *form = shallow_form(evolution, slot->index);
    if (!form)
      return {};
    ConstantRange range = evolution.getSignedRange(form);
    /* what is read lies in the array */
    least += std::max(range.getSignedMin().getSExtValue(), -slot->behind);
    most += std::min(range.getSignedMax().getSExtValue(), slots - 1 - slot->behind);
  }
  named.threads = most + 1;
  if (least < 0 || most < least || named.threads > std::min<int64_t>(MOST_THREADS, filling.most))
    return {};
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  Stored stored = {filling, filling.in_first_row(named.threads), loop, loops, tree, &load, alike};
  if (!is_surely_made({filling, named.threads}, tree, load) || !stored.find(filling.store->getValueOperand()) ||
      stored.loads.size() != 1)
    return {};
  named.list = stored.loads.front();
  named.made = stored.made;
  return named;
}

Value *named_value(const Named &named) {
  IRBuilder<> builder(named.load);
  Type *type = named.filling.thread->getType();
  Value *number = ConstantInt::get(type, (uint64_t)named.behind);
  if (named.index)
    number = builder.CreateAdd(builder.CreateSExtOrTrunc(named.index, type), number);
  bool in_first_row = named.filling.in_first_row(named.threads);
  DenseMap<Value *, Value *> twins;
  for (Instruction *i : named.made) {
    Instruction *twin = i->clone();
    for (Use &operand : twin->operands())
      if (Value *known = known_in(named.filling, in_first_row, operand, number))
        operand = known;
      else if (Value *other = twins.lookup(operand))
        operand = other;
    builder.Insert(twin);
    twin->setDebugLoc(named.load->getDebugLoc());
    twins[i] = twin;
  }
  return twins.lookup(named.filling.store->getValueOperand());
}
