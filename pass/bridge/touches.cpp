// What touches a shared array: readings and writings, by a loop and outside of it, and between which of its barriers.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

bool is_plain_barrier(const Instruction &i) {
  auto *call = dyn_cast<CallInst>(&i);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  bool all = callee && (callee->getName() == "llvm.nvvm.barrier.cta.sync.aligned.all" ||
                        callee->getName() == "llvm.nvvm.barrier.cta.sync.all");
  return all && match(call->getArgOperand(0), PatternMatch::m_Zero());
}

// Empty where it is no plain reading or writing through the pointer.
static std::optional<Touch> touch_of(Instruction &user, unsigned operand) {
  if (auto *load = dyn_cast<LoadInst>(&user); load && load->isSimple())
    return Touch{&user, operand, false};
  if (auto *store = dyn_cast<StoreInst>(&user); store && store->isSimple() && operand == StoreInst::getPointerOperandIndex())
    return Touch{&user, operand, true};
  if (auto *copy = dyn_cast<MemCpyInst>(&user); copy && !copy->isVolatile() && isa<ConstantInt>(copy->getLength()))
    return Touch{&user, operand, operand == 0};
  auto *call = dyn_cast<IntrinsicInst>(&user);
  if (call && call->isArgOperand(&user.getOperandUse(operand)) && call->onlyReadsMemory(operand) && call->doesNotCapture(operand))
    return Touch{&user, operand, false};
  return {};
}

bool find_touches(GlobalVariable &array, const Function &f, const Loop &loop, Touches &inside, Touches &outside) {
  constexpr size_t MOST_TOUCHES = 512; // of one array: a bound of the search
  SmallVector<Value *, 16> pending = {&array};
  SmallPtrSet<Value *, 16> seen;
  while (!pending.empty()) {
    Value *pointer = pending.pop_back_val();
    if (!seen.insert(pointer).second)
      continue;
    for (Use &use : pointer->uses()) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      if (user && user->getFunction() != &f && user->getFunction()->getCallingConv() == CallingConv::PTX_Kernel)
        continue; // in a launch of its own
      if ((isa<GEPOperator>(use.getUser()) && use.getOperandNo() == 0) || isa<AddrSpaceCastOperator>(use.getUser())) {
        pending.push_back(use.getUser());
        continue;
      }
      auto touch = user && user->getFunction() == &f ? touch_of(*user, use.getOperandNo()) : std::nullopt;
      if (!touch || inside.size() + outside.size() == MOST_TOUCHES)
        return false;
      (loop.contains(user) ? inside : outside).push_back(*touch);
    }
  }
  return !inside.empty();
}

SmallVector<Instruction *, 8> barriers_of(const LoopInfo &loops, const DominatorTree &tree, const Loop &loop) {
  SmallVector<Instruction *, 8> barriers;
  for (BasicBlock *block : loop.blocks())
    if (loops.getLoopFor(block) == &loop && tree.dominates(block, loop.getLoopLatch()))
      for (Instruction &i : *block)
        if (is_plain_barrier(i))
          barriers.push_back(&i);
  return barriers;
}

size_t barriers_before(ArrayRef<Instruction *> barriers, const DominatorTree &tree, const Instruction *at) {
  return (size_t)count_if(barriers, [&](Instruction *barrier) { return tree.dominates(barrier, at); });
}

// Those of templates and inline functions may stand in other modules as well, of which the kernel calls nothing.
SmallVector<GlobalVariable *, 8> own_arrays(Module &module) {
  SmallVector<GlobalVariable *, 8> arrays;
  for (GlobalVariable &array : module.globals())
    if (array.getAddressSpace() == SHARED_SPACE && array.hasInitializer())
      arrays.push_back(&array);
  return arrays;
}
