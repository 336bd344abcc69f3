// Switches whose ways are short.
//
//     switch (t[j]) { case 1: d++; break; case 2: d--; }        ->        d = t[j] == 2 ? d - 1 : t[j] == 1 ? d + 1 : d
//
// LLVM makes choices of two ways by itself, and of a switch where its ways compute nothing; others remain jumps, which lanes take one after the other, and
// no load of the next iteration comes in front of them.
#include "pass/choices/short_ways.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace
{
bool is_nowhere(const BasicBlock *block) { return isa<UnreachableInst>(block->front()); }

// One instruction of LLVM's, of which the backend makes some ten, a branch or a call.
bool is_quotient(const Instruction &i)
{
    switch (i.getOpcode()) {
    case Instruction::FDiv:
    case Instruction::FRem:
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem: return true;
    default: return false;
    }
}

// Where a way that is nothing else leads to; null: it is more than that.
BasicBlock *end_of(const SwitchInst &jump, BasicBlock *way)
{
    auto *on = dyn_cast<BranchInst>(way->getTerminator());
    if (way->getUniquePredecessor() != jump.getParent() || !on || !on->isUnconditional() || isa<PHINode>(way->front()))
        return nullptr;
    bool computes = all_of(*way, [&](const Instruction &i) {
        return &i == on || (!i.mayReadOrWriteMemory() && !isa<CallBase>(i) && !is_quotient(i) && isSafeToSpeculativelyExecute(&i));
    });
    return computes ? on->getSuccessor(0) : nullptr;
}

// Where all ways meet: one of them may lead there at once. Null: they do not.
BasicBlock *meeting_of(SwitchInst &jump)
{
    BasicBlock *meeting = nullptr;
    for (BasicBlock *way : successors(&jump))
        if (BasicBlock *end = is_nowhere(way) ? nullptr : end_of(jump, way))
            meeting = meeting ? meeting : end;
    for (BasicBlock *way : successors(&jump))
        if (way != meeting && !is_nowhere(way) && (!meeting || end_of(jump, way) != meeting))
            return nullptr;
    return meeting == jump.getParent() ? nullptr : meeting;
}

Value *value_on(const SwitchInst &jump, const PHINode &phi, BasicBlock *way)
{
    return phi.getIncomingValueForBlock(way == phi.getParent() ? jump.getParent() : way);
}

// What the phi has if no case is met; if one always is, what it has in the last.
Value *value_else(const SwitchInst &jump, const PHINode &phi)
{
    BasicBlock *otherwise = jump.getDefaultDest();
    return value_on(jump, phi, is_nowhere(otherwise) ? jump.getSuccessor(jump.getNumSuccessors() - 1) : otherwise);
}

bool is_any_nowhere(const SwitchInst &jump)
{
    return any_of(jump.cases(), [](const auto &one) { return is_nowhere(one.getCaseSuccessor()); });
}

Value *chosen(IRBuilder<> &builder, SwitchInst &jump, const PHINode &phi)
{
    Value *otherwise = value_else(jump, phi), *value = otherwise;
    for (auto &one : jump.cases())
        if (Value *other = value_on(jump, phi, one.getCaseSuccessor()); other != otherwise)
            value = builder.CreateSelect(builder.CreateICmpEQ(jump.getCondition(), one.getCaseValue()), other, value);
    return value;
}

void compute_first(SwitchInst &jump, BasicBlock *way)
{
    for (Instruction &i : make_early_inc_range(*way))
        if (!i.isTerminator()) {
            i.dropUBImplyingAttrsAndMetadata();
            i.moveBefore(jump.getIterator());
        }
}
} // namespace

extern "C" {

IrShortWays ir_short_ways(LLVMValueRef jump)
{
    auto &s = *unwrap<SwitchInst>(jump);
    BasicBlock *meeting = meeting_of(s);
    IrShortWays ways = {0, 0, 0};
    if (!meeting || is_any_nowhere(s))
        return ways;
    SmallPtrSet<BasicBlock *, 8> known;
    for (BasicBlock *way : successors(&s))
        if (way != meeting && !is_nowhere(way) && known.insert(way).second)
            ways.instructions += static_cast<int>(way->size()) - 1;
    for (const PHINode &phi : meeting->phis())
        for (const auto &one : s.cases())
            ways.choices += value_on(s, phi, one.getCaseSuccessor()) != value_else(s, phi);
    ways.cases = static_cast<int>(s.getNumCases());
    return ways;
}

void ir_choose_ways(LLVMValueRef jump)
{
    auto &s = *unwrap<SwitchInst>(jump);
    BasicBlock *from = s.getParent(), *meeting = meeting_of(s);
    SmallPtrSet<BasicBlock *, 8> ways;
    for (BasicBlock *way : successors(&s))
        if (way != meeting && !is_nowhere(way))
            ways.insert(way);
    for (BasicBlock *way : ways)
        compute_first(s, way);
    IRBuilder<> builder(&s);
    SmallVector<std::pair<PHINode *, Value *>, 4> values;
    for (PHINode &phi : meeting->phis())
        values.push_back({&phi, chosen(builder, s, phi)});
    for (auto [phi, value] : values) {
        phi->removeIncomingValueIf([&](unsigned n) { return phi->getIncomingBlock(n) == from; }, false);
        phi->addIncoming(value, from);
    }
    BasicBlock *otherwise = s.getDefaultDest();
    if (is_nowhere(otherwise))
        otherwise->removePredecessor(from);
    builder.CreateBr(meeting);
    s.eraseFromParent();
    for (BasicBlock *way : ways)
        DeleteDeadBlock(way);
}

} // extern "C"
