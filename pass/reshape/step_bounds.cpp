// A function that tells which iteration of a loop comes next (skips.cpp) hides from others what they ask of a loop: how far its counters
// go, and what it reads. So it is told both, when it is made, and has no use for it:
//
//     step(..., times, holds,         the loop runs again so often at most, if that holds
//          low, high, holds, ...      of each counter that it answers with
//          base, low, high, holds)    of each load of what may be written: between which addresses it reads
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace PatternMatch;

namespace {

constexpr char NUMBER[] = "coalda.step"; // of a load
enum { OF_TIMES = 2, OF_COUNTER = 3, OF_LOAD = 4 }; // values

void add(SmallVector<Value *, 16> &told, std::optional<StepBounds> bounds, LLVMContext &context) {
  Value *nothing = ConstantInt::get(Type::getInt64Ty(context), 0);
  told.push_back(bounds ? bounds->low : nothing);
  told.push_back(bounds ? bounds->high : nothing);
  told.push_back(bounds ? bounds->holds : ConstantInt::getFalse(context));
}

const CallBase *step_call(const Value *value) {
  auto *call = dyn_cast<CallBase>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->hasFnAttribute(STEP) ? call : nullptr;
}

unsigned first_told(const CallBase &call) {
  unsigned first = 0;
  call.getCalledFunction()->getFnAttribute(STEP).getValueAsString().getAsInteger(10, first);
  return first;
}

unsigned count_counters(const CallBase &call) { return cast<StructType>(call.getType())->getNumElements() - 1; }

unsigned first_load(const CallBase &call) { return first_told(call) + OF_TIMES + OF_COUNTER * count_counters(call); }

unsigned count_loads(const CallBase &call) { return (call.arg_size() - first_load(call)) / OF_LOAD; }

std::optional<StepBounds> bounds_at(const CallBase &call, unsigned low) {
  StepBounds bounds = {call.getArgOperand(low), call.getArgOperand(low + 1), call.getArgOperand(low + 2)};
  return match(bounds.holds, m_Zero()) ? std::nullopt : std::optional(bounds);
}

// One of those that lead into the loop, which are told the same.
template <class Made> const Made *led_in(const Loop &loop, const Value *value) {
  auto *phi = dyn_cast<PHINode>(value);
  for (unsigned i = 0; phi && phi->getParent() == loop.getHeader() && i < phi->getNumIncomingValues(); i++)
    if (auto *made = dyn_cast<Made>(phi->getIncomingValue(i)))
      return made;
  return nullptr;
}

const LoadInst *load_by(const Function &step, unsigned number) {
  for (const Instruction &i : instructions(step))
    if (MDNode *node = i.getMetadata(NUMBER); node && isa<LoadInst>(i))
      if (mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue() == number)
        return cast<LoadInst>(&i);
  return nullptr;
}

} // namespace

SmallVector<Value *, 16> step_told(IrModule *ir, Loop &loop, ArrayRef<PHINode *> counters, ArrayRef<LoadInst *> loads,
                                   Instruction *place) {
  LLVMContext &context = place->getContext();
  SmallVector<Value *, 16> told;
  add(told, times_bounds(ir, loop, place), context);
  told.erase(told.begin()); /* no less than none */
  for (PHINode *phi : counters)
    add(told, integer_bounds(ir, loop, phi, place), context);
  for (LoadInst *load : loads) {
    LLVMValueRef function = wrap(place->getFunction()), pointer = wrap(load->getPointerOperand());
    int64_t bytes = static_cast<int64_t>(load->getDataLayout().getTypeStoreSize(load->getType()));
    IrExtent extent;
    bool known = ir_extent(ir, function, wrap(loop.getHeader()), pointer, bytes, wrap(place), &extent);
    told.push_back(object_in(loop, *load));
    add(told, known ? std::optional(StepBounds{unwrap(extent.low), unwrap(extent.high), unwrap(extent.holds)}) : std::nullopt,
        context);
  }
  return told;
}

Value *object_in(const Loop &loop, const LoadInst &load) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(load.getPointerOperand(), objects, nullptr, 0);
  return objects.size() == 1 && loop.isLoopInvariant(objects[0]) ? const_cast<Value *>(objects[0]) : nullptr;
}

void step_number(LoadInst &load, unsigned number) {
  LLVMContext &context = load.getContext();
  auto *value = ConstantInt::get(Type::getInt32Ty(context), number);
  load.setMetadata(NUMBER, MDNode::get(context, ConstantAsMetadata::get(value)));
}

void step_forget(Function &step) {
  for (Instruction &i : instructions(step))
    i.setMetadata(NUMBER, nullptr);
}

std::optional<StepBounds> step_times(const Loop &loop) {
  auto *jump = loop.getLoopLatch() ? dyn_cast<BranchInst>(loop.getLoopLatch()->getTerminator()) : nullptr;
  auto *answer = jump && jump->isConditional() ? dyn_cast<ExtractValueInst>(jump->getCondition()) : nullptr;
  const CallBase *call = answer ? step_call(answer->getAggregateOperand()) : nullptr;
  if (!call)
    return std::nullopt;
  Value *times = call->getArgOperand(first_told(*call)), *holds = call->getArgOperand(first_told(*call) + 1);
  return match(holds, m_Zero()) ? std::nullopt : std::optional(StepBounds{times, times, holds});
}

// A phi of parts of answers, or part of a phi of answers.
std::optional<StepBounds> step_counter(const Loop &loop, const Value &value) {
  auto *made = dyn_cast<ExtractValueInst>(&value), *part = made ? made : led_in<ExtractValueInst>(loop, &value);
  const Value *answer = made ? led_in<CallBase>(loop, made->getAggregateOperand()) : part ? part->getAggregateOperand() : nullptr;
  const CallBase *call = answer ? step_call(answer) : nullptr;
  if (!call || part->getIndices()[0] == 0)
    return std::nullopt;
  return bounds_at(*call, first_told(*call) + OF_TIMES + OF_COUNTER * (part->getIndices()[0] - 1));
}

extern "C" {

bool ir_is_step(LLVMValueRef call) { return step_call(unwrap(call)); }

unsigned ir_step_reads(LLVMValueRef call) {
  const CallBase *step = step_call(unwrap(call));
  return step ? count_loads(*step) : 0;
}

void ir_step_read(LLVMValueRef call, unsigned number, IrExtent *extent) {
  const CallBase &step = *step_call(unwrap(call));
  unsigned first = first_load(step) + OF_LOAD * number;
  *extent = {wrap(step.getArgOperand(first)), wrap(step.getArgOperand(first + 1)), wrap(step.getArgOperand(first + 2)),
             wrap(step.getArgOperand(first + 3))};
}

bool ir_step_is_changed(IrModule *ir, LLVMValueRef writer, LLVMValueRef call, unsigned number) {
  auto *from = unwrap<Instruction>(writer);
  const CallBase &step = *step_call(unwrap(call));
  const LoadInst *load = load_by(*step.getCalledFunction(), number);
  AAMDNodes tags = load ? load->getAAMetadata() : AAMDNodes();
  tags.Scope = tags.NoAlias = nullptr; // promises of one call, inlined, and of one iteration
  BatchAAResults alias(ir->functions->getResult<AAManager>(*from->getFunction()));
  alias.enableCrossIterationMode();
  auto place = MemoryLocation::getBeforeOrAfter(step.getArgOperand(first_load(step) + OF_LOAD * number), tags);
  return isModSet(alias.getModRefInfo(from, place));
}

} // extern "C"
