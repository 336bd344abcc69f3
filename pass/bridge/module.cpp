// Modules and functions as a whole: their analyses, copies of bodies that are put aside while something is tried, and what -O0 leaves in memory.
#include "pass/bridge/bodies.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

extern "C" {

// Globals outside of a module, for a body that waits there: each has one of its own space in the module, which nobody defines.
struct StandIns : ValueMaterializer {
  Module &module;
  SmallVector<std::pair<GlobalValue *, GlobalVariable *>, 8> all;

  StandIns(Module &module) : module(module) {}

  Value *materialize(Value *value) override {
    auto *global = dyn_cast<GlobalValue>(value);
    if (!global)
      return nullptr;
    auto *here = new GlobalVariable(module, Type::getInt8Ty(module.getContext()), false, GlobalValue::ExternalLinkage, nullptr, "",
                                    nullptr, GlobalValue::NotThreadLocal, global->getAddressSpace());
    all.push_back({global, here});
    return here;
  }
};

// Whoever walks the uses of an argument, a global or an intrinsic meets nothing of what is kept: it has a module, arguments and
// globals of its own. An analysis that met it would ask one function's dominators about another one's blocks.
struct IrBody {
  Function *of, *kept;
  Module apart;
  StandIns globals{apart};
  ValueToValueMapTy twin;

  IrBody(Function *f)
      : of(f), kept(Function::Create(f->getFunctionType(), GlobalValue::InternalLinkage, "", nullptr)), apart("", f->getContext()) {
    apart.setDataLayout(f->getDataLayout());
    apart.getFunctionList().push_back(kept);
    kept->setAttributes(f->getAttributes());
  }
};

LLVMModuleRef ir_module_copy(LLVMModuleRef module, bool (*keeps)(const void *, LLVMValueRef), const void *context,
                             LLVMBasicBlockRef *blocks, size_t count) {
  ValueToValueMapTy twin;
  auto copy = CloneModule(*unwrap(module), twin, [&](const GlobalValue *value) {
    return !isa<Function>(value) || keeps(context, wrap(const_cast<GlobalValue *>(value)));
  });
  for (size_t i = 0; i < count; i++)
    blocks[i] = wrap(cast<BasicBlock>(twin.lookup(unwrap(blocks[i]))));
  return wrap(copy.release());
}

// The uses of a value are listed in no order that means anything, but what a loop's addresses are counted from follows from it later on: a copy has the code of the
// original where it has that as well. Of a search for a maximum a copy took 1.4 times as long (H100).
static void order_uses_as(Value &value, Value &copy, const ValueToValueMapTy &twin) {
  if (!value.hasNUsesOrMore(2))
    return;
  DenseMap<std::pair<const User *, unsigned>, unsigned> place;
  for (const Use &use : value.uses())
    if (const Value *user = twin.lookup(use.getUser()))
      place.insert({{cast<User>(user), use.getOperandNo()}, unsigned(place.size())});
  auto of = [&](const Use &use) { return place.lookup({use.getUser(), use.getOperandNo()}); };
  copy.sortUseList([&](const Use &one, const Use &other) { return of(one) < of(other); });
}

static void keep_order_of_uses(Function &f, const ValueToValueMapTy &twin) {
  for (Argument &argument : f.args())
    order_uses_as(argument, *twin.lookup(&argument), twin);
  for (BasicBlock &block : f)
    order_uses_as(block, *twin.lookup(&block), twin);
  for (Instruction &i : instructions(f))
    if (Value *copy = twin.lookup(&i))
      order_uses_as(i, *copy, twin);
}

IrBody *ir_body_keep(LLVMValueRef function) {
  auto *f = unwrap<Function>(function);
  auto *body = new IrBody(f);
  body->twin[f] = body->kept;
  for (auto [argument, twin] : zip(f->args(), body->kept->args()))
    body->twin[&argument] = &twin;
  for (BasicBlock &block : *f)
    body->twin[&block] = CloneBasicBlock(&block, body->twin, "", body->kept, nullptr, false);
  ValueMapper mapper(body->twin, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals, nullptr, &body->globals);
  for (Instruction &i : instructions(body->kept)) {
    mapper.remapDbgRecordRange(&body->apart, i.getDbgRecordRange());
    mapper.remapInstruction(i);
  }
  keep_order_of_uses(*f, body->twin);
  return body;
}

LLVMBasicBlockRef ir_body_block(const IrBody *body, LLVMBasicBlockRef block) {
  return wrap(cast<BasicBlock>(body->twin.lookup(unwrap(block))));
}

void ir_body_restore(IrModule *ir, IrBody *body) {
  Function &f = *body->of;
  for (BasicBlock &block : f)
    block.dropAllReferences();
  while (!f.empty())
    f.begin()->eraseFromParent();
  f.splice(f.begin(), body->kept);
  for (auto [argument, twin] : zip(f.args(), body->kept->args())) {
    twin.replaceAllUsesWith(&argument); // one by one, each in front of the ones before
    argument.reverseUseList();
  }
  for (auto [global, here] : body->globals.all)
    here->replaceAllUsesWith(global);
  body->kept->replaceAllUsesWith(&f);
  ir_changed(ir, wrap(&f));
  ir->functions->getResult<AssumptionAnalysis>(f).clear(); // it knows of what it saw being made, and is never out of date
}

LLVMValueRef ir_body_copy(IrBody *body, const char *name) {
  Function &f = *body->of,
           *copy = Function::Create(f.getFunctionType(), f.hasLocalLinkage() ? GlobalValue::ExternalLinkage : f.getLinkage(),
                                    f.getAddressSpace(), name, f.getParent());
  for (auto [global, here] : body->globals.all)
    here->replaceAllUsesWith(global);
  body->kept->replaceAllUsesWith(&f);
  body->kept->setCallingConv(f.getCallingConv());
  body->kept->setSubprogram(f.getSubprogram());
  ValueToValueMapTy twin;
  for (auto [kept, argument] : zip(body->kept->args(), copy->args()))
    twin[&kept] = &argument;
  SmallVector<ReturnInst *, 4> returns;
  CloneFunctionInto(copy, body->kept, twin, CloneFunctionChangeType::LocalChangesOnly, returns);
  keep_order_of_uses(*body->kept, twin);
  copy->setVisibility(f.getVisibility());
  copy->setDSOLocal(f.isDSOLocal());
  body->kept->setSubprogram(nullptr);
  return wrap(copy);
}

void ir_body_close(IrBody *body) { delete body; }

IrModule *ir_module_open(void) {
  auto *ir = new OwnModule;
  ir->functions = &ir->own.functions;
  return ir;
}

void ir_module_close(IrModule *ir) { delete static_cast<OwnModule *>(ir); }

bool ir_is_promotable(LLVMValueRef local) { return isAllocaPromotable(unwrap<AllocaInst>(local)); }

static const char kept_optnone[] = "coalda-optnone";

void ir_set_attribute(LLVMValueRef function, const char *name, const char *text) {
  unwrap<Function>(function)->addFnAttr(name, text);
}

bool ir_is_optnone(LLVMValueRef function) {
  auto *f = unwrap<Function>(function);
  return f->hasOptNone() || f->hasFnAttribute(kept_optnone);
}

void ir_promote(LLVMModuleRef module, bool is_copy) {
  OwnAnalyses own;
  FunctionPassManager functions;
  functions.addPass(SROAPass(SROAOptions::ModifyCFG));
  functions.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass()));
  for (Function &function : *unwrap(module)) {
    if (is_copy && function.hasOptNone()) {
      function.removeFnAttr(Attribute::OptimizeNone);
      function.addFnAttr(kept_optnone);
    }
    if (!function.isDeclaration() && !function.hasOptNone())
      functions.run(function, own.functions);
  }
}

// Structs and arrays of constants that name this one, or an expression of it, and that nobody uses.
static void find_unused(const Constant &constant, SmallSetVector<Constant *, 8> &unused) {
  for (const User *user : constant.users()) {
    auto *whole = dyn_cast<ConstantAggregate>(user);
    if (whole && whole->use_empty())
      unused.insert(const_cast<ConstantAggregate *>(whole));
    else if (isa<ConstantExpr>(user))
      find_unused(*cast<Constant>(user), unused);
  }
}

void ir_drop_dead_constants(LLVMModuleRef module) {
  SmallSetVector<Constant *, 8> unused;
  for (GlobalVariable &global : unwrap(module)->globals())
    find_unused(global, unused);
  for (Constant *constant : unused)
    constant->destroyConstant();
}

void ir_changed(IrModule *ir, LLVMValueRef function) {
  ir->functions->invalidate(*unwrap<Function>(function), PreservedAnalyses::none());
}

} // extern "C"
