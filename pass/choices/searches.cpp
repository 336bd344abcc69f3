// Loops that look for something, in so many places at most.
//
//     while (n < 32 && a[n] == b[n]) n++;      LLVM has four iterations in a body, and computes its places anew between bodies: 64 bits for each array,
//                                              beside the count; nvcc has all 32 one behind the other, whose places are constants behind one pointer
//
// Most end in the first iterations. Places that move on by what run time knows would each take registers, and what is rounded might be fused
// with what stands in front of the loop: both are left.
#include "pass/bridge/bridge_internal.h"
#include "pass/bridge/bridge_module.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

// Iterations until the loop ends in any case; 0 where nobody knows.
static unsigned most_iterations(Loop &loop, ScalarEvolution &evolution, ArrayRef<BasicBlock *> ends)
{
    unsigned most = 0;
    for (BasicBlock *end : ends)
        if (unsigned trips = evolution.getSmallConstantTripCount(&loop, end); trips && (!most || trips < most))
            most = trips;
    return most;
}

// Is what the block ends by made of what the loop has loaded?
static bool ends_by_load(const Loop &loop, const BasicBlock &end)
{
    auto *jump = dyn_cast<BranchInst>(end.getTerminator());
    SmallVector<const Value *> open;
    SmallPtrSet<const Value *, 16> seen;
    if (jump && jump->isConditional())
        open.push_back(jump->getCondition());
    while (!open.empty()) {
        auto *made = dyn_cast<Instruction>(open.pop_back_val());
        if (!made || isa<PHINode>(made) || !loop.contains(made) || !seen.insert(made).second)
            continue;
        if (isa<LoadInst>(made))
            return true;
        append_range(open, made->operands());
    }
    return false;
}

// Of a sum, a multiple or an extension: what changes from one iteration to the next. Null where several do.
static const SCEV *changing_part(Loop &loop, ScalarEvolution &evolution, const SCEV *form)
{
    const SCEV *changing = nullptr;
    if (!isa<SCEVIntegralCastExpr, SCEVAddExpr, SCEVMulExpr>(form))
        return nullptr;
    for (const SCEV *part : form->operands()) {
        if (!evolution.isLoopInvariant(part, &loop)) {
            if (changing)
                return nullptr;
            changing = part;
        } else if (isa<SCEVMulExpr>(form) && !isa<SCEVConstant>(part)) {
            return nullptr;
        }
    }
    return changing;
}

static bool is_at_constant_distance(Loop &loop, ScalarEvolution &evolution, Value *pointer)
{
    const SCEV *form = shallow_form(evolution, pointer);
    if (form && evolution.isLoopInvariant(form, &loop))
        return true;
    while (form && !isa<SCEVAddRecExpr>(form))
        form = changing_part(loop, evolution, form);
    auto *counter = dyn_cast_or_null<SCEVAddRecExpr>(form);
    return counter && counter->isAffine() && counter->getLoop() == &loop &&
           isa<SCEVConstant>(counter->getStepRecurrence(evolution));
}

static bool may_be_repeated(Loop &loop, ScalarEvolution &evolution, Instruction &i)
{
    bool computes = i.getType()->isFPOrFPVectorTy() && !isa<LoadInst, PHINode, SelectInst>(i);
    auto *load = dyn_cast<LoadInst>(&i);
    if (load)
        return load->isSimple() && is_at_constant_distance(loop, evolution, load->getPointerOperand());
    return !computes && !i.mayReadOrWriteMemory() && !i.mayHaveSideEffects() &&
           !(isa<CallBase>(i) && cast<CallBase>(i).isConvergent());
}

bool loop_is_search(Loop &loop, ScalarEvolution &evolution)
{
    const size_t longest = 640; // instructions, as nvcc has them
    const Function &function = *loop.getHeader()->getParent();
    SmallVector<BasicBlock *> ends;
    loop.getExitingBlocks(ends);
    if (!loop.isInnermost() || !loop.isLoopSimplifyForm() || ends.size() < 2 || hasUnrollTransformation(&loop) != TM_Unspecified ||
        function.hasOptSize() || none_of(ends, [&](BasicBlock *end) { return ends_by_load(loop, *end); }))
        return false;
    size_t length = 0;
    for (BasicBlock *block : loop.blocks()) {
        length += block->size();
        if (any_of(*block, [&](Instruction &i) { return !may_be_repeated(loop, evolution, i); }))
            return false;
    }
    unsigned most = most_iterations(loop, evolution, ends);
    return most > 1 && length * most <= longest;
}

void loop_repeat_search(Loop &loop) { addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1); }
