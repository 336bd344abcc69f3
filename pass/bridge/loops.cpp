// Loops, dominators and ways: what of the control flow is asked.
#include "pass/base/marks.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace PatternMatch;

// ScalarEvolution recurses along chains of operands: those that could exhaust the stack are not asked about.
static bool is_shallow(ScalarEvolution &evolution, Value *value, SmallPtrSetImpl<Value *> &seen, int depth) {
  const int deepest = 200, most = 500;
  auto *instruction = dyn_cast<Instruction>(value);
  const SCEV *known = evolution.getExistingSCEV(value);
  if (!instruction || instruction->mayReadOrWriteMemory() || !seen.insert(value).second ||
      (known && known->getExpressionSize() < most))
    return true;
  if (depth == deepest || seen.size() > most)
    return false;
  return all_of(instruction->operands(), [&](Use &use) { return is_shallow(evolution, use, seen, depth + 1); });
}

const SCEV *shallow_form(ScalarEvolution &evolution, Value *value) {
  SmallPtrSet<Value *, 32> seen;
  return is_shallow(evolution, value, seen, 0) ? evolution.getSCEV(value) : nullptr;
}

bool ends_are_shallow(Loop &loop, ScalarEvolution &evolution) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return all_of(exiting, [&](BasicBlock *block) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    SmallPtrSet<Value *, 32> seen;
    return !branch || branch->isUnconditional() || is_shallow(evolution, branch->getCondition(), seen, 0);
  });
}

bool loop_is_counted(Loop &loop, ScalarEvolution &evolution, const TargetTransformInfo &target) {
  const unsigned clangs_budget = 4;
  BasicBlock *before = loop.getLoopPreheader();
  const SCEV *last = evolution.getBackedgeTakenCount(&loop);
  if (!before || isa<SCEVCouldNotCompute>(last))
    return false;
  const SCEV *count = evolution.getAddExpr(last, evolution.getOne(last->getType()));
  return !SCEVExpander(evolution, "").isHighCostExpansion(count, &loop, clangs_budget, &target, before->getTerminator());
}

bool is_block_barrier(const Instruction &i) {
  auto *call = dyn_cast<CallBase>(&i);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().contains("barrier.cta");
}

bool waits_for_block(const Loop &loop) {
  return any_of(loop.blocks(), [](BasicBlock *block) { return any_of(*block, is_block_barrier); });
}

bool is_aside(const Loop &loop) {
  return all_of(loop.blocks(), [](BasicBlock *block) {
    return all_of(*block, [](const Instruction &i) { return !is_block_barrier(i) || i.getMetadata(ASIDE_METADATA); });
  });
}

// From where a pointer begins to where it ends the loop, if it steps on evenly and nothing else ends it: both lie in one object, so that
// addresses do not wrap around. Null where it is not so.
static const SCEV *pointer_runs(Loop &loop, ScalarEvolution &evolution) {
  BasicBlock *last = loop.getExitingBlock();
  auto *branch = last ? dyn_cast<BranchInst>(last->getTerminator()) : nullptr;
  auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !compare->getOperand(0)->getType()->isPointerTy())
    return nullptr;
  for (unsigned side = 0; side < 2; side++) {
    auto *runs = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(compare->getOperand(side)));
    const SCEV *end = evolution.getSCEV(compare->getOperand(1 - side));
    if (!runs || runs->getLoop() != &loop || !runs->hasNoSelfWrap() || !evolution.isLoopInvariant(end, &loop) ||
        !isa<SCEVConstant>(runs->getStepRecurrence(evolution)))
      continue;
    const SCEV *way = evolution.getMinusSCEV(end, runs->getStart());
    return isa<SCEVCouldNotCompute>(way) ? nullptr : way;
  }
  return nullptr;
}

namespace {
// For each block that was asked for, the branches that say whether it is met.
class Deciding {
  Function &function;
  const DominatorTree &tree;
  const PostDominatorTree &meetings;
  DenseMap<BasicBlock *, std::vector<LLVMBasicBlockRef>> known; // which stay where they are

  static SmallPtrSet<BasicBlock *, 32> before(BasicBlock *block) {
    SmallPtrSet<BasicBlock *, 32> found;
    SmallVector<BasicBlock *, 32> pending(1, block);
    while (!pending.empty())
      for (BasicBlock *above : predecessors(pending.pop_back_val()))
        if (found.insert(above).second)
          pending.push_back(above);
    return found;
  }

  // By no way over `meeting`.
  static bool leads(BasicBlock *from, const BasicBlock *to, const BasicBlock *meeting) {
    SmallPtrSet<BasicBlock *, 32> found;
    SmallVector<BasicBlock *, 32> pending(1, from);
    while (!pending.empty())
      for (BasicBlock *next : successors(pending.pop_back_val())) {
        if (next == meeting)
          continue;
        if (next == to)
          return true;
        if (found.insert(next).second)
          pending.push_back(next);
      }
    return false;
  }

  std::vector<LLVMBasicBlockRef> find(BasicBlock *block) const {
    std::vector<LLVMBasicBlockRef> found;
    const SmallPtrSet<BasicBlock *, 32> above = before(block);
    for (BasicBlock &b : function) {
      if (b.getTerminator()->getNumSuccessors() < 2 || !above.contains(&b) || !tree.isReachableFromEntry(&b))
        continue;
      auto *node = meetings.getNode(&b);
      BasicBlock *meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
      // What leads there from where ways meet is no way around that: only then all of them are to be followed.
      if (meeting == block || !meeting || !above.contains(meeting) || leads(&b, block, meeting))
        found.push_back(wrap(&b));
    }
    return found;
  }

public:
  Deciding(Function &f, const DominatorTree &dominators, const PostDominatorTree &post)
      : function(f), tree(dominators), meetings(post) {}

  ArrayRef<LLVMBasicBlockRef> of(BasicBlock *block) {
    auto [place, is_new] = known.try_emplace(block);
    if (is_new)
      place->second = find(block);
    return place->second;
  }
};

struct DecidingAnalysis : AnalysisInfoMixin<DecidingAnalysis> {
  using Result = Deciding;
  inline static AnalysisKey Key;
  Result run(Function &f, FunctionAnalysisManager &functions) {
    return {f, functions.getResult<DominatorTreeAnalysis>(f), functions.getResult<PostDominatorTreeAnalysis>(f)};
  }
};
} // namespace

extern "C" {

const LLVMBasicBlockRef *ir_deciding(IrModule *ir, LLVMBasicBlockRef block, size_t *count) {
  ir->functions->registerPass([] { return DecidingAnalysis(); });
  BasicBlock *b = unwrap(block);
  ArrayRef<LLVMBasicBlockRef> found = ir->functions->getResult<DecidingAnalysis>(*b->getParent()).of(b);
  *count = found.size();
  return found.data();
}

IrLoop *ir_loop_of(IrModule *ir, LLVMBasicBlockRef block) {
  BasicBlock *b = unwrap(block);
  return loop_out(ir->functions->getResult<LoopAnalysis>(*b->getParent()).getLoopFor(b));
}

IrLoop *ir_loop_parent(IrLoop *loop) { return loop_out(loop_in(loop)->getParentLoop()); }
int ir_loop_depth(IrLoop *loop) { return loop ? int(loop_in(loop)->getLoopDepth()) : 0; }
LLVMBasicBlockRef ir_loop_header(IrLoop *loop) { return wrap(loop_in(loop)->getHeader()); }
bool ir_loop_has_block(IrLoop *loop, LLVMBasicBlockRef block) { return loop_in(loop)->contains(unwrap(block)); }
bool ir_loop_has(IrLoop *loop, LLVMValueRef value) {
  auto *made = dyn_cast_or_null<Instruction>(unwrap(value));
  return made && loop_in(loop)->contains(made);
}
int ir_loop_instructions(IrLoop *loop) {
  size_t count = 0;
  for (const BasicBlock *block : loop_in(loop)->blocks())
    count += block->size();
  return int(count);
}

size_t ir_loop_size(IrLoop *loop) { return loop_in(loop)->getNumBlocks(); }
LLVMBasicBlockRef ir_loop_block(IrLoop *loop, size_t number) { return wrap(loop_in(loop)->getBlocks()[number]); }
bool ir_loop_inside(IrLoop *inner, IrLoop *outer) { return loop_in(outer)->contains(loop_in(inner)); }

bool ir_has_loops(IrModule *ir, LLVMValueRef function) {
  auto *f = unwrap<Function>(function);
  return !f->isDeclaration() && !ir->functions->getResult<LoopAnalysis>(*f).empty();
}

bool ir_loop_is_innermost(IrLoop *loop) { return loop_in(loop)->isInnermost(); }

bool ir_loop_is_one_block(IrLoop *loop) { return loop_in(loop)->getNumBlocks() == 1; }
LLVMBasicBlockRef ir_loop_latch(IrLoop *loop) { return wrap(loop_in(loop)->getLoopLatch()); }

bool ir_loop_is_countable(IrModule *ir, IrLoop *loop) {
  Loop *l = loop_in(loop);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*l->getHeader()->getParent());
  BasicBlock *last = l->getExitingBlock();
  auto *branch = last && last == l->getLoopLatch() ? dyn_cast<BranchInst>(last->getTerminator()) : nullptr;
  return branch && branch->isConditional() && ends_are_shallow(*l, evolution) &&
         !isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(l));
}

bool ir_loop_is_counted(IrModule *ir, IrLoop *loop) {
  Function &f = *loop_in(loop)->getHeader()->getParent();
  return loop_is_counted(*loop_in(loop), ir->functions->getResult<ScalarEvolutionAnalysis>(f),
                         ir->functions->getResult<TargetIRAnalysis>(f));
}

bool ir_loop_divides(IrModule *ir, IrLoop *loop, int64_t most) {
  Loop *l = loop_in(loop);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*l->getHeader()->getParent());
  return SCEVExprContains(evolution.getBackedgeTakenCount(l), [most](const SCEV *part) {
    auto *quotient = dyn_cast<SCEVUDivExpr>(part);
    auto *divisor = quotient ? dyn_cast<SCEVConstant>(quotient->getRHS()) : nullptr;
    return quotient && !(divisor && divisor->getAPInt().ule(most));
  });
}

bool ir_loop_is_countable_before(IrModule *ir, IrLoop *loop, IrLoop *around) {
  Loop *outer = loop_in(around);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*outer->getHeader()->getParent());
  const SCEV *times = evolution.getBackedgeTakenCount(loop_in(loop));
  BasicBlock *before = outer->getLoopPredecessor();
  SCEVExpander expander(evolution, "coalda");
  return before && !isa<SCEVCouldNotCompute>(times) && evolution.isLoopInvariant(times, outer) &&
         expander.isSafeToExpandAt(times, before->getTerminator());
}

LLVMValueRef ir_loop_last(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef place) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  const SCEV *times = evolution.getBackedgeTakenCount(ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header)));
  if (evolution.getTypeSizeInBits(times->getType()) < 32)
    times = evolution.getZeroExtendExpr(times, Type::getInt32Ty(f.getContext()));
  SCEVExpander expander(evolution, "coalda");
  return wrap(expander.expandCodeFor(times, times->getType(), unwrap<Instruction>(place)));
}

LLVMValueRef ir_loop_reaches(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int iterations, LLVMValueRef place) {
  Value *last = unwrap(ir_loop_last(ir, function, header, place));
  IRBuilder<> builder(unwrap<Instruction>(place));
  return wrap(builder.CreateICmpUGE(last, ConstantInt::get(last->getType(), uint64_t(iterations) - 1)));
}

int64_t ir_loop_trips(IrModule *ir, IrLoop *loop) {
  Loop *l = loop_in(loop);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*l->getHeader()->getParent());
  int64_t headers = evolution.getSmallConstantTripCount(l);
  // A loop that leaves at its top enters its header once more than its body.
  BasicBlock *exiting = l->getExitingBlock();
  return headers > 0 && exiting && exiting != l->getLoopLatch() ? headers - 1 : headers;
}

bool ir_loop_option(IrLoop *loop, const char *name, int64_t *value) {
  MDNode *option = findOptionMDForLoop(loop_in(loop), (Twine("llvm.loop.") + name).str());
  auto *number = option && option->getNumOperands() > 1 ? mdconst::dyn_extract_or_null<ConstantInt>(option->getOperand(1))
                                                        : nullptr;
  if (number)
    *value = number->getZExtValue();
  return number;
}

bool ir_loop_is_kept(IrLoop *loop) { return findOptionMDForLoop(loop_in(loop), KEPT); }

void ir_loop_settle(IrLoop *loop) { loop_forget(*loop_in(loop), {KEPT}); }

LLVMBasicBlockRef ir_idom(IrModule *ir, LLVMBasicBlockRef block) {
  auto *node = dominators(ir, unwrap(block)).getNode(unwrap(block));
  return node && node->getIDom() ? wrap(node->getIDom()->getBlock()) : nullptr;
}

LLVMBasicBlockRef ir_meeting(IrModule *ir, LLVMBasicBlockRef block) {
  BasicBlock *b = unwrap(block);
  auto *node = ir->functions->getResult<PostDominatorTreeAnalysis>(*b->getParent()).getNode(b);
  return node && node->getIDom() ? wrap(node->getIDom()->getBlock()) : nullptr;
}

bool ir_dominates(IrModule *ir, LLVMBasicBlockRef above, LLVMBasicBlockRef below) {
  return dominators(ir, unwrap(above)).dominates(unwrap(above), unwrap(below));
}

bool ir_precedes(IrModule *ir, LLVMValueRef first, LLVMValueRef then) {
  auto *above = unwrap<Instruction>(first), *below = unwrap<Instruction>(then);
  return dominators(ir, above->getParent()).dominates(above, below);
}

bool ir_edge_dominates(IrModule *ir, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef block) {
  return dominators(ir, unwrap(from)).dominates(BasicBlockEdge(unwrap(from), unwrap(to)), unwrap(block));
}

bool ir_reachable(IrModule *ir, LLVMBasicBlockRef block) {
  return dominators(ir, unwrap(block)).isReachableFromEntry(unwrap(block));
}

bool ir_leads_to(IrModule *ir, LLVMValueRef from, LLVMValueRef to) {
  auto *start = unwrap<Instruction>(from), *end = unwrap<Instruction>(to);
  Function &function = *start->getFunction();
  return isPotentiallyReachable(start, end, nullptr, &ir->functions->getResult<DominatorTreeAnalysis>(function),
                                &ir->functions->getResult<LoopAnalysis>(function));
}

size_t ir_branches_between(IrModule *ir, LLVMBasicBlockRef top, LLVMBasicBlockRef merge, LLVMBasicBlockRef *branch, size_t most) {
  const BasicBlock *above = unwrap(top);
  const DominatorTree &tree = dominators(ir, unwrap(top));
  SmallPtrSet<BasicBlock *, 32> found;
  SmallVector<BasicBlock *, 32> pending(1, unwrap(merge));
  size_t count = 0;
  while (!pending.empty() && found.size() <= most)
    for (BasicBlock *b : predecessors(pending.pop_back_val())) {
      if (b == unwrap(merge) || !tree.isReachableFromEntry(b) || !found.insert(b).second || found.size() > most)
        continue;
      if (b->getTerminator()->getNumSuccessors() > 1)
        branch[count++] = wrap(b);
      if (b != above)
        pending.push_back(b);
    }
  return found.size() > most ? most + 1 : count;
}

bool ir_leads_around(IrModule *ir, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef around) {
  Function &function = *unwrap(from)->getParent();
  SmallPtrSet<BasicBlock *, 1> without;
  without.insert(unwrap(around));
  return isPotentiallyReachable(unwrap(from), unwrap(to), &without, &ir->functions->getResult<DominatorTreeAnalysis>(function),
                                &ir->functions->getResult<LoopAnalysis>(function));
}

bool ir_loop_count_is_of(IrModule *ir, IrLoop *loop, LLVMValueRef *part, size_t most, size_t *parts) {
  Loop *l = loop_in(loop);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*l->getHeader()->getParent());
  const SCEV *way = pointer_runs(*l, evolution), *count = way ? way : evolution.getBackedgeTakenCount(l);
  *parts = 0;
  if (isa<SCEVCouldNotCompute>(count))
    return false;
  bool any_left = SCEVExprContains(count, [&](const SCEV *s) {
    auto *value = dyn_cast<SCEVUnknown>(s);
    if (value && *parts < most)
      part[(*parts)++] = wrap(value->getValue());
    else if (value)
      return true;
    return isa<SCEVAddRecExpr>(s); // of a loop around, which threads may run unequally often
  });
  return !any_left;
}

int64_t ir_loop_most_trips(IrModule *ir, IrLoop *loop) {
  Loop *l = loop_in(loop);
  return ir->functions->getResult<ScalarEvolutionAnalysis>(*l->getHeader()->getParent()).getSmallConstantMaxTripCount(l);
}

// ---- what another loop leaves over ----

namespace {
// How far a counter may at most be from the bound of its loop, as the ways to it say. Nothing is proved, and no counter wraps around.
// Sums are narrowed to 32 bits, so that counters can be told from each other whatever their widths are.
class Leftover {
  enum { DEEPEST = 16, MOST_WAYS = 4, MOST_QUESTIONS = 256 };
  ScalarEvolution &evolution;
  Value *bound;
  const LoopInfo &loops;
  mutable int questions = 0;

  const SCEV *form(Value *value) const {
    const SCEV *own = evolution.getSCEV(value);
    Type *narrow = Type::getInt32Ty(value->getContext());
    return own->getType()->getIntegerBitWidth() > 32 ? evolution.getTruncateExpr(own, narrow)
                                                     : evolution.getNoopOrSignExtend(own, narrow);
  }

  std::optional<int64_t> distance(Value *from, Value *to) const {
    auto *steps = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(form(to), form(from)));
    return steps ? std::optional<int64_t>(steps->getAPInt().getSExtValue()) : std::nullopt;
  }

  bool is_bound(Value *value) const { return distance(value, bound) == 0; }

  // Ones from some bit on, or up to the sign alone, where that is known to be off.
  static bool is_mask(const APInt &number) { return number.isNegatedPowerOf2() || number.isShiftedMask(); }

  // n & -4, n - n % 4, n / 4 * 4: as far as a loop comes that makes so many steps at once.
  std::optional<int64_t> of_rounded(Value *value) const {
    Value *n;
    const APInt *number, *times;
    if (match(value, m_And(m_Value(n), m_APInt(number))))
      return is_mask(*number) && is_bound(n) ? std::optional<int64_t>((int64_t(1) << number->countr_zero()) - 1) : std::nullopt;
    bool rests = match(value, m_Sub(m_Value(n),
                                    m_CombineOr(m_IRem(m_Deferred(n), m_APInt(number)), m_And(m_Deferred(n), m_APInt(number)))));
    if (rests && is_bound(n))
      return number->getSExtValue();
    bool parts = match(value, m_Mul(m_IDiv(m_Value(n), m_APInt(number)), m_APInt(times))) && *number == *times;
    return parts && is_bound(n) ? std::optional<int64_t>(number->getSExtValue() - 1) : std::nullopt;
  }

  static std::optional<int64_t> smaller(std::optional<int64_t> a, std::optional<int64_t> b) {
    return !a ? b : !b ? a : std::min(*a, *b);
  }

  // The compare says of the value, or of what lies at a distance from it, that it has come to something near the bound.
  std::optional<int64_t> of_compare(Value *value, Value *high, Value *low, bool strictly, int depth) const {
    auto past = distance(high, value), left = of(low, depth + 1);
    return past && left ? std::optional<int64_t>(*left - *past - strictly) : std::nullopt;
  }

  std::optional<int64_t> of_way(Value *value, BasicBlock *from, BasicBlock *to, int depth) const {
    auto *branch = dyn_cast<BranchInst>(from->getTerminator());
    BasicBlock *before = from->getSinglePredecessor();
    if (depth >= DEEPEST || !branch)
      return std::nullopt;
    if (branch->isUnconditional())
      return before ? of_way(value, before, from, depth + 1) : of(value, depth + 1);
    auto *compare = dyn_cast<ICmpInst>(branch->getCondition());
    if (!compare || !compare->getOperand(0)->getType()->isIntegerTy() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return of(value, depth + 1);
    auto way = branch->getSuccessor(0) == to ? compare->getPredicate() : compare->getInversePredicate();
    Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    std::optional<int64_t> known = of(value, depth + 1);
    if (ICmpInst::isGT(way) || ICmpInst::isGE(way) || way == ICmpInst::ICMP_EQ)
      known = smaller(known, of_compare(value, left, right, ICmpInst::isGT(way), depth));
    if (ICmpInst::isLT(way) || ICmpInst::isLE(way) || way == ICmpInst::ICMP_EQ)
      known = smaller(known, of_compare(value, right, left, ICmpInst::isLT(way), depth));
    return known;
  }

  // A loop's counter has gone on from where it began.
  std::optional<int64_t> of_phi(PHINode &phi, int depth) const {
    const Loop *loop = loops.isLoopHeader(phi.getParent()) ? loops.getLoopFor(phi.getParent()) : nullptr;
    std::optional<int64_t> most;
    for (unsigned i = 0; i < phi.getNumIncomingValues() && phi.getNumIncomingValues() <= MOST_WAYS; i++) {
      if (loop && loop->contains(phi.getIncomingBlock(i)))
        continue;
      auto left = of_way(phi.getIncomingValue(i), phi.getIncomingBlock(i), phi.getParent(), depth + 1);
      if (!left)
        return left;
      most = std::max(most.value_or(*left), *left);
    }
    return most;
  }

public:
  Leftover(ScalarEvolution &evolution, const LoopInfo &loops, Value *bound) : evolution(evolution), bound(bound), loops(loops) {}

  std::optional<int64_t> of(Value *value, int depth = 0) const {
    Value *inner;
    const APInt *number;
    if (depth >= DEEPEST || ++questions > MOST_QUESTIONS || !value->getType()->isIntegerTy())
      return std::nullopt;
    if (auto steps = distance(value, bound))
      return steps;
    if (match(value, m_ZExtOrSExt(m_Value(inner))) || match(value, m_Trunc(m_Value(inner))))
      return of(inner, depth + 1);
    if (auto rounded = of_rounded(value))
      return rounded;
    if (match(value, m_AddLike(m_Value(inner), m_APInt(number))) && number->isStrictlyPositive())
      return of(inner, depth + 1);
    auto *phi = dyn_cast<PHINode>(value);
    return phi ? of_phi(*phi, depth) : std::nullopt;
  }
};

// The compare that the loop is left by, of a counter that moves on by a number, with something that stays.
struct Leaving {
  const SCEVAddRecExpr *counter = nullptr;
  Value *bound = nullptr;
};

void find_leaving(Loop &loop, ScalarEvolution &evolution, Leaving &leaving) {
  auto *branch = loop.getExitingBlock() ? dyn_cast<BranchInst>(loop.getExitingBlock()->getTerminator()) : nullptr;
  auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  for (unsigned i = 0; compare && i < 2; i++) {
    Value *bound = compare->getOperand(1 - i);
    if (!bound->getType()->isIntegerTy() || bound->getType()->getIntegerBitWidth() > 64 || !loop.isLoopInvariant(bound))
      continue;
    auto *counter = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(compare->getOperand(i)));
    if (counter && counter->getLoop() == &loop && isa<SCEVConstant>(counter->getStepRecurrence(evolution)))
      leaving = {counter, bound};
  }
}
} // namespace

int64_t ir_loop_leftover(IrModule *ir, IrLoop *loop) {
  Loop *l = loop_in(loop);
  Function &f = *l->getHeader()->getParent();
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Leaving leaving;
  find_leaving(*l, evolution, leaving);
  if (!leaving.counter)
    return 0;
  int64_t step = cast<SCEVConstant>(leaving.counter->getStepRecurrence(evolution))->getAPInt().getSExtValue();
  Leftover leftover(evolution, ir->functions->getResult<LoopAnalysis>(f), leaving.bound);
  for (PHINode &phi : l->getHeader()->phis()) {
    if (phi.getType() != leaving.counter->getType())
      continue;
    auto *apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(leaving.counter, evolution.getSCEV(&phi)));
    auto left = apart && step > 0 ? leftover.of(&phi) : std::nullopt;
    if (left)
      return std::max<int64_t>(1, (*left + step - 1) / step);
  }
  return 0;
}

double ir_frequency(IrModule *ir, LLVMBasicBlockRef block, IrLoop *loop) {
  Function &f = *unwrap(block)->getParent();
  auto &frequencies = ir->functions->getResult<BlockFrequencyAnalysis>(f);
  BasicBlock *from = loop ? loop_in(loop)->getHeader() : &f.getEntryBlock();
  double all = frequencies.getBlockFreq(from).getFrequency(), own = frequencies.getBlockFreq(unwrap(block)).getFrequency();
  return all > 0 ? own / all : 1;
}

bool ir_loop_keeps_below(IrModule *ir, LLVMValueRef phi, uint64_t bound) {
  Function &f = *unwrap<Instruction>(phi)->getFunction();
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Type *type = unwrap(phi)->getType();
  if (!type->isIntegerTy() || !isUIntN(type->getIntegerBitWidth() - 1, bound))
    return false;
  auto *recurrence = dyn_cast_or_null<SCEVAddRecExpr>(shallow_form(evolution, unwrap(phi)));
  return recurrence && evolution.isKnownOnEveryIteration(ICmpInst::ICMP_ULT, recurrence, evolution.getConstant(type, bound));
}

LLVMBasicBlockRef ir_loop_before(IrLoop *loop) { return wrap(loop_in(loop)->getLoopPreheader()); }

} // extern "C"
