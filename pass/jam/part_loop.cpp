// Loops some of whose accesses stand under conditions of counters, which hold from one iteration on, or up to one: those between run by themselves, and ask
// nothing.
//
//     for (j = 0; j < m; j++) {              first = smax(0, r + 1), behind = smin(m, m - r)
//       if (j + r < m) s += a[j + r];        for (j = 0; j < first; j++) as it is
//       if (j > r) s -= a[j - r - 1];   ->   for (; j < behind; j++) s += a[j + r], s -= a[j - r - 1], o[j] = s
//       o[j] = s;                            for (; j < m; j++) as it is
//     }
//
// That no counter wraps around on the way is told by ScalarEvolution, or asked on entry; where it is not so, the loop runs as it is.
#include "pass/base/marks.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"
#include "pass/jam/loop_copy.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace PatternMatch;

namespace {
// Bounds of what is computed in 64 bits: by how much counters step, how often, and from where to where.
enum { MOST_STEP_BITS = 16, MOST_TRIPS_BITS = 40, MOST_BITS = 58, MOST_CUTS = 64, ADDRESS_STEPS = 8, MOST_USERS = 256 };

bool is_access(const Instruction &i) { return isa<LoadInst>(i) || isa<StoreInst>(i); }
} // namespace

struct IrIndexSet {
  // What a value is in each of the iterations that run by themselves: another one, less so much if that is given.
  struct Fold {
    WeakVH at;
    WeakTrackingVH becomes, less = nullptr; // are widened before they are put in its place
  };

  // Counters between two that go on side by side, `counter predicate bound` in each of them: where LLVM has unrolled a loop, each iteration's is one.
  struct Cut {
    const SCEVAddRecExpr *low, *high;
    const SCEV *bound;
    CmpInst::Predicate predicate;
    int64_t step, apart; // high - low
  };

  Loop *loop;
  ScalarEvolution &evolution;
  DominatorTree &tree;
  IntegerType *number;
  SmallVector<Fold, 8> folds;
  SmallVector<Cut, 8> cuts;
  SmallVector<WeakVH, 8> asked; // their counters, which do not wrap around
  SmallDenseMap<BasicBlock *, unsigned> ways; // of blocks whose branches go one way in all of them
  SmallPtrSet<BasicBlock *, 16> reached; // blocks that they come to
  SmallDenseMap<Value *, Value *> chosen; // what choices of two things that move, or that stay, come to in them
  SmallVector<Instruction *, 4> opened; // branches and choices whose other way the iterations behind them are to go
  bool is_late; // the last iterations are wanted of such branches and choices, and not the first
  bool is_twofold = false; // there are such
  bool are_settled = false; // all branches are
  const SCEV *last = nullptr; // the number of the loop's last iteration, and of the first of them, and of the one behind them:
  const SCEV *first = nullptr, *behind = nullptr;
  SmallVector<std::tuple<CmpInst::Predicate, const SCEV *, const SCEV *>, 8> tests;

  IrIndexSet(Loop &loop, ScalarEvolution &evolution, DominatorTree &tree, bool is_late)
      : loop(&loop), evolution(evolution), tree(tree), number(Type::getInt64Ty(loop.getHeader()->getContext())), is_late(is_late) {}

  const SCEV *constant(int64_t value) { return evolution.getConstant(number, uint64_t(value), true); }

  // ---- which conditions hold in them

  bool touches(BasicBlock *from, unsigned way) const {
    BasicBlockEdge edge(from, from->getTerminator()->getSuccessor(way));
    return any_of(loop->blocks(), [&](BasicBlock *block) {
      return tree.dominates(edge, block) && any_of(*block, [&](const Instruction &i) {
               return is_access(i) && !loop->isLoopInvariant(getLoadStorePointerOperand(&i));
             });
    });
  }

  // A counter of the loop that moves on by a number, and something that stays.
  bool add_cut(CmpInst::Predicate predicate, Value *left, Value *right) {
    const SCEV *a = shallow_form(evolution, left), *b = shallow_form(evolution, right);
    if (a && b && !isa<SCEVAddRecExpr>(a)) {
      std::swap(a, b);
      std::swap(left, right);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    auto *counter = dyn_cast_or_null<SCEVAddRecExpr>(a);
    if (!b || !counter || counter->getLoop() != loop || !counter->isAffine() || !evolution.isLoopInvariant(b, loop) ||
        !ICmpInst::isRelational(predicate) || evolution.getTypeSizeInBits(a->getType()) > 64 || cuts.size() == MOST_CUTS)
      return false;
    auto *step = dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution));
    if (!step || step->getAPInt().abs().ugt(uint64_t(1) << MOST_STEP_BITS))
      return false;
    cuts.push_back({counter, counter, b, predicate, step->getAPInt().getSExtValue(), 0});
    asked.push_back(WeakVH(left));
    return true;
  }

  bool is_asked(Value *value) const {
    return any_of(asked, [&](const WeakVH &counter) { return counter == value; });
  }

  // Counters that are compared with the same bound, and differ by a number, are one cut.
  bool unites(Cut &cut, const Cut &other) {
    auto *behind = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(other.low->getStart(), cut.low->getStart()));
    if (other.predicate != cut.predicate || other.bound != cut.bound || other.step != cut.step || !behind ||
        behind->getAPInt().abs().ugt(uint64_t(1) << MOST_STEP_BITS))
      return false;
    int64_t on = behind->getAPInt().getSExtValue();
    if (on < 0)
      cut.low = other.low;
    if (on > cut.apart)
      cut.high = other.low;
    cut.apart = std::max(cut.apart, on) - std::min<int64_t>(on, 0);
    return true;
  }

  void unite_cuts() {
    SmallVector<Cut, 8> all;
    std::swap(all, cuts);
    for (const Cut &other : all)
      if (none_of(cuts, [&](Cut &cut) { return unites(cut, other); }))
        cuts.push_back(other);
  }

  bool imply(Value *condition, bool value) {
    Value *a, *b;
    if (match(condition, m_Not(m_Value(a))))
      return imply(a, !value);
    if (value ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b))) : match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
      return imply(a, value) && imply(b, value);
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare || !compare->getOperand(0)->getType()->isIntOrPtrTy())
      return false;
    auto predicate = value ? compare->getPredicate() : compare->getInversePredicate();
    if (!add_cut(predicate, compare->getOperand(0), compare->getOperand(1)))
      return false;
    folds.push_back({WeakVH(compare), ConstantInt::getBool(compare->getType(), value)});
    return true;
  }

  // All of it, or nothing.
  bool try_imply(Value *condition, bool value) {
    size_t cuts_before = cuts.size(), asked_before = asked.size(), folds_before = folds.size();
    if (imply(condition, value))
      return true;
    cuts.truncate(cuts_before);
    asked.truncate(asked_before);
    folds.truncate(folds_before);
    return false;
  }

  // Is it true in the loop's first iterations, if it is not the same in all? Of several at once the way is wanted that all of them tell.
  bool holds_first(Value *condition) {
    Value *a;
    if (match(condition, m_Not(m_Value(a))))
      return !holds_first(a);
    auto *compare = dyn_cast<ICmpInst>(condition);
    if (!compare || !ICmpInst::isRelational(compare->getPredicate()) || !compare->getOperand(0)->getType()->isIntOrPtrTy())
      return !match(condition, m_LogicalOr(m_Value(), m_Value()));
    auto *left = dyn_cast_or_null<SCEVAddRecExpr>(shallow_form(evolution, compare->getOperand(0)));
    auto *right = dyn_cast_or_null<SCEVAddRecExpr>(shallow_form(evolution, compare->getOperand(1)));
    auto predicate = left && left->getLoop() == loop ? compare->getPredicate() : compare->getSwappedPredicate();
    auto *counter = left && left->getLoop() == loop ? left : right;
    bool is_rising = !counter || !evolution.isKnownNegative(counter->getStepRecurrence(evolution));
    return (ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate)) == is_rising;
  }

  // Both of its ways move, or both stay: one after the other is wanted, each in iterations of its own.
  std::optional<bool> settle(Instruction &at, Value *condition) {
    bool late = is_late || at.hasMetadata(LATE_METADATA), value = holds_first(condition) != late;
    if (!try_imply(condition, value))
      return std::nullopt;
    is_twofold = true;
    if (!late)
      opened.push_back(&at);
    return value;
  }

  // Told of all blocks where their branches are settled.
  bool may_come_to(BasicBlock *block) const { return !are_settled || reached.contains(block); }

  // Would the value come to be asked for by its user, an instruction of the loop?
  bool is_passed_on(Value *value, Instruction *user) const {
    auto choice = chosen.find(user);
    return loop->contains(user) && may_come_to(user->getParent()) && (choice == chosen.end() || choice->second == value);
  }

  // Does an access that they come to lie where the value says?
  bool is_place(Value *value) const {
    SmallPtrSet<Value *, 16> seen = {value};
    SmallVector<Value *, 16> pending(1, value);
    while (!pending.empty() && seen.size() < MOST_USERS) {
      Value *at = pending.pop_back_val();
      for (User *user : at->users()) {
        auto *i = dyn_cast<Instruction>(user);
        if (!i || !is_passed_on(at, i))
          continue;
        if (is_access(*i) && seen.contains(getLoadStorePointerOperand(i)))
          return true;
        if (!isa<PHINode>(i) && seen.insert(i).second)
          pending.push_back(i);
      }
    }
    return false;
  }

  // Is it the branch of the block that chooses what the phi is, behind both of its ways?
  bool decides(BasicBlock *block, const PHINode &phi) const {
    bool ways_to[2] = {};
    if (phi.getParent() == loop->getHeader() || !loop->contains(&phi) || block->getTerminator()->getNumSuccessors() != 2)
      return false;
    for (unsigned way = 0; way < 2; way++) {
      BasicBlockEdge edge(block, block->getTerminator()->getSuccessor(way));
      ways_to[way] = any_of(phi.blocks(), [&](BasicBlock *from) {
        return (from == block && edge.getEnd() == phi.getParent()) || tree.dominates(edge, from);
      });
    }
    return ways_to[0] && ways_to[1];
  }

  bool decides_place(BasicBlock *block) {
    return any_of(loop->blocks(), [&](BasicBlock *join) {
      return any_of(join->phis(),
                    [&](PHINode &phi) { return phi.getType()->isIntOrPtrTy() && decides(block, phi) && is_place(&phi); });
    });
  }

  void find_way(BasicBlock *block) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || branch->isUnconditional() || loop->isLoopExiting(block) || branch->getSuccessor(0) == branch->getSuccessor(1))
      return;
    bool then = touches(block, 0), otherwise = touches(block, 1);
    if (then ? otherwise : !otherwise && decides_place(block)) {
      if (auto value = settle(*branch, branch->getCondition()))
        ways[block] = *value ? 0 : 1;
    } else if (then != otherwise && try_imply(branch->getCondition(), then)) {
      ways[block] = then ? 0 : 1;
    }
  }

  void find_branches() {
    SmallVector<BasicBlock *, 16> pending(1, loop->getHeader());
    while (!pending.empty()) {
      BasicBlock *block = pending.pop_back_val();
      if (!loop->contains(block) || !reached.insert(block).second)
        continue;
      find_way(block);
      auto way = ways.find(block);
      for (unsigned i = 0; i < block->getTerminator()->getNumSuccessors(); i++)
        if (way == ways.end() || way->second == i)
          pending.push_back(block->getTerminator()->getSuccessor(i));
    }
    are_settled = true;
  }

  Value *folded(Value *value) const {
    auto *found = find_if(folds, [&](const Fold &fold) { return fold.at == value && !fold.less; });
    return found == folds.end() ? value : static_cast<Value *>(found->becomes);
  }

  bool moves(Value *value) {
    auto *counter = dyn_cast_or_null<SCEVAddRecExpr>(evolution.isSCEVable(value->getType()) ? shallow_form(evolution, value)
                                                                                            : nullptr);
    return counter && counter->getLoop() == loop;
  }

  // min(j + 1, m - 1)
  bool add_bounded(IntrinsicInst &clamp, CmpInst::Predicate predicate, Value *less) {
    for (unsigned k = 0; k < (less ? 1 : 2); k++) {
      Value *counter = folded(clamp.getArgOperand(k)), *bound = clamp.getArgOperand(1 - k);
      if (!loop->isLoopInvariant(counter) && add_cut(predicate, counter, bound)) {
        folds.push_back({WeakVH(&clamp), counter, less});
        return true;
      }
    }
    return false;
  }

  // j > 0 ? j - 1 : 0; j + 1 == m ? 0 : j + 1, of which all iterations but one are taken to lie on one side, behind a number that LLVM knows and in front
  // of others.
  bool add_chosen(SelectInst &choice) {
    bool way = moves(choice.getTrueValue());
    auto *compare = dyn_cast<ICmpInst>(choice.getCondition());
    if (!compare || (!way && !moves(choice.getFalseValue())))
      return false;
    Value *chosen = way ? choice.getTrueValue() : choice.getFalseValue(), *left = compare->getOperand(0),
          *right = compare->getOperand(1);
    auto predicate = way ? compare->getPredicate() : compare->getInversePredicate();
    if (predicate == CmpInst::ICMP_EQ && way && moves(choice.getFalseValue())) {
      predicate = CmpInst::ICMP_NE;
      chosen = choice.getFalseValue();
    }
    if (predicate == CmpInst::ICMP_NE) {
      if (!moves(left))
        std::swap(left, right);
      predicate = isa<ConstantInt>(right) ? CmpInst::ICMP_SGT : CmpInst::ICMP_SLT;
    }
    if (!left->getType()->isIntOrPtrTy() || !add_cut(predicate, left, right))
      return false;
    folds.push_back({WeakVH(&choice), chosen});
    return true;
  }

  // j < k ? a + j : b + j - k; what stays in a choice is the same.
  void find_twofold(SelectInst &choice) {
    auto *compare = dyn_cast<ICmpInst>(choice.getCondition());
    if ((compare && compare->isEquality()) || moves(choice.getTrueValue()) != moves(choice.getFalseValue()) || !is_place(&choice))
      return;
    if (auto value = settle(choice, choice.getCondition()))
      chosen[&choice] = *value ? choice.getTrueValue() : choice.getFalseValue();
  }

  // a[min(j + 1, m - 1)], a[max(0, min(j + d, m - 1))], a[j > 0 ? j - 1 : m - 1]
  // The larger of the same two numbers, or the smaller one.
  MinMaxIntrinsic *other_of(MinMaxIntrinsic &one) const {
    for (User *user : one.getLHS()->users()) {
      auto *other = dyn_cast<MinMaxIntrinsic>(user);
      bool is_same = other && ((other->getLHS() == one.getLHS() && other->getRHS() == one.getRHS()) ||
                               (other->getLHS() == one.getRHS() && other->getRHS() == one.getLHS()));
      if (is_same && loop->contains(other) && other->getPredicate() == CmpInst::getSwappedPredicate(one.getPredicate()))
        return other;
    }
    return nullptr;
  }

  // k[max(i, j)*n + min(i, j)], of a symmetric matrix: the counter is the smaller one first, and then the larger one.
  bool find_sorted(MinMaxIntrinsic &one) {
    MinMaxIntrinsic *other = chosen.contains(&one) ? nullptr : other_of(one);
    if (!other || !is_place(&one) || !is_place(other))
      return false;
    bool way = moves(one.getLHS());
    Value *counter = way ? one.getLHS() : one.getRHS(), *bound = way ? one.getRHS() : one.getLHS();
    auto *form = dyn_cast_or_null<SCEVAddRecExpr>(shallow_form(evolution, counter));
    bool late = is_late || one.hasMetadata(LATE_METADATA),
         is_rising = form && !evolution.isKnownNegative(form->getStepRecurrence(evolution));
    auto predicate = one.getPredicate();
    if (ICmpInst::isLT(predicate) != (is_rising != late))
      predicate = CmpInst::getSwappedPredicate(predicate);
    if (!form || !add_cut(CmpInst::getNonStrictPredicate(predicate), counter, bound))
      return false;
    for (MinMaxIntrinsic *i : {&one, other}) {
      Value *becomes = i->getPredicate() == predicate ? counter : bound;
      folds.push_back({WeakVH(i), becomes});
      chosen[i] = becomes;
      if (!late)
        opened.push_back(i);
    }
    is_twofold = true;
    return true;
  }

  void find_bounded(Instruction &i) {
    auto *call = dyn_cast<IntrinsicInst>(&i);
    if (auto *clamp = dyn_cast<MinMaxIntrinsic>(&i))
      add_bounded(*clamp, CmpInst::getNonStrictPredicate(clamp->getPredicate()), nullptr);
    else if (call && call->getIntrinsicID() == Intrinsic::usub_sat)
      add_bounded(*call, CmpInst::ICMP_UGE, call->getArgOperand(1));
    else if (auto *choice = dyn_cast<SelectInst>(&i))
      add_chosen(*choice);
  }

  // Choices before what they are made of, and bounds behind it.
  void find_choices() {
    SmallVector<Instruction *, 16> all;
    for (BasicBlock *block : loop->blocks())
      for (Instruction &i : *block)
        if (reached.contains(block) && i.getType()->isIntOrPtrTy() && !i.getType()->isIntegerTy(1))
          all.push_back(&i);
    for (Instruction *i : reverse(all)) {
      if (auto *choice = dyn_cast<SelectInst>(i))
        find_twofold(*choice);
      else if (auto *bounded = dyn_cast<MinMaxIntrinsic>(i))
        find_sorted(*bounded);
    }
    for (Instruction *i : all)
      if (!chosen.contains(i) && is_place(i))
        find_bounded(*i);
  }

  // Is the place made of what is another value in them?
  bool changes(Value *place, int steps = ADDRESS_STEPS) const {
    auto *i = dyn_cast<Instruction>(place);
    if (!steps || !i || !loop->contains(i))
      return false;
    if (auto *phi = dyn_cast<PHINode>(i))
      return any_of(ways, [&](auto &way) { return decides(way.first, *phi); });
    return any_of(folds, [&](const Fold &fold) { return fold.at == i; }) ||
           any_of(i->operands(), [&](Use &use) { return changes(use, steps - 1); });
  }

  // ---- which iterations they are

  const SCEV *wide(const SCEV *value) {
    if (value->getType()->isPointerTy())
      value = evolution.getLosslessPtrToIntExpr(value);
    return evolution.getNoopOrSignExtend(value, number);
  }

  // The largest number whose product with the divisor is no larger: of what is not too large, to which so much is added that it is not negative.
  const SCEV *quotient(const SCEV *value, int64_t divisor) {
    if (divisor == 1)
      return value;
    int64_t bias = ((int64_t(1) << (MOST_BITS + 2)) + divisor - 1) / divisor;
    const SCEV *all = evolution.getUDivExpr(evolution.getAddExpr(value, constant(bias * divisor)), constant(divisor));
    return evolution.getAddExpr(all, constant(-bias));
  }

  void want(CmpInst::Predicate predicate, const SCEV *a, const SCEV *b) {
    if (!evolution.isKnownPredicate(predicate, a, b))
      tests.push_back({predicate, a, b});
  }

  void want_between(const SCEV *value, unsigned bits) {
    int64_t most = int64_t(1) << (bits - 1);
    want(CmpInst::ICMP_SGE, value, constant(-most));
    want(CmpInst::ICMP_SLT, value, constant(most));
  }

  // start + k * step < limit; the iterations k of which that holds are those up to one where the counter rises, from one on where it falls.
  void below(const SCEV *start, int64_t step, const SCEV *limit) {
    if (step > 0) {
      const SCEV *way = evolution.getAddExpr(evolution.getMinusSCEV(limit, start), constant(step - 1));
      behind = evolution.getSMinExpr(behind, quotient(way, step));
    } else {
      const SCEV *way = quotient(evolution.getMinusSCEV(start, limit), -step);
      first = evolution.getSMaxExpr(first, evolution.getAddExpr(way, constant(1)));
    }
  }

  // start + k * step >= limit
  void from(const SCEV *start, int64_t step, const SCEV *limit) {
    if (step > 0) {
      const SCEV *way = evolution.getAddExpr(evolution.getMinusSCEV(limit, start), constant(step - 1));
      first = evolution.getSMaxExpr(first, quotient(way, step));
    } else {
      const SCEV *way = quotient(evolution.getMinusSCEV(start, limit), -step);
      behind = evolution.getSMinExpr(behind, evolution.getAddExpr(way, constant(1)));
    }
  }

  // Does the counter not wrap around?
  void want_counter(const SCEVAddRecExpr *counter, int64_t step) {
    unsigned bits = unsigned(evolution.getTypeSizeInBits(counter->getType()));
    const SCEV *start = wide(counter->getStart());
    if (bits == 64)
      want_between(start, MOST_BITS);
    else if (!counter->hasNoSignedWrap())
      want_between(evolution.getAddExpr(start, evolution.getMulExpr(last, constant(step))), bits);
  }

  // Numbers are taken for signed ones. Of those that are compared as unsigned ones the bound has to be none below 0: what is more than it is the same
  // either way, and what is less must not be below 0.
  void make_cut(const Cut &cut) {
    const SCEV *low = wide(cut.low->getStart()), *high = wide(cut.high->getStart()), *bound = wide(cut.bound);
    want_counter(cut.low, cut.step);
    if (cut.apart) {
      want_counter(cut.high, cut.step);
      want(CmpInst::ICMP_EQ, evolution.getMinusSCEV(high, low), constant(cut.apart));
    }
    if (evolution.getTypeSizeInBits(cut.bound->getType()) == 64)
      want_between(bound, MOST_BITS);
    bool is_lower = ICmpInst::isGT(cut.predicate) || ICmpInst::isGE(cut.predicate);
    if (ICmpInst::isUnsigned(cut.predicate)) {
      want(CmpInst::ICMP_SGE, bound, constant(0));
      if (!is_lower)
        from(low, cut.step, constant(0));
    }
    bool is_one_more = cut.predicate == CmpInst::ICMP_SGT || cut.predicate == CmpInst::ICMP_UGT ||
                       cut.predicate == CmpInst::ICMP_SLE || cut.predicate == CmpInst::ICMP_ULE;
    const SCEV *limit = is_one_more ? evolution.getAddExpr(bound, constant(1)) : bound;
    is_lower ? from(low, cut.step, limit) : below(high, cut.step, limit);
  }

  bool find_iterations(Instruction *place) {
    const SCEV *times = evolution.getBackedgeTakenCount(loop);
    if (isa<SCEVCouldNotCompute>(times) || evolution.getTypeSizeInBits(times->getType()) > 64)
      return false;
    last = evolution.getNoopOrZeroExtend(times, number);
    want(CmpInst::ICMP_ULT, last, constant(int64_t(1) << MOST_TRIPS_BITS));
    first = constant(0);
    behind = evolution.getAddExpr(last, constant(1));
    for (const Cut &cut : cuts)
      make_cut(cut);
    SCEVExpander expander(evolution, "coalda");
    return expander.isSafeToExpandAt(first, place) && expander.isSafeToExpandAt(behind, place) && all_of(tests, [&](auto &test) {
             return expander.isSafeToExpandAt(std::get<1>(test), place) && expander.isSafeToExpandAt(std::get<2>(test), place);
           });
  }

  bool find(Instruction *place) {
    find_branches();
    find_choices();
    unite_cuts();
    return !cuts.empty() && find_iterations(place);
  }

  // The first whose number is such a multiple.
  const SCEV *first_multiple(int multiple) const {
    const SCEV *number_of = evolution.getConstant(number, uint64_t(multiple));
    const SCEV *more = evolution.getAddExpr(first, evolution.getConstant(number, uint64_t(multiple - 1)));
    return multiple > 1 ? evolution.getMulExpr(evolution.getUDivExpr(more, number_of), number_of) : first;
  }

  // Would they all come to the block?
  bool frees(BasicBlock *block) const {
    SmallPtrSet<BasicBlock *, 16> seen;
    SmallVector<BasicBlock *, 16> pending(1, loop->getHeader());
    while (!pending.empty()) {
      BasicBlock *at = pending.pop_back_val();
      if (at == block || !seen.insert(at).second)
        continue;
      if (at == loop->getLoopLatch())
        return false;
      auto way = ways.find(at);
      for (unsigned i = 0; i < at->getTerminator()->getNumSuccessors(); i++)
        if ((way == ways.end() || way->second == i) && loop->contains(at->getTerminator()->getSuccessor(i)))
          pending.push_back(at->getTerminator()->getSuccessor(i));
    }
    return true;
  }
};

namespace {
// What is promised of one iteration alone, by a function that stands in it now, is not promised of those that another loop makes.
void promise_alone(ArrayRef<BasicBlock *> blocks) {
  SmallVector<MDNode *, 4> scopes;
  identifyNoAliasScopesToClone(blocks, scopes);
  cloneAndAdaptNoAliasScopes(scopes, blocks, blocks[0]->getContext(), "part");
}

// A loop once more, which stays as it is.
struct Copy : LoopCopy {
  BasicBlock *enters; // leads into it

  explicit Copy(Loop &loop) : LoopCopy(loop) {
    promise_alone(blocks);
    enters = BasicBlock::Create(header->getContext(), "", header->getParent(), blocks[0]);
    BranchInst::Create(header, enters);
    header->replacePhiUsesWith(loop.getLoopPreheader(), enters);
    set_aside(blocks);
  }
};

// Three loops one behind the other: a copy of `other`, if it runs at all, `loop`, and the rest; `other` runs where tests on entry failed. It is the
// rest as well, unless more is to be made of it.
struct Parts {
  Loop &loop, &other;
  ScalarEvolution &evolution;
  Value *first, *behind, *last, *done;
  bool is_kept; // the other one
  Function &function = *loop.getHeader()->getParent();
  LLVMContext &context = function.getContext();
  BasicBlock *before = loop.getLoopPreheader(), *header = loop.getHeader(), *latch = loop.getLoopLatch(),
             *exit = loop.getExitBlock();

  BasicBlock *block(BasicBlock *where) { return BasicBlock::Create(context, "", &function, where); }

  // What the phi is when so many iterations are done, if it counts: null where it does not.
  Value *after(IRBuilder<> &builder, PHINode &phi, Value *start, Value *times) {
    auto *counter = dyn_cast_or_null<SCEVAddRecExpr>(evolution.isSCEVable(phi.getType()) ? shallow_form(evolution, &phi) : nullptr);
    auto *step = counter && counter->getLoop() == &loop && counter->isAffine()
                     ? dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution))
                     : nullptr;
    if (!step || evolution.getTypeSizeInBits(phi.getType()) > 64)
      return nullptr;
    Value *way = builder.CreateMul(times, builder.getInt64(uint64_t(step->getAPInt().getSExtValue())));
    return phi.getType()->isPointerTy() ? builder.CreatePtrAdd(start, way)
                                        : builder.CreateAdd(start, builder.CreateTrunc(way, phi.getType()));
  }

  // In front of the loop: returns the block that leads into it.
  BasicBlock *make_early() {
    Copy early(other);
    BasicBlock *joins = block(header);
    IRBuilder<> builder(joins);
    SmallVector<Value *, 8> values;
    for (auto [phi, own] : zip(header->phis(), other.getHeader()->phis())) {
      PHINode *both = builder.CreatePHI(phi.getType(), 2);
      both->addIncoming(phi.getIncomingValueForBlock(before), before);
      both->addIncoming(early.of(own.getIncomingValueForBlock(other.getLoopLatch())), early.latch);
      values.push_back(both);
    }
    run_times(early.enters, early.header, early.latch, joins, first);
    for (auto [phi, value] : zip(header->phis(), values))
      if (Value *counted = after(builder, phi, phi.getIncomingValueForBlock(before), first))
        value = counted;
    BranchInst::Create(header, joins);
    builder.SetInsertPoint(before->getTerminator());
    builder.CreateCondBr(builder.CreateICmpEQ(first, builder.getInt64(0)), joins, early.enters);
    before->getTerminator()->eraseFromParent();
    for (auto [phi, value] : zip(header->phis(), values)) {
      int at = phi.getBasicBlockIndex(before);
      phi.setIncomingBlock(unsigned(at), joins);
      phi.setIncomingValue(unsigned(at), value);
    }
    return joins;
  }

  // The other one begins at its start where the tests failed, else where the loop has come to. Lanes that have that in common are to count alike.
  BasicBlock *begin_other(BasicBlock *left) {
    BasicBlock *enters = other.getLoopPreheader(), *failed = enters->getSinglePredecessor();
    promise_alone(other.getBlocks());
    IRBuilder<> builder(enters->getTerminator());
    for (auto [phi, own] : zip(header->phis(), other.getHeader()->phis())) {
      Value *start = own.getIncomingValueForBlock(enters), *counted = done ? after(builder, phi, start, done) : nullptr;
      PHINode *both = PHINode::Create(own.getType(), 2, "", enters->begin());
      both->addIncoming(start, failed);
      both->addIncoming(phi.getIncomingValueForBlock(latch), left);
      own.setIncomingValueForBlock(enters, counted ? counted : both);
    }
    return enters;
  }

  // A copy of it begins there.
  BasicBlock *begin_rest() {
    Copy rest(other);
    for (auto [phi, own] : zip(header->phis(), other.getHeader()->phis()))
      cast<PHINode>(rest.of(&own))->setIncomingValueForBlock(rest.enters, phi.getIncomingValueForBlock(latch));
    for (PHINode &phi : other.getExitBlock()->phis())
      phi.addIncoming(rest.of(phi.getIncomingValueForBlock(other.getLoopLatch())), rest.latch);
    return rest.enters;
  }

  PHINode *make() {
    auto *none = dyn_cast<ConstantInt>(first);
    BasicBlock *left = block(exit), *in_front = none && none->isZero() ? before : make_early();
    BasicBlock *rest = is_kept ? begin_rest() : begin_other(left);
    IRBuilder<> builder(in_front->getTerminator());
    Value *times = builder.CreateSub(behind, first), *all = builder.CreateAdd(last, builder.getInt64(1));
    PHINode *at = run_times(in_front, header, latch, left, times);
    builder.SetInsertPoint(left);
    builder.CreateCondBr(builder.CreateICmpEQ(behind, all), exit, rest);
    exit->replacePhiUsesWith(latch, left);
    return at;
  }
};
} // namespace

// What holds in each of its iterations is asked no more.
static void fold(IrIndexSet &set, BasicBlock *header, ArrayRef<BasicBlock *> blocks) {
  for (auto &fold : set.folds)
    if (auto *at = cast_or_null<Instruction>(static_cast<Value *>(fold.at)))
      at->replaceAllUsesWith(fold.less ? IRBuilder<>(at).CreateSub(fold.becomes, fold.less) : static_cast<Value *>(fold.becomes));
  for (BasicBlock *block : blocks) {
    for (Instruction &i : make_early_inc_range(*block))
      if (Value *simpler = i.getType()->isIntegerTy(1) || isa<SelectInst>(i) ? simplifyInstruction(&i, block->getDataLayout())
                                                                             : nullptr)
        i.replaceAllUsesWith(simpler);
    ConstantFoldTerminator(block, true);
  }
  EliminateUnreachableBlocks(*header->getParent());
}

namespace {
// What is made 64 bits wide in each iteration, of a counter that does not wrap around: `start` in the loop's first one.
struct Widened {
  WeakVH at;
  Value *start;
  ConstantInt *step;
};
} // namespace

// What tells LLVM that those counters do not wrap around may be under conditions that are to go.
static SmallVector<Widened, 8> find_widened(const IrIndexSet &set, Loop &loop, ScalarEvolution &evolution) {
  SCEVExpander expander(evolution, "coalda");
  Instruction *before = loop.getLoopPreheader()->getTerminator();
  SmallVector<Widened, 8> found;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      if (!(isa<SExtInst>(i) || isa<ZExtInst>(i)) || !i.getType()->isIntegerTy(64))
        continue;
      Value *value = set.folded(i.getOperand(0));
      auto *narrow = dyn_cast_or_null<SCEVAddRecExpr>(shallow_form(evolution, value));
      auto *wide = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&i));
      bool is_signed = isa<SExtInst>(i) || cast<ZExtInst>(i).hasNonNeg(), is_asked = is_signed && set.is_asked(value);
      auto *counter = is_asked ? narrow : wide;
      auto *step = counter && counter->getLoop() == &loop && counter->isAffine()
                       ? dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution))
                       : nullptr;
      const SCEV *start = step ? evolution.getNoopOrSignExtend(counter->getStart(), i.getType()) : nullptr;
      if (start && expander.isSafeToExpandAt(start, before))
        found.push_back({WeakVH(&i), expander.expandCodeFor(start, i.getType(), before->getIterator()),
                         ConstantInt::get(cast<IntegerType>(i.getType()), uint64_t(step->getAPInt().getSExtValue()), true)});
    }
  return found;
}

// They are made of one counter of 64 bits: the number of the iteration, of which `at` is how many are done since the first.
static void widen(ArrayRef<Widened> widened, BasicBlock *header, PHINode *at, Value *first) {
  DenseMap<ConstantInt *, Value *> ways;
  IRBuilder<> builder(header, header->getFirstNonPHIIt());
  Value *iteration = nullptr;
  for (const Widened &wide : widened) {
    auto *old = cast_or_null<Instruction>(static_cast<Value *>(wide.at));
    if (!old)
      continue;
    builder.SetInsertPoint(header, header->getFirstNonPHIIt());
    if (iteration)
      builder.SetInsertPoint(cast<Instruction>(iteration)->getNextNode());
    else
      iteration = builder.CreateAdd(at, first);
    Value *&way = ways[wide.step];
    if (!way)
      way = builder.CreateMul(iteration, wide.step);
    builder.SetInsertPoint(old);
    old->replaceAllUsesWith(builder.CreateAdd(way, wide.start));
    old->eraseFromParent();
  }
}

namespace {
// Bounds that are no values where no iteration asks for them are some, and the same in all forms: first and behind are within the loop's iterations
// then, whatever these are.
struct Settled : SCEVRewriteVisitor<Settled> {
  Instruction *place;
  DenseMap<const SCEV *, const SCEV *> frozen;

  Settled(ScalarEvolution &evolution, Instruction *place) : SCEVRewriteVisitor(evolution), place(place) {}

  const SCEV *visitUnknown(const SCEVUnknown *unknown) {
    Value *value = unknown->getValue();
    if (isGuaranteedNotToBeUndefOrPoison(value, nullptr, place))
      return unknown;
    const SCEV *&form = frozen[unknown];
    if (!form)
      form = SE.getSCEV(IRBuilder<>(place).CreateFreeze(value));
    return form;
  }

  // Counters of loops around this one, which begin in front of those.
  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *counter) { return counter; }
};
} // namespace

// The loops are one another's copies, and left by their latches alone.
static bool is_same(const Loop &loop, const Loop &other) {
  auto phis = loop.getHeader()->phis(), others = other.getHeader()->phis();
  return loop.getLoopPreheader() && loop.getExitBlock() && other.getExitBlock() && other.getLoopPreheader() &&
         other.getLoopPreheader()->getSinglePredecessor() && range_size(phis) == range_size(others) &&
         all_of(zip(phis, others), [](auto pair) { return std::get<0>(pair).getType() == std::get<1>(pair).getType(); });
}

static void merge(Loop &loop) {
  for (BasicBlock *block : SmallVector<BasicBlock *, 8>(loop.blocks()))
    if (block != loop.getHeader())
      MergeBlockIntoPredecessor(block);
}

// Nothing in it has to be done by several threads together, or once.
static bool may_be_parted(Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  return latch && loop.isInnermost() && loop.getExitingBlock() == latch && loop.getLoopPredecessor() &&
         isa<BranchInst>(latch->getTerminator()) && none_of(loop.blocks(), [](BasicBlock *block) {
           return any_of(*block, [](const Instruction &i) {
             auto *call = dyn_cast<CallBase>(&i);
             return call && (call->isConvergent() || call->cannotDuplicate());
           });
         });
}

static bool is_chosen(const Loop &loop, Value *place, int steps) {
  auto *i = dyn_cast<Instruction>(place);
  if (!steps || !i || !loop.contains(i) || (isa<PHINode>(i) && i->getParent() == loop.getHeader()))
    return false;
  auto *call = dyn_cast<IntrinsicInst>(i);
  return isa<SelectInst>(i) || isa<PHINode>(i) || isa<MinMaxIntrinsic>(i) ||
         (call && call->getIntrinsicID() == Intrinsic::usub_sat) ||
         any_of(i->operands(), [&](Use &use) { return is_chosen(loop, use, steps - 1); });
}

extern "C" {

IrIndexSet *ir_index_set(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, bool is_late) {
  Function &f = *unwrap<Function>(function);
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  if (!may_be_parted(*loop))
    return nullptr;
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  auto set = std::make_unique<IrIndexSet>(*loop, evolution, ir->functions->getResult<DominatorTreeAnalysis>(f), is_late);
  return set->find(loop->getLoopPredecessor()->getTerminator()) ? set.release() : nullptr;
}

bool ir_index_set_is_open(const IrIndexSet *set) { return !set->opened.empty(); }

bool ir_index_set_is_twofold(const IrIndexSet *set) { return set->is_twofold; }

void ir_index_set_mark(const IrIndexSet *set) {
  for (Instruction *i : set->opened)
    i->setMetadata(LATE_METADATA, MDNode::get(i->getContext(), {}));
}

bool ir_index_set_changes(const IrIndexSet *set, LLVMValueRef place) { return set->changes(unwrap(place)); }

bool ir_loop_chooses(IrLoop *loop, LLVMValueRef place) { return is_chosen(*loop_in(loop), unwrap(place), ADDRESS_STEPS); }

int64_t ir_index_set_step(const IrIndexSet *set) { return set->cuts[0].step; }

void ir_index_set_forget(IrIndexSet *set) { delete set; }

bool ir_index_set_frees(const IrIndexSet *set, LLVMBasicBlockRef block) { return set->frees(unwrap(block)); }

void ir_index_set_compute(const IrIndexSet *set, LLVMValueRef place, int multiple, IrIterations *iterations) {
  auto *at = unwrap<Instruction>(place);
  Settled settled(set->evolution, at);
  SCEVExpander expander(set->evolution, "coalda");
  IRBuilder<> builder(at);
  auto known = [&](const SCEV *form) {
    Value *value = expander.expandCodeFor(settled.visit(form), form->getType(), at->getIterator());
    return isGuaranteedNotToBeUndefOrPoison(value, nullptr, at) ? value : builder.CreateFreeze(value);
  };
  iterations->first = wrap(known(set->first_multiple(multiple)));
  iterations->behind = wrap(known(set->behind));
  iterations->last = wrap(known(set->last));
  Value *holds = builder.getTrue();
  for (auto [predicate, a, b] : set->tests)
    holds = builder.CreateAnd(holds, builder.CreateICmp(predicate, known(a), known(b)));
  iterations->holds = wrap(holds);
}

bool ir_index_set_part(IrModule *ir, LLVMValueRef function, IrIndexSet *set, LLVMBasicBlockRef header, LLVMBasicBlockRef twin,
                       const IrIterations *iterations, bool is_kept) {
  Function &f = *unwrap<Function>(function);
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  Loop *loop = loops.getLoopFor(unwrap(header)), *other = loops.getLoopFor(unwrap(twin));
  if (!is_same(*loop, *other))
    return false;
  Parts parts = {*loop,
                 *other,
                 ir->functions->getResult<ScalarEvolutionAnalysis>(f),
                 unwrap(iterations->first),
                 unwrap(iterations->behind),
                 unwrap(iterations->last),
                 iterations->done ? unwrap(iterations->done) : nullptr,
                 is_kept};
  SmallVector<BasicBlock *, 16> blocks(loop->blocks());
  const SmallVector<Widened, 8> widened = find_widened(*set, *loop, parts.evolution);
  PHINode *at = parts.make();
  widen(widened, unwrap(header), at, parts.first);
  fold(*set, unwrap(header), blocks);
  ir_changed(ir, function);
  merge(*ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header)));
  ir_changed(ir, function);
  return true;
}

} // extern "C"
