// What must hold of a module after every step, looked at in tests alone: LLVM's verifier finds it valid, and nothing of one function is
// used in another. The verifier looks at the operands of what the module has; who walks the uses of a value also meets what is put
// aside: a body that waits to be restored, an instruction that stands nowhere.
#include "pass/bridge/bridge.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {
struct Check {
  Module &module;
  raw_string_ostream &wrong;
  SmallPtrSet<const Value *, 32> seen; // constants: many share one

  void complain(const Value &value, const Function *of) {
    wrong << (of ? of->getName() : "the module") << ": used elsewhere: ";
    value.printAsOperand(wrong, true, &module);
    wrong << '\n';
  }

  const Function *function_of(const Instruction *user) { return user->getParent() ? user->getFunction() : nullptr; }

  void is_used_in(Value &value, const Function &function) {
    SmallVector<DbgVariableRecord *, 4> records;
    for (const User *user : value.users())
      if (auto *instruction = dyn_cast<Instruction>(user); instruction && function_of(instruction) != &function)
        return complain(value, &function);
    findDbgUsers(&value, records);
    for (DbgVariableRecord *record : records)
      if (record->getFunction() != &function)
        return complain(value, &function);
  }

  // Constants are made of globals, and of each other.
  void is_used_here(const Value &global) {
    SmallVector<const Value *, 16> pending = {&global};
    while (!pending.empty())
      for (const User *user : pending.pop_back_val()->users()) {
        auto *instruction = dyn_cast<Instruction>(user);
        const Function *function = instruction ? function_of(instruction) : nullptr;
        if (instruction && (!function || function->getParent() != &module))
          return complain(global, nullptr);
        if (!instruction && !isa<GlobalValue>(user) && seen.insert(user).second)
          pending.push_back(user);
      }
  }

  void run() {
    for (Function &function : module) {
      for (Argument &argument : function.args())
        is_used_in(argument, function);
      for (BasicBlock &block : function)
        is_used_in(block, function);
      for (Instruction &i : instructions(function))
        is_used_in(i, function);
    }
    for (const GlobalValue &global : module.global_values())
      is_used_here(global);
    verifyModule(module, &wrong);
  }
};
} // namespace

extern "C" void ir_check(LLVMModuleRef module, const char *step) {
  std::string text;
  raw_string_ostream wrong(text);
  Check{*unwrap(module), wrong, {}}.run();
  if (!text.empty())
    reportFatalInternalError(Twine("coalda: wrong after ") + step + ": " + text);
}

extern "C" void ir_fail(const char *what) { reportFatalInternalError(Twine("coalda: ") + what); }
