// Between which bounds the addresses of a loop lie, as code in front of it can tell.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

extern "C" {

namespace {
// A pointer at the first and at the last iteration of every loop that moves it: all others lie between two of these.
struct Corners {
  PredicatedScalarEvolution &evolution;
  Loop *loop;
  SmallVector<const SCEV *, 4> places;
  SmallVector<std::pair<const SCEV *, const SCEV *>, 2> moves; // by so much, so often

  bool is_settled(const SCEV *value) { return evolution.getSE()->isLoopInvariant(value, loop); }

  // In the loop, but no counter: what a value comes together in.
  PHINode *meeting_in(const SCEV *pointer) {
    PHINode *found = nullptr;
    SCEVExprContains(pointer, [&](const SCEV *part) {
      auto *leaf = dyn_cast<SCEVUnknown>(part);
      auto *phi = leaf ? dyn_cast<PHINode>(leaf->getValue()) : nullptr;
      if (phi && loop->contains(phi))
        found = phi;
      return found != nullptr;
    });
    return found;
  }

  // Whichever way it comes there: the loop for what remains of another one begins where that has ended, or at the beginning.
  bool add_each(const SCEV *pointer, PHINode &phi) {
    ScalarEvolution &scalars = *evolution.getSE();
    for (Value *value : phi.incoming_values()) {
      const SCEV *known = scalars.getSCEVAtScope(scalars.getSCEV(value), loop);
      ValueToSCEVMapTy by = {{&phi, known}};
      if (!is_settled(known) || !add(SCEVParameterRewriter::rewrite(pointer, scalars, by)))
        return false;
    }
    return true;
  }

  bool add(const SCEV *pointer) {
    const unsigned most = 8;
    ScalarEvolution &scalars = *evolution.getSE();
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(pointer);
    if (is_settled(pointer))
      return places.push_back(pointer), places.size() <= most;
    if (PHINode *phi = pointer->getType()->isPointerTy() ? meeting_in(pointer) : nullptr)
      return add_each(pointer, *phi);
    if (!recurrence || !recurrence->isAffine() || !loop->contains(recurrence->getLoop()))
      return false;
    const SCEV *step = recurrence->getStepRecurrence(scalars);
    const SCEV *times = recurrence->getLoop() == loop ? evolution.getBackedgeTakenCount()
                                                      : scalars.getSymbolicMaxBackedgeTakenCount(recurrence->getLoop());
    if (isa<SCEVCouldNotCompute>(times) || !is_settled(step) || !is_settled(times))
      return false;
    moves.push_back({step, times});
    return add(recurrence->getStart()) && add(recurrence->evaluateAtIteration(times, scalars));
  }

  bool can_be_computed(SCEVExpander &expander, Instruction *place) {
    for (auto *corner : places)
      if (!expander.isSafeToExpandAt(corner, place))
        return false;
    for (auto &[step, times] : moves)
      if (!expander.isSafeToExpandAt(step, place) || !expander.isSafeToExpandAt(times, place))
        return false;
    bool is_tested = !evolution.getPredicate().isAlwaysTrue();
    const SCEV *times = is_tested ? evolution.getBackedgeTakenCount() : nullptr; // may add to the predicate
    return !is_tested || can_be_asked(evolution.getPredicate(), times, expander, place);
  }
};
} // namespace

// No move is longer than addresses are, and no corner lies beyond them: nothing has wrapped around.
static void compute_extent(Corners &corners, SCEVExpander &expander, Instruction *place, Type *type, int64_t bytes,
                           IrExtent *extent) {
  IRBuilder<> builder(place);
  Type *number = builder.getInt64Ty();
  Value *low = nullptr, *high = nullptr, *wraps = builder.getFalse();
  for (auto &[step, times] : corners.moves) {
    ScalarEvolution &scalars = *corners.evolution.getSE();
    Value *by = expander.expandCodeFor(scalars.getTruncateOrSignExtend(step, number), number, place);
    Value *count = expander.expandCodeFor(scalars.getTruncateOrZeroExtend(times, number), number, place);
    Value *product = builder.CreateBinaryIntrinsic(Intrinsic::smul_with_overflow, by, count);
    wraps = builder.CreateOr(wraps, builder.CreateExtractValue(product, 1));
    wraps = builder.CreateOr(wraps, builder.CreateICmpSLT(count, builder.getInt64(0)));
  }
  for (auto *corner : corners.places) {
    Value *at = builder.CreatePtrToInt(expander.expandCodeFor(corner, type, place), number);
    wraps = builder.CreateOr(wraps, builder.CreateICmpSLT(at, builder.getInt64(0)));
    low = low ? builder.CreateBinaryIntrinsic(Intrinsic::umin, low, at) : at;
    high = high ? builder.CreateBinaryIntrinsic(Intrinsic::umax, high, at) : at;
  }
  const SCEVPredicate &predicate = corners.evolution.getPredicate(); // nothing is asked any more that may add to it
  if (!predicate.isAlwaysTrue())
    wraps = builder.CreateOr(wraps, expander.expandCodeForPredicate(&predicate, place));
  extent->low = wrap(low);
  extent->high = wrap(builder.CreateAdd(high, builder.getInt64(bytes)));
  extent->holds = wrap(builder.CreateNot(wraps));
}

namespace {
// Where a pointer may lead that moves in no regular step: every value on its way lies between two numbers, which are the same in
// all iterations. That none of them wraps around is tested; conditions on the way are not looked at. What has fewer bits than 32
// may stand for itself with a sign or without one: who reads it tests which.
struct Between {
  struct Bounds {
    const SCEV *low, *high; // of 64 bits
  };
  struct Limit {
    Bounds bounds;
    int64_t least, most;
  };
  ScalarEvolution &scalars;
  LoopInfo &loops;
  Loop *loop;
  SmallVector<Limit, 16> limits;
  SmallVector<Value *, 4> conditions; // that have to hold as well
  DenseMap<Value *, Bounds> known;
  int visits = 0;

  Between(ScalarEvolution &scalars, LoopInfo &loops, Loop *loop) : scalars(scalars), loops(loops), loop(loop) {}

  const SCEV *number(int64_t value) { return scalars.getConstant(APInt(64, value, true)); }

  Bounds limited(Bounds bounds, int64_t least, int64_t most) {
    limits.push_back({bounds, least, most});
    return bounds;
  }

  // Sums and products of what is limited so do not wrap in 64 bits.
  Bounds fitted(Bounds bounds, Type *type) {
    unsigned bits = type->getIntegerBitWidth() > 32 ? 44 : type->getIntegerBitWidth();
    return limited(bounds, minIntN(bits), bits < 32 ? int64_t(maxUIntN(bits)) : maxIntN(bits));
  }

  Bounds with_sign(Bounds bounds, Type *type) { return limited(bounds, INT64_MIN, maxIntN(type->getIntegerBitWidth())); }
  Bounds without_sign(Bounds bounds) { return limited(bounds, 0, INT64_MAX); }

  Bounds either(Bounds a, Bounds b) { return {scalars.getSMinExpr(a.low, b.low), scalars.getSMaxExpr(a.high, b.high)}; }

  Bounds plus(Bounds a, Bounds b) { return {scalars.getAddExpr(a.low, b.low), scalars.getAddExpr(a.high, b.high)}; }

  Bounds product(Bounds a, Bounds b) {
    auto corner = [&](const SCEV *x, const SCEV *y) {
      const SCEV *value = scalars.getMulExpr(x, y);
      return Bounds{value, value};
    };
    return either(either(corner(a.low, b.low), corner(a.low, b.high)), either(corner(a.high, b.low), corner(a.high, b.high)));
  }

  // What was known of the loop before a function was made of what stands in front of its tile.
  Bounds told(const StepBounds &bounds) {
    conditions.push_back(bounds.holds);
    return {scalars.getUnknown(bounds.low), scalars.getUnknown(bounds.high)};
  }

  // How many iterations the loop makes at most, less one.
  const SCEV *times_of(Loop *counted) {
    const SCEV *exact = scalars.getBackedgeTakenCount(counted), *most = scalars.getSymbolicMaxBackedgeTakenCount(counted);
    if (counted == loop && !isa<SCEVCouldNotCompute>(exact))
      return exact;
    auto bounds = counted == loop && isa<SCEVCouldNotCompute>(most) ? step_times(*loop) : std::nullopt;
    return bounds ? told(*bounds).high : most;
  }

  // A counter: from where it starts to where it is in the last iteration.
  std::optional<Bounds> of_counter(PHINode *phi, Loop *counted) {
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(scalars.getSCEV(phi));
    BasicBlock *before = counted->getLoopPredecessor();
    const SCEV *times = times_of(counted);
    if (!recurrence || !recurrence->isAffine() || recurrence->getLoop() != counted || !before || isa<SCEVCouldNotCompute>(times) ||
        !scalars.isLoopInvariant(times, loop))
      return std::nullopt;
    const SCEV *step = recurrence->getStepRecurrence(scalars);
    auto start = of(phi->getIncomingValueForBlock(before));
    auto *constant = dyn_cast<SCEVConstant>(step);
    bool small = phi->getType()->getIntegerBitWidth() <= 32 || (constant && constant->getAPInt().isSignedIntN(16));
    if (!start || !scalars.isLoopInvariant(step, loop) || !small)
      return std::nullopt;
    Type *wide = Type::getInt64Ty(phi->getContext());
    const SCEV *count = scalars.getTruncateOrZeroExtend(times, wide);
    limited({count, count}, 0, INT32_MAX);
    const SCEV *way = scalars.getMulExpr(scalars.getSignExtendExpr(step, wide), count);
    Bounds last = plus(*start, {way, way});
    return fitted(either(*start, last), phi->getType());
  }

  std::optional<Bounds> of_phi(PHINode *phi) {
    Loop *inner = loops.getLoopFor(phi->getParent());
    if (inner && inner->getHeader() == phi->getParent())
      return of_counter(phi, inner);
    std::optional<Bounds> all;
    for (Value *value : phi->incoming_values()) {
      auto one = of(value);
      if (!one)
        return std::nullopt;
      all = all ? either(*all, *one) : *one;
    }
    return all;
  }

  // With a constant, which shifts and masks are told by as well.
  std::optional<Bounds> of_constant(BinaryOperator *i, Bounds a, int64_t c) {
    switch (i->getOpcode()) {
    case Instruction::Shl: return c >= 0 && c < 16 ? std::optional(product(a, {number(1 << c), number(1 << c)})) : std::nullopt;
    case Instruction::LShr: c = c >= 0 && c < 16 ? 1 << c : 0; [[fallthrough]];
    case Instruction::UDiv:
      if (c <= 0)
        return std::nullopt;
      without_sign(a);
      return Bounds{scalars.getUDivExpr(a.low, number(c)), scalars.getUDivExpr(a.high, number(c))};
    case Instruction::URem: without_sign(a); return c > 0 ? std::optional(Bounds{number(0), number(c - 1)}) : std::nullopt;
    case Instruction::And: return c >= 0 ? std::optional(Bounds{number(0), number(c)}) : std::nullopt;
    default: return std::nullopt;
    }
  }

  std::optional<Bounds> of_sum(BinaryOperator *i) {
    auto a = of(i->getOperand(0)), b = of(i->getOperand(1));
    auto *constant = dyn_cast<ConstantInt>(i->getOperand(1));
    auto *disjoint = dyn_cast<PossiblyDisjointInst>(i);
    if (!a || !b)
      return std::nullopt;
    bool small = i->getType()->getIntegerBitWidth() <= 32 || (constant && constant->getValue().isSignedIntN(16));
    if (constant && i->getType()->getIntegerBitWidth() < 32) // what LLVM adds to an index of 8 bits, it calls -128
      *b = {number(constant->getZExtValue()), number(constant->getZExtValue())};
    if (i->getOpcode() == Instruction::Add || (disjoint && disjoint->isDisjoint()))
      return plus(*a, *b);
    if (i->getOpcode() == Instruction::Sub)
      return Bounds{scalars.getMinusSCEV(a->low, b->high), scalars.getMinusSCEV(a->high, b->low)};
    if (i->getOpcode() == Instruction::Mul && small)
      return product(*a, *b);
    return constant ? of_constant(i, *a, constant->getSExtValue()) : std::nullopt;
  }

  std::optional<Bounds> of_instruction(Instruction *i) {
    if (auto bounds = loops.getLoopFor(i->getParent()) == loop ? step_counter(*loop, *i) : std::nullopt)
      return fitted(told(*bounds), i->getType());
    if (auto *phi = dyn_cast<PHINode>(i))
      return of_phi(phi);
    if (auto *operation = dyn_cast<BinaryOperator>(i))
      if (auto bounds = of_sum(operation))
        return fitted(*bounds, i->getType());
    if (!isa<TruncInst, ZExtInst, SExtInst>(i))
      return std::nullopt;
    auto bounds = of(i->getOperand(0));
    if (bounds && !isa<TruncInst>(i))
      isa<ZExtInst>(i) ? without_sign(*bounds) : with_sign(*bounds, i->getOperand(0)->getType());
    return bounds ? std::optional(fitted(*bounds, i->getType())) : std::nullopt;
  }

  std::optional<Bounds> of(Value *value) {
    const int most = 200;
    if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64 || ++visits > most)
      return std::nullopt;
    if (auto found = known.find(value); found != known.end())
      return found->second;
    std::optional<Bounds> bounds;
    if (loop->isLoopInvariant(value)) {
      const SCEV *same = scalars.getTruncateOrSignExtend(scalars.getSCEV(value), Type::getInt64Ty(value->getContext()));
      bounds = fitted({same, same}, value->getType());
    } else {
      bounds = of_instruction(cast<Instruction>(value));
    }
    if (bounds)
      known[value] = *bounds;
    return bounds;
  }

  // Bytes from the base, which does not move.
  std::optional<Bounds> of_pointer(Value *pointer, Value *&base) {
    Bounds sum{number(0), number(0)};
    const DataLayout &layout = loop->getHeader()->getDataLayout();
    for (base = pointer; !loop->isLoopInvariant(base); base = cast<GEPOperator>(base)->getPointerOperand()) {
      auto *step = dyn_cast<GEPOperator>(base);
      SmallMapVector<Value *, APInt, 4> indices;
      APInt constant(64, 0);
      if (!step || !step->collectOffset(layout, 64, indices, constant) || !constant.isSignedIntN(32))
        return std::nullopt;
      sum = plus(sum, {scalars.getConstant(constant), scalars.getConstant(constant)});
      for (auto &[index, size] : indices) {
        auto bounds = of(index);
        if (!bounds || !size.isSignedIntN(16))
          return std::nullopt;
        with_sign(*bounds, index->getType());
        sum = plus(sum, product(*bounds, {scalars.getConstant(size), scalars.getConstant(size)}));
      }
    }
    return sum;
  }

  bool can_be_computed(Bounds sum, SCEVExpander &expander, Instruction *place) {
    auto can = [&](Bounds b) { return expander.isSafeToExpandAt(b.low, place) && expander.isSafeToExpandAt(b.high, place); };
    return can(sum) && all_of(limits, [&](Limit &l) { return can(l.bounds); });
  }

  // Whether all of it is within its limits.
  Value *holding(SCEVExpander &expander, Instruction *place) {
    IRBuilder<> builder(place);
    Value *holds = builder.getTrue();
    auto expand = [&](const SCEV *value) { return expander.expandCodeFor(value, builder.getInt64Ty(), place); };
    for (Value *condition : conditions)
      holds = builder.CreateAnd(holds, condition);
    for (Limit &l : limits) {
      if (l.least > INT64_MIN)
        holds = builder.CreateAnd(holds, builder.CreateICmpSGE(expand(l.bounds.low), builder.getInt64(l.least)));
      if (l.most < INT64_MAX)
        holds = builder.CreateAnd(holds, builder.CreateICmpSLE(expand(l.bounds.high), builder.getInt64(l.most)));
    }
    return holds;
  }

  void compute(Bounds sum, SCEVExpander &expander, Instruction *place, Value *base, int64_t bytes, IrExtent *extent) {
    IRBuilder<> builder(place);
    Type *type = builder.getInt64Ty();
    auto expand = [&](const SCEV *value) { return expander.expandCodeFor(value, type, place); };
    Value *from = builder.CreatePtrToInt(base, type), *holds = holding(expander, place);
    Value *low = builder.CreateAdd(from, expand(sum.low)), *high = builder.CreateAdd(from, expand(sum.high));
    for (Value *at : {low, high})
      holds = builder.CreateAnd(holds, builder.CreateICmpSGE(at, builder.getInt64(0)));
    extent->low = wrap(low);
    extent->high = wrap(builder.CreateAdd(high, builder.getInt64(bytes)));
    extent->holds = wrap(holds);
  }
};
} // namespace

static bool extent_between(IrModule *ir, Function &f, Loop *loop, Value *pointer, int64_t bytes, Instruction *at, bool computes,
                           IrExtent *extent) {
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Between between(evolution, ir->functions->getResult<LoopAnalysis>(f), loop);
  SCEVExpander expander(evolution, "coalda");
  Value *start = nullptr;
  auto sum = between.of_pointer(pointer, start);
  auto *base = sum ? dyn_cast<SCEVUnknown>(evolution.getPointerBase(evolution.getSCEV(start))) : nullptr;
  if (!base || !between.can_be_computed(*sum, expander, at))
    return false;
  extent->base = wrap(base->getValue());
  if (computes)
    between.compute(*sum, expander, at, start, bytes, extent);
  return true;
}

bool ir_extent(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t bytes,
               LLVMValueRef place, IrExtent *extent) {
  Function &f = *unwrap<Function>(function);
  LLVMValueRef nowhere = wrap(ConstantInt::get(Type::getInt64Ty(f.getContext()), 0));
  *extent = {wrap(ConstantPointerNull::get(PointerType::get(f.getContext(), 0))), nowhere, nowhere,
             wrap(ConstantInt::getFalse(f.getContext()))};
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  BasicBlock *before = loop->getLoopPredecessor();
  if (!before || !shallow_form(evolution, unwrap(pointer)))
    return false;
  PredicatedScalarEvolution predicated(evolution, *loop);
  const SCEV *known = predicated.getSCEV(unwrap(pointer));
  if (!evolution.isLoopInvariant(known, loop) && !isa<SCEVAddRecExpr>(known))
    known = predicated.getAsAddRec(unwrap(pointer));
  Corners corners{predicated, loop, {}, {}};
  Instruction *at = place ? unwrap<Instruction>(place) : before->getTerminator();
  if (!known || !corners.add(known))
    return extent_between(ir, f, loop, unwrap(pointer), bytes, at, place != nullptr, extent);
  auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(corners.places[0]));
  SCEVExpander expander(evolution, "coalda");
  if (!base || !corners.can_be_computed(expander, at))
    return false;
  extent->base = wrap(base->getValue());
  if (place)
    compute_extent(corners, expander, at, unwrap(pointer)->getType(), bytes, extent);
  return true;
}

LLVMValueRef ir_loop_ends(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef place) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  BasicBlock *last = loop->getExitingBlock();
  auto *jump = last ? dyn_cast<BranchInst>(last->getTerminator()) : nullptr;
  auto *asked = jump ? dyn_cast<ICmpInst>(jump->getCondition()) : nullptr;
  if (!asked || isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(loop)))
    return nullptr;
  SCEVExpander expander(evolution, "coalda");
  Value *side[2];
  for (unsigned i = 0; i < 2; i++) {
    const SCEV *form = shallow_form(evolution, asked->getOperand(i));
    const SCEV *then = form ? evolution.getSCEVAtScope(form, loop->getParentLoop()) : nullptr;
    if (!then || !evolution.isLoopInvariant(then, loop) || !expander.isSafeToExpandAt(then, unwrap<Instruction>(place)))
      return nullptr;
    side[i] = expander.expandCodeFor(then, asked->getOperand(i)->getType(), unwrap<Instruction>(place)->getIterator());
  }
  IRBuilder<> builder(unwrap<Instruction>(place));
  Value *holds = builder.CreateICmp(asked->getPredicate(), side[0], side[1]);
  return wrap(loop->contains(jump->getSuccessor(0)) ? builder.CreateNot(holds) : holds);
}

} // extern "C"

std::optional<StepBounds> integer_bounds(IrModule *ir, Loop &loop, Value *integer, Instruction *place) {
  Function &f = *loop.getHeader()->getParent();
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Between between(evolution, ir->functions->getResult<LoopAnalysis>(f), &loop);
  SCEVExpander expander(evolution, "coalda");
  auto bounds = between.of(integer);
  if (!bounds || !between.can_be_computed(*bounds, expander, place))
    return std::nullopt;
  Type *type = Type::getInt64Ty(f.getContext());
  Value *low = expander.expandCodeFor(bounds->low, type, place), *high = expander.expandCodeFor(bounds->high, type, place);
  return StepBounds{low, high, between.holding(expander, place)};
}

std::optional<StepBounds> times_bounds(IrModule *ir, Loop &loop, Instruction *place) {
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*loop.getHeader()->getParent());
  SCEVExpander expander(evolution, "coalda");
  const SCEV *most = evolution.getSymbolicMaxBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(most) || !expander.isSafeToExpandAt(most, place))
    return std::nullopt;
  IRBuilder<> builder(place);
  Value *times = builder.CreateZExtOrTrunc(expander.expandCodeFor(most, most->getType(), place), builder.getInt64Ty());
  return StepBounds{builder.getInt64(0), times, builder.CreateICmpSGE(times, builder.getInt64(0))};
}
