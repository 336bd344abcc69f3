// How often a loop would run if arguments had certain values. No expression is made for that: those that ScalarEvolution makes are there
// once for all, and what were said of one for supposed values would be believed of others.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace {
using Number = std::optional<APInt>;

// A member of a struct that is given by value, which the function loads; -1 where the load is none of one.
int64_t member_at(const LoadInst &load, const Argument *&of) {
  const DataLayout &layout = load.getModule()->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
  of = dyn_cast<Argument>(load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true));
  if (!of || !of->hasByValAttr() || !load.isSimple())
    return -1;
  uint64_t bytes = layout.getTypeAllocSize(of->getParamByValType()), size = layout.getTypeStoreSize(load.getType());
  return offset.ule(bytes) && size <= bytes - offset.getZExtValue() ? int64_t(offset.getZExtValue()) : -1;
}

// Is it a number that a launch gives?
bool is_given(const Value *value, IrGiven &given) {
  auto *load = dyn_cast<LoadInst>(value);
  auto *argument = dyn_cast<Argument>(value);
  if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64 || (!load && !argument))
    return false;
  int64_t offset = load ? member_at(*load, argument) : int64_t(IR_ARGUMENT);
  if (load && offset < 0)
    return false;
  given = {argument->getArgNo(), value->getType()->getIntegerBitWidth(), offset, 0, false};
  return true;
}

bool is_same(const IrGiven &a, const IrGiven &b) {
  return a.argument == b.argument && a.offset == b.offset && (a.offset == IR_ARGUMENT || a.bits == b.bits);
}

// What the hardware tells the thread of where it is.
std::optional<int64_t> told_by_place(const Value *value, const IrPlace &place) {
  const int64_t lanes = 32;
  auto *call = dyn_cast<IntrinsicInst>(value);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z: return place.thread;
  case Intrinsic::nvvm_read_ptx_sreg_laneid: return place.thread % lanes;
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z: return place.block;
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z: return place.threads ? std::optional<int64_t>(place.threads) : std::nullopt;
  default: return std::nullopt;
  }
}

// What ScalarEvolution does not follow: signed quotients, of which rows of four elements at a time are told.
bool is_followed(const Value *value) {
  auto *made = dyn_cast<Instruction>(value);
  return made && (made->getOpcode() == Instruction::SDiv || made->getOpcode() == Instruction::AShr || isa<FreezeInst>(made));
}

// What ScalarEvolution makes no minimum of: where the last of some chunks ends, `t == parts - 1 ? n : (t + 1) * (n / parts)`.
const SelectInst *choice_of(const Value *value) {
  auto *choice = dyn_cast_or_null<SelectInst>(value);
  auto *condition = choice ? dyn_cast<ICmpInst>(choice->getCondition()) : nullptr;
  return condition && condition->getOperand(0)->getType()->isIntegerTy() ? choice : nullptr;
}

// Where a value comes from a loop on one of its ways: what a counter is when that has ended. Rows that are walked down are unrolled so that what is left
// over comes first; where nothing is, that is what the counter was.
const SCEV *left_by_loop(ScalarEvolution &evolution, const LoopInfo &loops, const Value *value) {
  auto *phi = dyn_cast<PHINode>(value);
  const SCEV *left = nullptr;
  for (unsigned i = 0; phi && i < phi->getNumIncomingValues(); i++) {
    Value *incoming = phi->getIncomingValue(i);
    auto *made = dyn_cast<Instruction>(incoming);
    const Loop *from = made ? loops.getLoopFor(made->getParent()) : nullptr;
    if (!from || from->contains(phi->getParent()) || !evolution.isSCEVable(incoming->getType()))
      continue;
    const SCEV *form = evolution.getSCEVAtScope(incoming, loops.getLoopFor(phi->getParent()));
    if (left || form == evolution.getSCEV(incoming))
      return nullptr;
    left = form;
  }
  return left;
}

// The least of several numbers: rows that end where their capacity does, or before.
bool is_least(const SCEV &form) {
  SCEVTypes type = form.getSCEVType();
  return type == scSMinExpr || type == scUMinExpr || type == scSequentialUMinExpr;
}

struct Supposed {
  ScalarEvolution &evolution;
  const LoopInfo &loops;
  IrGiven *given;
  size_t count;
  const IrPlace *place;
  int left = 500; // of parts that are looked at

  Number of(const SCEV *form) {
    if (left-- <= 0)
      return std::nullopt;
    switch (form->getSCEVType()) {
    case scConstant: return cast<SCEVConstant>(form)->getAPInt();
    case scUnknown: return of_value(cast<SCEVUnknown>(form)->getValue());
    case scPtrToInt: return of(cast<SCEVPtrToIntExpr>(form)->getOperand());
    case scTruncate:
    case scZeroExtend:
    case scSignExtend: return of_cast(*cast<SCEVIntegralCastExpr>(form));
    case scAddRecExpr: return place && place->begins ? of(cast<SCEVAddRecExpr>(form)->getStart()) : Number();
    case scUDivExpr: return of_quotient(*cast<SCEVUDivExpr>(form));
    case scAddExpr:
    case scMulExpr:
    case scSMaxExpr:
    case scUMaxExpr:
    case scSMinExpr:
    case scUMinExpr:
    case scSequentialUMinExpr: return of_all(*form);
    default: return std::nullopt;
    }
  }

  Number of_operation(const Instruction &made) {
    Number one = of(evolution.getSCEV(made.getOperand(0)));
    Number other = one && !isa<FreezeInst>(made) ? of(evolution.getSCEV(made.getOperand(1))) : one;
    if (!one || !other || isa<FreezeInst>(made))
      return one && other ? one : std::nullopt;
    if (made.getOpcode() == Instruction::SDiv)
      return other->isZero() ? Number() : one->sdiv(*other);
    return one->ashr(*other);
  }

  Number of_choice(const SelectInst &choice) {
    auto &condition = *cast<ICmpInst>(choice.getCondition());
    Number one = of(evolution.getSCEV(condition.getOperand(0))), other = of(evolution.getSCEV(condition.getOperand(1)));
    if (!one || !other)
      return std::nullopt;
    bool holds = ICmpInst::compare(*one, *other, condition.getPredicate());
    return of(evolution.getSCEV(choice.getOperand(holds ? 1 : 2)));
  }

  Number of_value(const Value *value) {
    IrGiven here;
    if (const SelectInst *choice = choice_of(value))
      return of_choice(*choice);
    if (value->getType()->isPointerTy()) // where an array lies is no matter: how far two places of it are apart is
      return APInt(unsigned(evolution.getTypeSizeInBits(value->getType())), uint64_t(1) << 30);
    if (std::optional<int64_t> index = place ? told_by_place(value, *place) : std::nullopt)
      return APInt(64, uint64_t(*index)).zextOrTrunc(value->getType()->getIntegerBitWidth());
    if (is_followed(value))
      return of_operation(*cast<Instruction>(value));
    if (const SCEV *left = place ? left_by_loop(evolution, loops, value) : nullptr) // an estimate: the loop may not have run
      return of(left);
    for (size_t i = 0; is_given(value, here) && i < count; i++)
      if (is_same(given[i], here)) {
        given[i].used = true;
        return APInt(64, uint64_t(given[i].value)).zextOrTrunc(here.bits);
      }
    return std::nullopt;
  }

  Number of_cast(const SCEVIntegralCastExpr &form) {
    Number inside = of(form.getOperand());
    unsigned bits = form.getType()->getIntegerBitWidth();
    if (!inside)
      return std::nullopt;
    return isa<SCEVSignExtendExpr>(form)   ? inside->sext(bits)
           : isa<SCEVZeroExtendExpr>(form) ? inside->zext(bits)
                                           : inside->trunc(bits);
  }

  Number of_quotient(const SCEVUDivExpr &form) {
    Number above = of(form.getLHS()), below = of(form.getRHS());
    if (!above || !below || below->isZero())
      return std::nullopt;
    // Less than nothing is left: a condition in front of the loop keeps from it.
    return above->isNegative() ? APInt::getAllOnes(above->getBitWidth()) : above->udiv(*below);
  }

  static APInt joined(SCEVTypes type, const APInt &a, const APInt &b) {
    switch (type) {
    case scAddExpr: return a + b;
    case scMulExpr: return a * b;
    case scSMaxExpr: return APIntOps::smax(a, b);
    case scUMaxExpr: return APIntOps::umax(a, b);
    case scSMinExpr: return APIntOps::smin(a, b);
    default: return APIntOps::umin(a, b);
    }
  }

  // Of a product one part that is zero tells it. Of the least of several those count that are told: it is that much at most.
  Number of_all(const SCEV &form) {
    Number all;
    bool known = true;
    for (const SCEV *part : form.operands()) {
      Number here = of(part);
      if (here && here->isZero() && form.getSCEVType() == scMulExpr)
        return here;
      if (!here && is_least(form))
        continue;
      known &= here && (!all || all->getBitWidth() == here->getBitWidth());
      if (known)
        all = all ? joined(form.getSCEVType(), *all, *here) : *here;
    }
    return known && all ? all : std::nullopt;
  }
};

// What a number is computed from, and whether it is that alone.
struct Leaves {
  ScalarEvolution &evolution;
  const LoopInfo &loops;
  IrGiven *given;
  size_t most, count = 0;
  bool all = true;
  int left = 100; // quotients, least of several, and counters of other loops, that are followed

  void add(const IrGiven &here) {
    for (size_t i = 0; i < count; i++)
      if (is_same(given[i], here))
        return;
    all &= count < most;
    if (all)
      given[count++] = here;
  }

  void add_operands(const Instruction &made) {
    all &= left-- > 0;
    for (const Use &operand : made.operands())
      if (all)
        visitAll(evolution.getSCEV(operand), *this);
  }

  // Those that are told. Where none is, the least has no value, whatever is supposed.
  bool follow_least(const SCEV &form) {
    all &= left-- > 0;
    for (const SCEV *part : form.operands()) {
      if (!all)
        break;
      Leaves here = *this;
      visitAll(part, here);
      left = here.left;
      count = here.all ? here.count : count;
    }
    return false;
  }

  bool follow(const SCEV *form) {
    if (is_least(*form))
      return follow_least(*form);
    auto *leaf = dyn_cast<SCEVUnknown>(form);
    const Value *value = leaf ? leaf->getValue() : nullptr;
    IrGiven here;
    if (const SelectInst *choice = choice_of(value)) {
      add_operands(*cast<ICmpInst>(choice->getCondition()));
      for (unsigned i = 1; all && i < choice->getNumOperands(); i++)
        visitAll(evolution.getSCEV(choice->getOperand(i)), *this);
      return all;
    }
    if (!value || isa<IntrinsicInst>(value) || value->getType()->isPointerTy()) // what tells a place, and arrays
      return all;
    const SCEV *ended = left-- > 0 ? left_by_loop(evolution, loops, value) : nullptr;
    if (ended)
      visitAll(ended, *this);
    else if (is_followed(value))
      add_operands(*cast<Instruction>(value));
    else if (is_given(value, here))
      add(here);
    else
      all = false;
    return all;
  }
  bool isDone() const { return !all; }
};

bool is_rounded(const Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  auto from_float = [](const Use &use) { return use->getType()->isFloatingPointTy(); };
  return isa<FPToSIInst, FPToUIInst>(value) || (call && call->getType()->isIntegerTy() && any_of(call->args(), from_float));
}

// Is it a number that has been rounded, or computed from one? A bound that is kept within others is chosen, and a counter goes on where a loop in front, of what clang has unrolled, left it.
bool is_made_of_rounded(const Value *value) {
  enum { MOST = 32 };
  SmallSetVector<const Value *, MOST> open;
  open.insert(value);
  for (unsigned at = 0; at < open.size() && open.size() < MOST; at++) {
    if (is_rounded(open[at]))
      return true;
    auto *made = dyn_cast<Instruction>(open[at]);
    if (made && isa<BinaryOperator, CastInst, SelectInst, MinMaxIntrinsic, FreezeInst, PHINode>(made))
      open.insert_range(made->operand_values());
  }
  return false;
}
} // namespace

static ScalarEvolution &evolution_of(IrModule *ir, Loop *loop) {
  return ir->functions->getResult<ScalarEvolutionAnalysis>(*loop->getHeader()->getParent());
}

static const LoopInfo &loops_of(IrModule *ir, Loop *loop) {
  return ir->functions->getResult<LoopAnalysis>(*loop->getHeader()->getParent());
}

static const SCEV *count_of(ScalarEvolution &evolution, Loop *loop) {
  if (!ends_are_shallow(*loop, evolution))
    return nullptr;
  const SCEV *again = evolution.getBackedgeTakenCount(loop);
  return isa<SCEVCouldNotCompute>(again) || again->getType()->isPointerTy() ? nullptr : again;
}

extern "C" bool ir_loop_given(IrModule *ir, IrLoop *loop, IrGiven *given, size_t most, size_t *count) {
  ScalarEvolution &evolution = evolution_of(ir, loop_in(loop));
  const SCEV *again = count_of(evolution, loop_in(loop));
  Leaves leaves{evolution, loops_of(ir, loop_in(loop)), given, most};
  if (again)
    visitAll(again, leaves);
  *count = leaves.count;
  return again && leaves.all;
}

extern "C" int64_t ir_loop_trips_if(IrModule *ir, IrLoop *loop, IrGiven *given, size_t count, const IrPlace *place) {
  Loop *l = loop_in(loop);
  ScalarEvolution &evolution = evolution_of(ir, l);
  const SCEV *again = count_of(evolution, l);
  Number times = again ? Supposed{evolution, loops_of(ir, l), given, count, place}.of(again) : Number();
  if (!times || times->getBitWidth() > 64)
    return -1;
  if (times->isNegative()) // what stands in front of the loop keeps from it
    return 0;
  const uint64_t most = uint64_t(1) << 40; // more are as many
  // A loop that leaves at its top enters its header once more than its body.
  BasicBlock *exiting = l->getExitingBlock();
  return int64_t(std::min(times->getZExtValue(), most)) + (exiting && exiting != l->getLoopLatch() ? 0 : 1);
}

// How far the loop goes, by what ends it: where a counter begins and ends equally far from a rounded number, that is no matter.
static const SCEV *way_of(ScalarEvolution &evolution, Loop *loop) {
  const BasicBlock *latch = loop->getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  auto *ends = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  for (unsigned i = 0; ends && i < 2; i++) {
    auto *counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(ends->getOperand(i)));
    const SCEV *end = evolution.getSCEV(ends->getOperand(1 - i));
    if (counter && counter->getLoop() == loop && evolution.isLoopInvariant(end, loop))
      return evolution.getMinusSCEV(end, counter->getStart());
  }
  return count_of(evolution, loop);
}

extern "C" bool ir_loop_is_rounded(IrModule *ir, IrLoop *loop) {
  ScalarEvolution &evolution = evolution_of(ir, loop_in(loop));
  const SCEV *way = count_of(evolution, loop_in(loop)) ? way_of(evolution, loop_in(loop)) : nullptr;
  return way && !isa<SCEVCouldNotCompute>(way) && SCEVExprContains(way, [](const SCEV *form) {
           auto *leaf = dyn_cast<SCEVUnknown>(form);
           return leaf && is_made_of_rounded(leaf->getValue());
         });
}
