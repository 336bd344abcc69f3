// Loops of constant trips that LLVM would unroll before they can become rings.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

void loop_forget(Loop &loop, ArrayRef<StringRef> prefixes) {
  if (MDNode *known = loop.getLoopID())
    loop.setLoopID(makePostTransformationMetadata(known->getContext(), known, prefixes, {}));
}

static const char *const barriers[] = {"llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.barrier.cta.sync.all"};
static const char *const warp_barriers[] = {"llvm.nvvm.bar.warp.sync"};

bool has_barriers(Module &module) {
  auto has = [&](const char *name) { return module.getFunction(name); };
  return any_of(barriers, has) || any_of(warp_barriers, has);
}

static int count_barriers(const Loop &loop, ArrayRef<const char *> names) {
  int count = 0;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block)
      if (auto *call = dyn_cast<CallBase>(&i); call && call->getCalledFunction())
        count += is_contained(names, call->getCalledFunction()->getName());
  return count;
}

// Barriers of the block, in no loop inside; or two of the warp, and none of the block.
static bool stages_between(const Loop &loop) {
  bool of_block = count_barriers(loop, barriers), of_warp = count_barriers(loop, warp_barriers) > 1;
  ArrayRef<const char *> names = of_block ? ArrayRef(barriers) : ArrayRef(warp_barriers);
  return (of_block || of_warp) && none_of(loop.getSubLoops(), [&](Loop *inner) { return count_barriers(*inner, names) > 0; });
}

static bool fills_shared_array(const Loop &loop) {
  const unsigned shared = 3;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block) {
      const Value *place = getLoadStorePointerOperand(&i);
      if (auto *copy = dyn_cast<MemTransferInst>(&i))
        place = copy->getDest();
      auto *array = place && !isa<LoadInst>(i) ? dyn_cast<GlobalVariable>(getUnderlyingObject(place)) : nullptr;
      if (array && array->getAddressSpace() == shared)
        return true;
    }
  return false;
}

bool loop_may_be_ring(Loop &loop, ScalarEvolution &evolution) {
  Function &function = *loop.getHeader()->getParent();
  bool stands_alone = function.hasFnAttribute(Attribute::NoInline) && function.getCallingConv() != CallingConv::PTX_Kernel;
  if (stands_alone || !has_barriers(*function.getParent()) || hasUnrollTransformation(&loop) != TM_Unspecified)
    return false;
  return stages_between(loop) && fills_shared_array(loop) && evolution.getSmallConstantTripCount(&loop) > 1;
}

void loop_keep(Loop &loop) {
  loop.setLoopAlreadyUnrolled();
  addStringMetadataToLoop(&loop, KEPT, 1);
}

// What a pipeline does with a function from here to its end.
static void optimize(Module &module, Function &function, OwnAnalyses &own, OptimizationLevel level) {
  own.builder.buildFunctionSimplificationPipeline(level, ThinOrFullLTOPhase::None).run(function, own.functions);
  own.functions.clear(function, function.getName());
  own.builder.buildModuleOptimizationPipeline(level, ThinOrFullLTOPhase::None).run(module, own.modules);
}

bool loop_rehearse(Loop &loop, OptimizationLevel level, function_ref<bool(IrModule *, Module &)> pays) {
  Function *function = loop.getHeader()->getParent();
  ValueToValueMapTy twins;
  auto copy = CloneModule(*function->getParent(), twins,
                          [&](const GlobalValue *value) { return !isa<Function>(value) || value == function; });
  OwnModule ir;
  ir.functions = &ir.own.functions;
  auto *twin = cast<Function>(twins.lookup(function));
  twin->setCallingConv(CallingConv::PTX_Kernel); // stands for those that it will be a part of
  twin->setLinkage(GlobalValue::ExternalLinkage);
  loop_keep(*ir.functions->getResult<LoopAnalysis>(*twin).getLoopFor(cast<BasicBlock>(twins.lookup(loop.getHeader()))));
  optimize(*copy, *twin, ir.own, level);
  return pays(&ir, *copy);
}

bool loops_release(Function &function, FunctionAnalysisManager &analyses, OptimizationLevel level) {
  bool any = false;
  if (function.isDeclaration())
    return false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    if (findOptionMDForLoop(loop, KEPT)) {
      loop_forget(*loop, {KEPT, UNROLL});
      any = true;
    }
  if (any) {
    auto passes = PassBuilder().buildFunctionSimplificationPipeline(level, ThinOrFullLTOPhase::None);
    analyses.invalidate(function, passes.run(function, analyses));
  }
  return any;
}
