// LLVM's own analyses for the C code: one function, one call into LLVM.
#include "pass/base/ptx_statement.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_module.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

static_assert(LLVM_VERSION_MAJOR == 22, "COALDA is written for LLVM 22");

using namespace llvm;
using namespace PatternMatch;

namespace {
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
} // namespace

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
  }
};

namespace {
// Analysis managers for modules that no pipeline runs on.
struct OwnAnalyses {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;

  OwnAnalyses() {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
};

struct OwnModule : IrModule {
  OwnAnalyses own;
};

Loop *loop_in(IrLoop *loop) { return reinterpret_cast<Loop *>(loop); }
IrLoop *loop_out(Loop *loop) { return reinterpret_cast<IrLoop *>(loop); }

// Metadata of loops that are kept from being unrolled.
const char KEPT[] = "llvm.loop.coalda.kept", UNROLL[] = "llvm.loop.unroll.";

void loop_forget(Loop &loop, ArrayRef<StringRef> prefixes) {
  if (MDNode *known = loop.getLoopID())
    loop.setLoopID(makePostTransformationMetadata(known->getContext(), known, prefixes, {}));
}

DominatorTree &dominators(IrModule *ir, BasicBlock *block) {
  return ir->functions->getResult<DominatorTreeAnalysis>(*block->getParent());
}
} // namespace

extern "C" {

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
  for (auto [argument, twin] : zip(f.args(), body->kept->args()))
    twin.replaceAllUsesWith(&argument);
  for (auto [global, here] : body->globals.all)
    here->replaceAllUsesWith(global);
  body->kept->replaceAllUsesWith(&f);
  ir_changed(ir, wrap(&f));
  ir->functions->getResult<AssumptionAnalysis>(f).clear(); // it knows of what it saw being made, and is never out of date
}

void ir_body_close(IrBody *body) { delete body; }

IrModule *ir_module_open(void) {
  auto *ir = new OwnModule;
  ir->functions = &ir->own.functions;
  return ir;
}

void ir_module_close(IrModule *ir) { delete static_cast<OwnModule *>(ir); }

IrLoop *ir_loop_of(IrModule *ir, LLVMBasicBlockRef block) {
  BasicBlock *b = unwrap(block);
  return loop_out(ir->functions->getResult<LoopAnalysis>(*b->getParent()).getLoopFor(b));
}

IrLoop *ir_loop_parent(IrLoop *loop) { return loop_out(loop_in(loop)->getParentLoop()); }
int ir_loop_depth(IrLoop *loop) { return loop ? int(loop_in(loop)->getLoopDepth()) : 0; }
LLVMBasicBlockRef ir_loop_header(IrLoop *loop) { return wrap(loop_in(loop)->getHeader()); }
bool ir_loop_has_block(IrLoop *loop, LLVMBasicBlockRef block) { return loop_in(loop)->contains(unwrap(block)); }
bool ir_loop_inside(IrLoop *inner, IrLoop *outer) { return loop_in(outer)->contains(loop_in(inner)); }

bool ir_has_loops(IrModule *ir, LLVMValueRef function) {
  auto *f = unwrap<Function>(function);
  return !f->isDeclaration() && !ir->functions->getResult<LoopAnalysis>(*f).empty();
}

bool ir_loop_is_innermost(IrLoop *loop) { return loop_in(loop)->isInnermost(); }

bool ir_loop_is_one_block(IrLoop *loop) { return loop_in(loop)->getNumBlocks() == 1; }
LLVMBasicBlockRef ir_loop_latch(IrLoop *loop) { return wrap(loop_in(loop)->getLoopLatch()); }

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

static const SCEV *shallow_form(ScalarEvolution &evolution, Value *value) {
  SmallPtrSet<Value *, 32> seen;
  return is_shallow(evolution, value, seen, 0) ? evolution.getSCEV(value) : nullptr;
}

bool ir_loop_is_countable(IrModule *ir, IrLoop *loop) {
  Loop *l = loop_in(loop);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*l->getHeader()->getParent());
  BasicBlock *last = l->getExitingBlock();
  auto *branch = last && last == l->getLoopLatch() ? dyn_cast<BranchInst>(last->getTerminator()) : nullptr;
  SmallPtrSet<Value *, 32> seen;
  return branch && branch->isConditional() && is_shallow(evolution, branch->getCondition(), seen, 0) &&
         !isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(l));
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

LLVMValueRef ir_loop_reaches(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, int iterations, LLVMValueRef place) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  const SCEV *times = evolution.getBackedgeTakenCount(ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header)));
  if (evolution.getTypeSizeInBits(times->getType()) < 32)
    times = evolution.getZeroExtendExpr(times, Type::getInt32Ty(f.getContext()));
  SCEVExpander expander(evolution, "coalda");
  IRBuilder<> builder(unwrap<Instruction>(place));
  Value *known = expander.expandCodeFor(times, times->getType(), unwrap<Instruction>(place));
  return wrap(builder.CreateICmpUGE(known, ConstantInt::get(times->getType(), uint64_t(iterations) - 1)));
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
  auto *number = option && option->getNumOperands() > 1
                     ? mdconst::dyn_extract_or_null<ConstantInt>(option->getOperand(1)) : nullptr;
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

bool ir_is_marked(LLVMValueRef instruction, const char *name) {
  auto *i = unwrap<Instruction>(instruction);
  SmallVector<StringRef, 64> names;
  if (!i->hasMetadataOtherThanDebugLoc())
    return false;
  i->getContext().getMDKindNames(names);
  auto *found = find(names, StringRef(name));
  return found != names.end() && i->hasMetadata(static_cast<unsigned>(found - names.begin()));
}

uint64_t ir_mark_number(LLVMValueRef instruction, const char *name) {
  MDNode *node = unwrap<Instruction>(instruction)->getMetadata(name);
  return node ? mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue() : 0;
}

bool ir_range(LLVMValueRef value, int64_t *low, int64_t *high) {
  auto *instruction = dyn_cast<Instruction>(unwrap(value));
  if (!instruction || !instruction->getType()->isIntegerTy() || instruction->getType()->getIntegerBitWidth() > 64)
    return false;
  std::optional<ConstantRange> range;
  if (auto *call = dyn_cast<CallBase>(instruction))
    range = call->getRange();
  else if (auto *node = instruction->getMetadata(LLVMContext::MD_range))
    range = getConstantRangeFromMetadata(*node);
  if (!range || range->isFullSet() || range->isEmptySet() || range->isSignWrappedSet())
    return false;
  *low = range->getSignedMin().getSExtValue();
  *high = range->getSignedMax().getSExtValue();
  return true;
}

bool ir_source_name(LLVMValueRef value, char *name, size_t size) {
  SmallVector<DbgVariableRecord *, 4> records;
  findDbgValues(unwrap(value), records);
  for (auto *record : records) {
    if (record->getExpression()->getNumElements() != 0)
      continue;
    StringRef text = record->getVariable()->getName();
    if (text.empty() || text.size() >= size)
      continue;
    memcpy(name, text.data(), text.size());
    name[text.size()] = 0;
    return true;
  }
  return false;
}

bool ir_is_promotable(LLVMValueRef local) { return isAllocaPromotable(unwrap<AllocaInst>(local)); }

static const char kept_optnone[] = "coalda-optnone";

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

// p + 4 and p + 12: no need to ask ScalarEvolution, whose answers cost more the more loops a function has.
static bool plain_distance(const DataLayout &layout, Value *from, Value *to, int64_t *bytes) {
  unsigned bits = layout.getIndexTypeSizeInBits(from->getType());
  APInt start(bits, 0), end(bits, 0);
  if (from->stripAndAccumulateConstantOffsets(layout, start, true) !=
      to->stripAndAccumulateConstantOffsets(layout, end, true))
    return false;
  *bytes = (end - start).getSExtValue();
  return true;
}

bool ir_distance(IrModule *ir, LLVMValueRef function, LLVMValueRef from, LLVMValueRef to, int64_t *bytes) {
  Function &f = *unwrap<Function>(function);
  if (unwrap(from)->getType() != unwrap(to)->getType())
    return false;
  if (plain_distance(f.getParent()->getDataLayout(), unwrap(from), unwrap(to), bytes))
    return true;
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  const SCEV *start = shallow_form(evolution, unwrap(from)), *end = shallow_form(evolution, unwrap(to));
  auto *difference = start && end ? dyn_cast<SCEVConstant>(evolution.getMinusSCEV(end, start)) : nullptr;
  if (!difference || difference->getAPInt().getSignificantBits() > 64)
    return false;
  *bytes = difference->getAPInt().getSExtValue();
  return true;
}

bool ir_is_apart(IrModule *ir, LLVMValueRef a, LLVMValueRef b) {
  auto *left = unwrap<Instruction>(a), *right = unwrap<Instruction>(b);
  auto &alias = ir->functions->getResult<AAManager>(*left->getFunction());
  auto place = MemoryLocation::getOrNone(left);
  return place && !isModOrRefSet(alias.getModRefInfo(right, *place));
}

bool ir_may_change(IrModule *ir, LLVMValueRef writer, LLVMValueRef reader) {
  auto *from = unwrap<Instruction>(writer), *to = unwrap<Instruction>(reader);
  BatchAAResults alias(ir->functions->getResult<AAManager>(*from->getFunction()));
  alias.enableCrossIterationMode();
  auto *copy = dyn_cast<AnyMemTransferInst>(to);
  MemoryLocation place = copy ? MemoryLocation::getForSource(copy) : MemoryLocation::get(to);
  place.AATags.Scope = place.AATags.NoAlias = nullptr; // promises of one call, inlined, and of one iteration
  return isModSet(alias.getModRefInfo(from, place.getWithNewSize(LocationSize::beforeOrAfterPointer())));
}

// The whole object that an access goes to, as far as its pointer tells. What holds inside of one inlined call does not count:
// it is a promise about one thread.
static MemoryLocation whole_object(Value *pointer, Instruction *access) {
  AAMDNodes tags;
  if (isa<LoadInst, StoreInst>(access))
    tags = access->getAAMetadata();
  tags.Scope = tags.NoAlias = nullptr;
  return MemoryLocation::getBeforeOrAfter(pointer, tags);
}

bool ir_is_elsewhere(IrModule *ir, LLVMValueRef a, LLVMValueRef pointer_a, LLVMValueRef b, LLVMValueRef pointer_b) {
  auto *left = unwrap<Instruction>(a), *right = unwrap<Instruction>(b);
  BatchAAResults alias(ir->functions->getResult<AAManager>(*left->getFunction()));
  alias.enableCrossIterationMode();
  return alias.isNoAlias(whole_object(unwrap(pointer_a), left), whole_object(unwrap(pointer_b), right));
}

bool ir_leads_to(IrModule *ir, LLVMValueRef from, LLVMValueRef to) {
  auto *start = unwrap<Instruction>(from), *end = unwrap<Instruction>(to);
  Function &function = *start->getFunction();
  return isPotentiallyReachable(start, end, nullptr, &ir->functions->getResult<DominatorTreeAnalysis>(function),
                                &ir->functions->getResult<LoopAnalysis>(function));
}

bool ir_touches_memory(LLVMValueRef instruction) { return unwrap<Instruction>(instruction)->mayReadOrWriteMemory(); }

// cvt.f32.f16 and its like: arithmetic of one thread.
static bool is_pure_assembly(const CallBase &call) {
  auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  return assembly && !assembly->hasSideEffects() && call.doesNotAccessMemory() &&
         text_is_pure(assembly->getAsmString().str().c_str());
}

bool ir_is_convergent(LLVMValueRef call) {
  auto *base = dyn_cast<CallBase>(unwrap(call));
  if (base && base->isInlineAsm())
    return !is_pure_assembly(*base);
  return base && (base->isConvergent() || base->cannotDuplicate());
}

bool ir_is_pure(LLVMValueRef instruction) {
  auto *i = unwrap<Instruction>(instruction);
  return !isa<PHINode>(i) && !i->mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(i) && !isa<AllocaInst>(i);
}

LLVMBasicBlockRef ir_split_before(LLVMValueRef instruction) {
  auto *i = unwrap<Instruction>(instruction);
  return wrap(SplitBlock(i->getParent(), i->getIterator()));
}

LLVMBasicBlockRef ir_join_before(LLVMBasicBlockRef then) {
  BasicBlock *block = unwrap(then);
  return wrap(SplitBlockPredecessors(block->getSingleSuccessor(), {block->getSinglePredecessor(), block}, ""));
}

// LLVM puts what remains behind the longer loop, so that its pieces start where the rows do, if a counter starts at a number.
static void count_from_zero(Loop *loop) {
  BasicBlock *header = loop->getHeader(), *before = loop->getLoopPreheader(), *latch = loop->getLoopLatch();
  IRBuilder<> builder(header, header->begin());
  PHINode *counter = builder.CreatePHI(builder.getInt64Ty(), 2);
  builder.SetInsertPoint(latch->getTerminator());
  counter->addIncoming(builder.getInt64(0), before);
  counter->addIncoming(builder.CreateAdd(counter, builder.getInt64(1)), latch);
}

static void mark(Instruction &i, const char *name) { i.setMetadata(name, MDNode::get(i.getContext(), {})); }

static void mark_block(Loop *loop) {
  for (BasicBlock *block : loop->blocks())
    for (Instruction &i : *block)
      if (i.mayReadOrWriteMemory())
        mark(i, BLOCK_METADATA);
}

// What lies at the same place in every iteration is of no row.
static void mark_rest(Loop *loop) {
  for (BasicBlock *block : loop->blocks())
    for (Instruction &i : *block)
      if (Value *pointer = getLoadStorePointerOperand(&i); pointer && !loop->isLoopInvariant(pointer)) {
        mark(i, REST_METADATA);
        i.setMetadata(BLOCK_METADATA, nullptr);
      }
}

// How many iterations the rest does, which its end asks for; null where it asks for something else.
static Value *left_for(Loop *rest) {
  Value *left = nullptr;
  auto *again = dyn_cast<BranchInst>(rest->getLoopLatch()->getTerminator());
  return again && again->isConditional() && match(again->getCondition(), m_ICmp(m_Value(), m_Value(left))) ? left : nullptr;
}

// Where LLVM asks whether enough iterations are left for the longer loop, in the block that knows how many remain behind it.
static void ask_past(ScalarEvolution &evolution, Loop *rest, unsigned factor, IrPast past, void *context) {
  Value *left = left_for(rest), *all = nullptr, *last = nullptr;
  if (!left || !match(left, m_And(m_Value(all), m_SpecificInt(factor - 1))))
    return;
  BasicBlock *before = cast<Instruction>(left)->getParent();
  auto *jump = dyn_cast<BranchInst>(before->getTerminator());
  if (!jump || !jump->isConditional() ||
      !match(jump->getCondition(), m_SpecificICmp(ICmpInst::ICMP_ULT, m_Value(last), m_SpecificInt(factor - 1))) ||
      any_of(left->users(), [=](User *user) { return cast<Instruction>(user)->getParent() == before; }))
    return;
  evolution.forgetValue(left);
  past(context, wrap(jump), wrap(left));
}

// How many iterations the rest does is asked of a call in front of it: who leaves the longer loop early has more to say.
static void mark_left(Loop *rest, unsigned factor) {
  Value *left = left_for(rest), *all = nullptr, *past = nullptr;
  BasicBlock *before = rest->getLoopPreheader();
  if (!before || !left)
    return;
  if (!match(left, m_And(m_Value(all), m_SpecificInt(factor - 1))) && // or as longer_hold has it
      !match(left, m_Select(m_Value(past), m_Value(all), m_And(m_Deferred(all), m_SpecificInt(factor - 1)))))
    return;
  for (Instruction &i : make_early_inc_range(*before))
    if (isa<AssumeInst>(i)) // of all iterations there may be one more than a word can tell
      i.eraseFromParent();
  IRBuilder<> builder(before, before->getFirstInsertionPt());
  CallInst *call = builder.CreateIntrinsic(Intrinsic::expect, {left->getType()}, {left, all});
  call->setMetadata(LEFT_METADATA, MDNode::get(call->getContext(), ConstantAsMetadata::get(builder.getInt32(factor))));
  left->replaceUsesWithIf(call, [=](Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    return user != call && (user->getParent() == before || rest->contains(user));
  });
}

// What counts from a row's end is ~(j | 1) to the compiler, and that is -2 ^ j: as j is even, -2 - j. Of differences it can be told
// how far apart they are.
static void subtract(Loop *loop, const SimplifyQuery &query) {
  for (BasicBlock *block : loop->blocks())
    for (Instruction &i : make_early_inc_range(*block)) {
      Value *counter;
      const APInt *end;
      if (!match(&i, m_Xor(m_Value(counter), m_APInt(end))) || !end->isNegative() || end->isAllOnes() ||
          !MaskedValueIsZero(counter, ~*end, query.getWithInstruction(&i)))
        continue;
      auto *difference = BinaryOperator::CreateNSWSub(ConstantInt::get(i.getType(), *end), counter, "", i.getIterator());
      difference->setDebugLoc(i.getDebugLoc());
      i.replaceAllUsesWith(difference);
      i.eraseFromParent();
    }
}

void ir_unroll(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, const int *factors, int count, IrPast past,
               void *context) {
  Function &f = *unwrap<Function>(function);
  FunctionAnalysisManager &analyses = *ir->functions;
  auto &tree = analyses.getResult<DominatorTreeAnalysis>(f);
  auto &loops = analyses.getResult<LoopAnalysis>(f);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(f);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(f);
  auto &target = analyses.getResult<TargetIRAnalysis>(f);
  OptimizationRemarkEmitter remarks(&f);
  Loop *loop = loops.getLoopFor(unwrap(header));
  for (BasicBlock *block : loop->blocks())
    for (Instruction &i : *block)
      if (auto *call = dyn_cast<CallBase>(&i); call && is_pure_assembly(*call))
        call->setNotConvergent();
  simplifyLoop(loop, &tree, &loops, &evolution, &assumptions, nullptr, false);
  subtract(loop, SimplifyQuery(f.getDataLayout(), &tree, &assumptions));
  evolution.forgetLoop(loop);
  count_from_zero(loop);
  mark_block(loop);
  MDNode *id = loop->getLoopID();
  UnrollLoopOptions options = {};
  options.Force = true;
  options.Runtime = true;
  options.AllowExpensiveTripCount = true;
  options.ForgetAllSCEV = true;
  options.SCEVExpansionBudget = 16;
  for (int i = 0; i < count && loop && factors[i] > 1; i++) {
    simplifyLoop(loop, &tree, &loops, &evolution, &assumptions, nullptr, false);
    formLCSSARecursively(*loop, tree, &loops, &evolution);
    options.Count = static_cast<unsigned>(factors[i]);
    Loop *rest = nullptr;
    UnrollLoop(loop, options, &loops, &evolution, &tree, &assumptions, &target, &remarks, true, &rest);
    if (rest) {
      rest->setLoopAlreadyUnrolled();
      mark_rest(rest);
      if (past && i == 0)
        ask_past(evolution, rest, options.Count, past, context);
      mark_left(rest, options.Count);
      evolution.forgetLoop(rest);
    }
    loop = rest;
    if (rest && (i + 1 == count || factors[i + 1] <= 1))
      rest->setLoopID(id); // it may have all iterations to do: whoever unrolls the original may unroll it
  }
}

// From the end of a loop's iteration, or of what stands for one, the way to the next is gone.
static void never_again(BasicBlock *end, unsigned next) {
  auto *jump = cast<BranchInst>(end->getTerminator());
  if (jump->isUnconditional())
    return;
  BasicBlock *out = jump->getSuccessor(1 - next);
  jump->getSuccessor(next)->removePredecessor(end);
  ReplaceInstWithInst(jump, BranchInst::Create(out));
  EliminateUnreachableBlocks(*end->getParent());
}

LLVMBasicBlockRef ir_peel(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, bool only) {
  Function &f = *unwrap<Function>(function);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  auto &assumptions = ir->functions->getResult<AssumptionAnalysis>(f);
  Loop *loop = loops.getLoopFor(unwrap(header));
  if (!loop || loop->getHeader() != unwrap(header))
    return header;
  simplifyLoop(loop, &tree, &loops, &evolution, &assumptions, nullptr, false);
  formLCSSARecursively(*loop, tree, &loops, &evolution);
  ValueToValueMapTy first;
  peelLoop(loop, 1, false, &loops, &evolution, tree, &assumptions, true, first);
  BasicBlock *latch = loop->getLoopLatch(), *begin = cast<BasicBlock>(first.lookup(loop->getHeader()));
  if (only)
    never_again(cast<BasicBlock>(first.lookup(latch)), latch->getTerminator()->getSuccessor(1) == loop->getHeader());
  ir_changed(ir, function);
  return wrap(begin);
}

void ir_expand_constants(LLVMValueRef function, LLVMValueRef constant) {
  convertUsersOfConstantsToInstructions(unwrap<Constant>(constant), unwrap<Function>(function), false);
}

LLVMValueRef ir_without_offset(LLVMValueRef pointer, int64_t *bytes) {
  auto *p = unwrap(pointer);
  auto *instruction = dyn_cast<Instruction>(p);
  auto *global = dyn_cast<GlobalVariable>(getUnderlyingObject(p));
  *bytes = 0;
  if (!instruction && !(global && isa<Constant>(p)))
    return pointer;
  const DataLayout &layout = instruction ? instruction->getModule()->getDataLayout() : global->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(p->getType()), 0);
  auto *base = p->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (base->getType() != p->getType() && isa<Constant>(base))
    base = ConstantExpr::getAddrSpaceCast(cast<Constant>(base), p->getType());
  if (base->getType() != p->getType())
    return pointer;
  *bytes = offset.getSExtValue();
  return wrap(base);
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
    bool rests = match(value, m_Sub(m_Value(n), m_CombineOr(m_IRem(m_Deferred(n), m_APInt(number)),
                                                            m_And(m_Deferred(n), m_APInt(number)))));
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
  Leftover(ScalarEvolution &evolution, const LoopInfo &loops, Value *bound)
      : evolution(evolution), bound(bound), loops(loops) {}

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
  return recurrence &&
         evolution.isKnownOnEveryIteration(ICmpInst::ICMP_ULT, recurrence, evolution.getConstant(type, bound));
}

bool ir_loop_simplify(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header) {
  Function &f = *unwrap<Function>(function);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  Loop *loop = loops.getLoopFor(unwrap(header));
  bool changes = simplifyLoop(loop, &tree, &loops, nullptr, nullptr, nullptr, false);
  changes |= formLCSSARecursively(*loop, tree, &loops, nullptr);
  if (changes)
    ir_changed(ir, function);
  return changes;
}

LLVMBasicBlockRef ir_loop_before(IrLoop *loop) { return wrap(loop_in(loop)->getLoopPreheader()); }

bool ir_step(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t *bytes) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  auto *recurrence = dyn_cast_or_null<SCEVAddRecExpr>(shallow_form(evolution, unwrap(pointer)));
  if (!recurrence || recurrence->getLoop() != loop || !recurrence->isAffine())
    return false;
  auto *step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution));
  if (!step || step->getAPInt().getSignificantBits() > 64)
    return false;
  *bytes = step->getAPInt().getSExtValue();
  return true;
}

// Of a sum, a multiple or an extension, what changes in the loop; null where that is not one of them.
static const SCEV *changing_part(ScalarEvolution &evolution, Loop *loop, const SCEV *form, APInt &factor) {
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(form))
    return cast<SCEVIntegralCastExpr>(form)->getOperand();
  if (!isa<SCEVAddExpr, SCEVMulExpr>(form))
    return nullptr;
  if (auto *product = dyn_cast<SCEVMulExpr>(form)) {
    auto *constant = dyn_cast<SCEVConstant>(product->getOperand(0));
    if (!constant || product->getNumOperands() != 2)
      return nullptr;
    factor *= constant->getAPInt().sextOrTrunc(factor.getBitWidth());
    return product->getOperand(1);
  }
  const SCEV *changing = nullptr;
  for (const SCEV *part : form->operands()) {
    if (evolution.isLoopInvariant(part, loop))
      continue;
    if (changing)
      return nullptr;
    changing = part;
  }
  return changing;
}

bool ir_moves_on(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t bytes,
                 bool *unless_wraps) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  const SCEV *form = shallow_form(evolution, unwrap(pointer));
  APInt factor(128, 1);
  while (form && !isa<SCEVAddRecExpr>(form))
    form = changing_part(evolution, loop, form, factor);
  auto *recurrence = dyn_cast_or_null<SCEVAddRecExpr>(form);
  if (!recurrence || recurrence->getLoop() != loop || !recurrence->isAffine())
    return false;
  ConstantRange step = evolution.getSignedRange(recurrence->getStepRecurrence(evolution));
  if (step.contains(APInt(step.getBitWidth(), 0)) || factor.abs().uge(uint64_t(INT32_MAX)))
    return false;
  *unless_wraps = !recurrence->hasNoSelfWrap();
  if (*unless_wraps && step.getBitWidth() < 32)
    return false;
  APInt least = step.abs().getUnsignedMin().zextOrTrunc(factor.getBitWidth());
  return (factor.abs() * least).uge(APInt(factor.getBitWidth(), uint64_t(bytes)));
}

bool ir_is_below(IrModule *ir, LLVMValueRef function, LLVMValueRef value, int64_t bound) {
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*unwrap<Function>(function));
  const SCEV *form = shallow_form(evolution, unwrap(value));
  unsigned bits = unwrap(value)->getType()->getIntegerBitWidth();
  if (!form || bits > 64 || (bits < 64 && bound >> bits))
    return form && bits < 64;
  return evolution.isKnownPredicate(CmpInst::ICMP_ULT, form, evolution.getConstant(APInt(bits, uint64_t(bound))));
}

// A counter whose sum the branch back asks for does not wrap around, if the sum says so: poison there is undefined behaviour, and
// no other branch leads to a next iteration. LLVM believes it of loops without barriers alone; told so, it counts the others too.
static void believe_counter(ScalarEvolution &evolution, Loop *loop) {
  auto *latch = loop->getLoopLatch();
  auto *branch = latch ? dyn_cast<BranchInst>(latch->getTerminator()) : nullptr;
  auto *compare = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  auto *sum = compare ? dyn_cast<AddOperator>(compare->getOperand(0)) : nullptr;
  auto *counter = sum ? dyn_cast<PHINode>(sum->getOperand(0)) : nullptr;
  if (!counter || counter->getParent() != loop->getHeader() || counter->getIncomingValueForBlock(latch) != sum ||
      !sum->hasNoSignedWrap())
    return;
  auto *next = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(sum));
  if (!next || next->getLoop() != loop || next->hasNoSignedWrap())
    return;
  evolution.setNoWrapFlags(const_cast<SCEVAddRecExpr *>(next), SCEV::FlagNSW);
  evolution.forgetLoop(loop);
}

// Can all that the predicate asks be computed at the place, and how often the loop goes on, which bounds whatever may wrap in it?
static bool can_be_asked(const SCEVPredicate &predicate, const SCEV *times, SCEVExpander &expander, Instruction *place) {
  auto can = [&](const SCEV *value) { return !isa<SCEVCouldNotCompute>(value) && expander.isSafeToExpandAt(value, place); };
  if (auto *all = dyn_cast<SCEVUnionPredicate>(&predicate))
    return all_of(all->getPredicates(), [&](const SCEVPredicate *one) { return can_be_asked(*one, times, expander, place); });
  if (auto *compare = dyn_cast<SCEVComparePredicate>(&predicate))
    return can(compare->getLHS()) && can(compare->getRHS());
  return can(times) && all_of(cast<SCEVWrapPredicate>(predicate).getExpr()->operands(), can);
}

bool ir_recurrence(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer,
                   LLVMValueRef place, LLVMValueRef *start, LLVMValueRef *step, LLVMValueRef *holds) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  if (!shallow_form(evolution, unwrap(pointer)))
    return false;
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  believe_counter(evolution, loop);
  PredicatedScalarEvolution predicated(evolution, *loop);
  auto *recurrence = predicated.getAsAddRec(unwrap(pointer));
  BasicBlock *predecessor = loop->getLoopPredecessor();
  if (!recurrence || recurrence->getLoop() != loop || !recurrence->isAffine() || !predecessor)
    return false;
  const SCEV *times = nullptr; // asked for first: that may add to the predicate, and what was had of it before is gone then
  if (!predicated.getPredicate().isAlwaysTrue())
    times = predicated.getBackedgeTakenCount();
  const SCEVPredicate &predicate = predicated.getPredicate();
  auto *before = place ? unwrap<Instruction>(place) : predecessor->getTerminator();
  SCEVExpander expander(evolution, "coalda");
  auto *first = recurrence->getStart(), *by = recurrence->getStepRecurrence(evolution);
  if (!expander.isSafeToExpandAt(first, before) || !expander.isSafeToExpandAt(by, before) ||
      (times && !can_be_asked(predicate, times, expander, before)))
    return false;
  if (!place)
    return true;
  *start = wrap(expander.expandCodeFor(first, unwrap(pointer)->getType(), before));
  *step = wrap(expander.expandCodeFor(by, Type::getInt64Ty(f.getContext()), before));
  *holds = nullptr;
  if (!predicate.isAlwaysTrue())
    *holds = wrap(IRBuilder<>(before).CreateNot(expander.expandCodeForPredicate(&predicate, before)));
  return true;
}

namespace {
// What moves in a loop and in the one around it, and by how much in one iteration of each.
struct Grid {
  ScalarEvolution &evolution;
  const Loop *inner, *outer;
  int extensions = 0; // of a part that moves: it may wrap around before
  int visits = 0;

  struct Steps {
    const SCEV *inner, *outer;
  };

  std::optional<Steps> scaled(std::optional<Steps> steps, const SCEV *factor) {
    if (!steps)
      return {};
    return Steps{evolution.getMulExpr(steps->inner, factor), evolution.getMulExpr(steps->outer, factor)};
  }

  std::optional<Steps> steps_of_sum(const SCEVNAryExpr *sum) {
    const SCEV *none = evolution.getZero(steps_type(sum));
    Steps steps{none, none};
    for (const SCEV *part : sum->operands()) {
      auto more = steps_of(part);
      if (!more)
        return {};
      steps = {evolution.getAddExpr(steps.inner, more->inner), evolution.getAddExpr(steps.outer, more->outer)};
    }
    return steps;
  }

  // Of the one factor that moves.
  std::optional<Steps> steps_of_product(const SCEVMulExpr *product) {
    const SCEV *moving = nullptr, *factor = evolution.getOne(product->getType());
    for (const SCEV *part : product->operands()) {
      if (evolution.isLoopInvariant(part, outer))
        factor = evolution.getMulExpr(factor, part);
      else if (moving)
        return {};
      else
        moving = part;
    }
    return scaled(steps_of(moving), factor);
  }

  std::optional<Steps> steps_of_recurrence(const SCEVAddRecExpr *recurrence) {
    const SCEV *by = recurrence->getStepRecurrence(evolution);
    auto steps = steps_of(recurrence->getStart());
    if (!steps || !recurrence->isAffine() || !evolution.isLoopInvariant(by, outer))
      return {};
    if (recurrence->getLoop() == inner)
      return Steps{evolution.getAddExpr(steps->inner, by), steps->outer};
    return recurrence->getLoop() == outer ? std::optional(Steps{steps->inner, evolution.getAddExpr(steps->outer, by)}) : std::nullopt;
  }

  std::optional<Steps> steps_of_extension(const SCEVIntegralCastExpr *cast) {
    const SCEV *from = cast->getOperand();
    auto steps = steps_of(from);
    if (extensions++ || !steps)
      return {};
    Type *type = cast->getType();
    return Steps{evolution.getSignExtendExpr(steps->inner, type), evolution.getSignExtendExpr(steps->outer, type)};
  }

  Type *steps_type(const SCEV *form) { return evolution.getEffectiveSCEVType(form->getType()); }

  std::optional<Steps> steps_of(const SCEV *form) {
    const int most = 200; // parts: they may be shared
    const SCEV *none = evolution.getZero(steps_type(form));
    if (evolution.isLoopInvariant(form, outer))
      return Steps{none, none};
    if (++visits > most)
      return {};
    if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(form))
      return steps_of_recurrence(recurrence);
    if (auto *sum = dyn_cast<SCEVAddExpr>(form))
      return steps_of_sum(sum);
    if (auto *product = dyn_cast<SCEVMulExpr>(form))
      return steps_of_product(product);
    if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(form))
      return steps_of_extension(cast<SCEVIntegralCastExpr>(form));
    return {};
  }

  const SCEV *at(const SCEV *form, const SCEV *i, const SCEV *t) {
    LoopToScevMapT iteration{{inner, i}, {outer, t}};
    return SCEVLoopAddRecRewriter::rewrite(form, iteration, evolution);
  }
};
} // namespace

static const SCEV *as_number(ScalarEvolution &evolution, const SCEV *count) {
  Type *number = Type::getInt64Ty(evolution.getContext());
  return evolution.getTypeSizeInBits(count->getType()) > 64 ? evolution.getCouldNotCompute()
                                                            : evolution.getNoopOrZeroExtend(count, number);
}

// A sum of multiples that is extended once wraps around nowhere if it is at the corners where it seems to be: what is linear is in
// between there. With fewer iterations than this, and steps of 32 bits, neither do the numbers that say where it seems to be.
enum { MOST_ITERATIONS = 1 << 24 };

bool ir_grid(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, LLVMValueRef place, IrGrid *grid) {
  Function &f = *unwrap<Function>(function);
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop *inner = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header)), *outer = inner->getParentLoop();
  BasicBlock *before = outer ? outer->getLoopPredecessor() : nullptr;
  if (!before || !shallow_form(evolution, unwrap(pointer)))
    return false;
  believe_counter(evolution, outer);
  const SCEV *form = evolution.getSCEV(unwrap(pointer));
  Grid shape{evolution, inner, outer};
  auto steps = shape.steps_of(form);
  bool wraps = shape.extensions > 0;
  const SCEV *zero = evolution.getZero(Type::getInt64Ty(f.getContext()));
  const SCEV *last = evolution.getBackedgeTakenCount(inner), *tiles = wraps ? evolution.getBackedgeTakenCount(outer) : zero;
  if (!steps || isa<SCEVCouldNotCompute>(last) || isa<SCEVCouldNotCompute>(tiles) || !evolution.isLoopInvariant(last, outer) ||
      steps->inner->getType() != zero->getType())
    return false;
  last = as_number(evolution, last), tiles = as_number(evolution, tiles);
  const SCEV *start = shape.at(form, zero, zero);
  std::pair<const SCEV *, const SCEV *> corners[] = {{last, zero}, {zero, tiles}, {last, tiles}};
  SmallVector<const SCEV *, 8> parts = {start, steps->inner, steps->outer, last, tiles};
  for (auto &[i, t] : corners)
    parts.push_back(shape.at(form, i, t));
  auto *here = place ? unwrap<Instruction>(place) : before->getTerminator();
  SCEVExpander expander(evolution, "coalda");
  for (const SCEV *part : parts)
    if (isa<SCEVCouldNotCompute>(part) || !expander.isSafeToExpandAt(part, here))
      return false;
  if (!place)
    return true;
  IRBuilder<> builder(here);
  auto expand = [&](const SCEV *value) { return expander.expandCodeFor(value, value->getType(), here); };
  auto address = [&](const SCEV *value) { return builder.CreatePtrToInt(expand(value), builder.getInt64Ty()); };
  Value *across = expand(steps->inner), *down = expand(steps->outer), *ends = expand(last);
  *grid = {wrap(expand(start)), wrap(down), wrap(across), wrap(ends), nullptr};
  if (!wraps)
    return true;
  Value *holds = builder.CreateICmpULT(expand(evolution.getUMaxExpr(last, tiles)), builder.getInt64(MOST_ITERATIONS));
  for (auto &[i, t] : corners) {
    Value *moved = builder.CreateAdd(builder.CreateMul(across, expand(i)), builder.CreateMul(down, expand(t)));
    Value *seems = builder.CreateAdd(address(start), moved);
    holds = builder.CreateAnd(holds, builder.CreateICmpEQ(address(shape.at(form, i, t)), seems));
  }
  grid->holds = wrap(holds);
  return true;
}

namespace {
// A pointer at the first and at the last iteration of every loop that moves it: all others lie between two of these.
struct Corners {
  PredicatedScalarEvolution &evolution;
  Loop *loop;
  SmallVector<const SCEV *, 4> places;
  SmallVector<std::pair<const SCEV *, const SCEV *>, 2> moves; // by so much, so often

  bool is_settled(const SCEV *value) { return evolution.getSE()->isLoopInvariant(value, loop); }

  bool add(const SCEV *pointer) {
    const unsigned most = 8;
    ScalarEvolution &scalars = *evolution.getSE();
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(pointer);
    if (is_settled(pointer))
      return places.push_back(pointer), places.size() <= most;
    if (!recurrence || !recurrence->isAffine() || !loop->contains(recurrence->getLoop()))
      return false;
    const SCEV *step = recurrence->getStepRecurrence(scalars);
    const SCEV *times = recurrence->getLoop() == loop ? evolution.getBackedgeTakenCount()
                                                      : scalars.getSymbolicMaxBackedgeTakenCount(recurrence->getLoop());
    if (isa<SCEVCouldNotCompute>(times) || !is_settled(step) || !is_settled(times))
      return false;
    moves.push_back({step, times});
    return add(recurrence->getStart()) && add(recurrence->evaluateAtIteration(times, scalars));
  }

  bool can_be_computed(SCEVExpander &expander, Instruction *place) {
    for (auto *corner : places)
      if (!expander.isSafeToExpandAt(corner, place))
        return false;
    for (auto &[step, times] : moves)
      if (!expander.isSafeToExpandAt(step, place) || !expander.isSafeToExpandAt(times, place))
        return false;
    bool is_tested = !evolution.getPredicate().isAlwaysTrue();
    const SCEV *times = is_tested ? evolution.getBackedgeTakenCount() : nullptr; // may add to the predicate
    return !is_tested || can_be_asked(evolution.getPredicate(), times, expander, place);
  }
};
} // namespace

// No move is longer than addresses are, and no corner lies beyond them: nothing has wrapped around.
static void compute_extent(Corners &corners, SCEVExpander &expander, Instruction *place, Type *type, int64_t bytes,
                           IrExtent *extent) {
  IRBuilder<> builder(place);
  Type *number = builder.getInt64Ty();
  Value *low = nullptr, *high = nullptr, *wraps = builder.getFalse();
  for (auto &[step, times] : corners.moves) {
    ScalarEvolution &scalars = *corners.evolution.getSE();
    Value *by = expander.expandCodeFor(scalars.getTruncateOrSignExtend(step, number), number, place);
    Value *count = expander.expandCodeFor(scalars.getTruncateOrZeroExtend(times, number), number, place);
    Value *product = builder.CreateBinaryIntrinsic(Intrinsic::smul_with_overflow, by, count);
    wraps = builder.CreateOr(wraps, builder.CreateExtractValue(product, 1));
    wraps = builder.CreateOr(wraps, builder.CreateICmpSLT(count, builder.getInt64(0)));
  }
  for (auto *corner : corners.places) {
    Value *at = builder.CreatePtrToInt(expander.expandCodeFor(corner, type, place), number);
    wraps = builder.CreateOr(wraps, builder.CreateICmpSLT(at, builder.getInt64(0)));
    low = low ? builder.CreateBinaryIntrinsic(Intrinsic::umin, low, at) : at;
    high = high ? builder.CreateBinaryIntrinsic(Intrinsic::umax, high, at) : at;
  }
  const SCEVPredicate &predicate = corners.evolution.getPredicate(); // nothing is asked any more that may add to it
  if (!predicate.isAlwaysTrue())
    wraps = builder.CreateOr(wraps, expander.expandCodeForPredicate(&predicate, place));
  extent->low = wrap(low);
  extent->high = wrap(builder.CreateAdd(high, builder.getInt64(bytes)));
  extent->holds = wrap(builder.CreateNot(wraps));
}

namespace {
// Where a pointer may lead that moves in no regular step: every value on its way lies between two numbers, which are the same in
// all iterations. That none of them wraps around is tested; conditions on the way are not looked at. What has fewer bits than 32
// may stand for itself with a sign or without one: who reads it tests which.
struct Between {
  struct Bounds {
    const SCEV *low, *high; // of 64 bits
  };
  struct Limit {
    Bounds bounds;
    int64_t least, most;
  };
  ScalarEvolution &scalars;
  LoopInfo &loops;
  Loop *loop;
  SmallVector<Limit, 16> limits;
  DenseMap<Value *, Bounds> known;
  int visits = 0;

  Between(ScalarEvolution &scalars, LoopInfo &loops, Loop *loop) : scalars(scalars), loops(loops), loop(loop) {}

  const SCEV *number(int64_t value) { return scalars.getConstant(APInt(64, value, true)); }

  Bounds limited(Bounds bounds, int64_t least, int64_t most) {
    limits.push_back({bounds, least, most});
    return bounds;
  }

  // Sums and products of what is limited so do not wrap in 64 bits.
  Bounds fitted(Bounds bounds, Type *type) {
    unsigned bits = type->getIntegerBitWidth() > 32 ? 44 : type->getIntegerBitWidth();
    return limited(bounds, minIntN(bits), bits < 32 ? int64_t(maxUIntN(bits)) : maxIntN(bits));
  }

  Bounds with_sign(Bounds bounds, Type *type) { return limited(bounds, INT64_MIN, maxIntN(type->getIntegerBitWidth())); }
  Bounds without_sign(Bounds bounds) { return limited(bounds, 0, INT64_MAX); }

  Bounds either(Bounds a, Bounds b) { return {scalars.getSMinExpr(a.low, b.low), scalars.getSMaxExpr(a.high, b.high)}; }

  Bounds plus(Bounds a, Bounds b) { return {scalars.getAddExpr(a.low, b.low), scalars.getAddExpr(a.high, b.high)}; }

  Bounds product(Bounds a, Bounds b) {
    auto corner = [&](const SCEV *x, const SCEV *y) {
      const SCEV *value = scalars.getMulExpr(x, y);
      return Bounds{value, value};
    };
    return either(either(corner(a.low, b.low), corner(a.low, b.high)), either(corner(a.high, b.low), corner(a.high, b.high)));
  }

  // A counter: from where it starts to where it is in the last iteration.
  std::optional<Bounds> of_counter(PHINode *phi, Loop *counted) {
    auto *recurrence = dyn_cast<SCEVAddRecExpr>(scalars.getSCEV(phi));
    BasicBlock *before = counted->getLoopPredecessor();
    const SCEV *times = counted == loop ? scalars.getBackedgeTakenCount(loop) : scalars.getSymbolicMaxBackedgeTakenCount(counted);
    if (!recurrence || !recurrence->isAffine() || recurrence->getLoop() != counted || !before ||
        isa<SCEVCouldNotCompute>(times) || !scalars.isLoopInvariant(times, loop))
      return std::nullopt;
    const SCEV *step = recurrence->getStepRecurrence(scalars);
    auto start = of(phi->getIncomingValueForBlock(before));
    if (!start || !scalars.isLoopInvariant(step, loop) || phi->getType()->getIntegerBitWidth() > 32)
      return std::nullopt;
    Type *wide = Type::getInt64Ty(phi->getContext());
    const SCEV *count = scalars.getTruncateOrZeroExtend(times, wide);
    limited({count, count}, 0, INT32_MAX);
    const SCEV *way = scalars.getMulExpr(scalars.getSignExtendExpr(step, wide), count);
    Bounds last = plus(*start, {way, way});
    return fitted(either(*start, last), phi->getType());
  }

  std::optional<Bounds> of_phi(PHINode *phi) {
    Loop *inner = loops.getLoopFor(phi->getParent());
    if (inner && inner->getHeader() == phi->getParent())
      return of_counter(phi, inner);
    std::optional<Bounds> all;
    for (Value *value : phi->incoming_values()) {
      auto one = of(value);
      if (!one)
        return std::nullopt;
      all = all ? either(*all, *one) : *one;
    }
    return all;
  }

  // With a constant, which shifts and masks are told by as well.
  std::optional<Bounds> of_constant(BinaryOperator *i, Bounds a, int64_t c) {
    switch (i->getOpcode()) {
    case Instruction::Shl: return c >= 0 && c < 16 ? std::optional(product(a, {number(1 << c), number(1 << c)})) : std::nullopt;
    case Instruction::LShr: c = c >= 0 && c < 16 ? 1 << c : 0; [[fallthrough]];
    case Instruction::UDiv:
      if (c <= 0)
        return std::nullopt;
      without_sign(a);
      return Bounds{scalars.getUDivExpr(a.low, number(c)), scalars.getUDivExpr(a.high, number(c))};
    case Instruction::URem:
      without_sign(a);
      return c > 0 ? std::optional(Bounds{number(0), number(c - 1)}) : std::nullopt;
    case Instruction::And: return c >= 0 ? std::optional(Bounds{number(0), number(c)}) : std::nullopt;
    default: return std::nullopt;
    }
  }

  std::optional<Bounds> of_sum(BinaryOperator *i) {
    auto a = of(i->getOperand(0)), b = of(i->getOperand(1));
    auto *constant = dyn_cast<ConstantInt>(i->getOperand(1));
    auto *disjoint = dyn_cast<PossiblyDisjointInst>(i);
    if (!a || !b)
      return std::nullopt;
    bool small = i->getType()->getIntegerBitWidth() <= 32 || (constant && constant->getValue().isSignedIntN(16));
    if (constant && i->getType()->getIntegerBitWidth() < 32) // what LLVM adds to an index of 8 bits, it calls -128
      *b = {number(constant->getZExtValue()), number(constant->getZExtValue())};
    if (i->getOpcode() == Instruction::Add || (disjoint && disjoint->isDisjoint()))
      return plus(*a, *b);
    if (i->getOpcode() == Instruction::Sub)
      return Bounds{scalars.getMinusSCEV(a->low, b->high), scalars.getMinusSCEV(a->high, b->low)};
    if (i->getOpcode() == Instruction::Mul && small)
      return product(*a, *b);
    return constant ? of_constant(i, *a, constant->getSExtValue()) : std::nullopt;
  }

  std::optional<Bounds> of_instruction(Instruction *i) {
    if (auto *phi = dyn_cast<PHINode>(i))
      return of_phi(phi);
    if (auto *operation = dyn_cast<BinaryOperator>(i))
      if (auto bounds = of_sum(operation))
        return fitted(*bounds, i->getType());
    if (!isa<TruncInst, ZExtInst, SExtInst>(i))
      return std::nullopt;
    auto bounds = of(i->getOperand(0));
    if (bounds && !isa<TruncInst>(i))
      isa<ZExtInst>(i) ? without_sign(*bounds) : with_sign(*bounds, i->getOperand(0)->getType());
    return bounds ? std::optional(fitted(*bounds, i->getType())) : std::nullopt;
  }

  std::optional<Bounds> of(Value *value) {
    const int most = 200;
    if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64 || ++visits > most)
      return std::nullopt;
    if (auto found = known.find(value); found != known.end())
      return found->second;
    std::optional<Bounds> bounds;
    if (loop->isLoopInvariant(value)) {
      const SCEV *same = scalars.getTruncateOrSignExtend(scalars.getSCEV(value), Type::getInt64Ty(value->getContext()));
      bounds = fitted({same, same}, value->getType());
    } else {
      bounds = of_instruction(cast<Instruction>(value));
    }
    if (bounds)
      known[value] = *bounds;
    return bounds;
  }

  // Bytes from the base, which does not move.
  std::optional<Bounds> of_pointer(Value *pointer, Value *&base) {
    Bounds sum{number(0), number(0)};
    const DataLayout &layout = loop->getHeader()->getDataLayout();
    for (base = pointer; !loop->isLoopInvariant(base); base = cast<GEPOperator>(base)->getPointerOperand()) {
      auto *step = dyn_cast<GEPOperator>(base);
      SmallMapVector<Value *, APInt, 4> indices;
      APInt constant(64, 0);
      if (!step || !step->collectOffset(layout, 64, indices, constant) || !constant.isSignedIntN(32))
        return std::nullopt;
      sum = plus(sum, {scalars.getConstant(constant), scalars.getConstant(constant)});
      for (auto &[index, size] : indices) {
        auto bounds = of(index);
        if (!bounds || !size.isSignedIntN(16))
          return std::nullopt;
        with_sign(*bounds, index->getType());
        sum = plus(sum, product(*bounds, {scalars.getConstant(size), scalars.getConstant(size)}));
      }
    }
    return sum;
  }

  bool can_be_computed(Bounds sum, SCEVExpander &expander, Instruction *place) {
    auto can = [&](Bounds b) { return expander.isSafeToExpandAt(b.low, place) && expander.isSafeToExpandAt(b.high, place); };
    return can(sum) && all_of(limits, [&](Limit &l) { return can(l.bounds); });
  }

  void compute(Bounds sum, SCEVExpander &expander, Instruction *place, Value *base, int64_t bytes, IrExtent *extent) {
    IRBuilder<> builder(place);
    Type *type = builder.getInt64Ty();
    auto expand = [&](const SCEV *value) { return expander.expandCodeFor(value, type, place); };
    Value *from = builder.CreatePtrToInt(base, type), *holds = builder.getTrue();
    Value *low = builder.CreateAdd(from, expand(sum.low)), *high = builder.CreateAdd(from, expand(sum.high));
    for (Limit &l : limits) {
      if (l.least > INT64_MIN)
        holds = builder.CreateAnd(holds, builder.CreateICmpSGE(expand(l.bounds.low), builder.getInt64(l.least)));
      if (l.most < INT64_MAX)
        holds = builder.CreateAnd(holds, builder.CreateICmpSLE(expand(l.bounds.high), builder.getInt64(l.most)));
    }
    for (Value *at : {low, high})
      holds = builder.CreateAnd(holds, builder.CreateICmpSGE(at, builder.getInt64(0)));
    extent->low = wrap(low);
    extent->high = wrap(builder.CreateAdd(high, builder.getInt64(bytes)));
    extent->holds = wrap(holds);
  }
};
} // namespace

static bool extent_between(IrModule *ir, Function &f, Loop *loop, Value *pointer, int64_t bytes, Instruction *at, bool computes,
                           IrExtent *extent) {
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Between between(evolution, ir->functions->getResult<LoopAnalysis>(f), loop);
  SCEVExpander expander(evolution, "coalda");
  Value *start = nullptr;
  auto sum = between.of_pointer(pointer, start);
  auto *base = sum ? dyn_cast<SCEVUnknown>(evolution.getPointerBase(evolution.getSCEV(start))) : nullptr;
  if (!base || !between.can_be_computed(*sum, expander, at))
    return false;
  extent->base = wrap(base->getValue());
  if (computes)
    between.compute(*sum, expander, at, start, bytes, extent);
  return true;
}

bool ir_extent(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef pointer, int64_t bytes,
               LLVMValueRef place, IrExtent *extent) {
  Function &f = *unwrap<Function>(function);
  LLVMValueRef nowhere = wrap(ConstantInt::get(Type::getInt64Ty(f.getContext()), 0));
  *extent = {wrap(ConstantPointerNull::get(PointerType::get(f.getContext(), 0))), nowhere, nowhere,
             wrap(ConstantInt::getFalse(f.getContext()))};
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  BasicBlock *before = loop->getLoopPredecessor();
  if (!before || !shallow_form(evolution, unwrap(pointer)))
    return false;
  PredicatedScalarEvolution predicated(evolution, *loop);
  const SCEV *known = predicated.getSCEV(unwrap(pointer));
  if (!evolution.isLoopInvariant(known, loop) && !isa<SCEVAddRecExpr>(known))
    known = predicated.getAsAddRec(unwrap(pointer));
  Corners corners{predicated, loop, {}, {}};
  Instruction *at = place ? unwrap<Instruction>(place) : before->getTerminator();
  if (!known || !corners.add(known))
    return extent_between(ir, f, loop, unwrap(pointer), bytes, at, place != nullptr, extent);
  auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(corners.places[0]));
  SCEVExpander expander(evolution, "coalda");
  if (!base || !corners.can_be_computed(expander, at))
    return false;
  extent->base = wrap(base->getValue());
  if (place)
    compute_extent(corners, expander, at, unwrap(pointer)->getType(), bytes, extent);
  return true;
}

LLVMBasicBlockRef ir_loop_version(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef condition,
                                  LLVMBasicBlockRef *twin_of, size_t count) {
  SmallVector<BasicBlock *, 4> exits;
  Function &f = *unwrap<Function>(function);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  Loop *loop = loops.getLoopFor(unwrap(header));
  BasicBlock *test = loop->getLoopPreheader();
  loop->getUniqueExitBlocks(exits);
  BasicBlock *before = SplitBlock(test, test->getTerminator(), &tree, &loops);
  ValueToValueMapTy twins;
  SmallVector<BasicBlock *, 16> blocks;
  Loop *twin = cloneLoopWithPreheader(before, test, loop, twins, "", &loops, &tree, blocks);
  remapInstructionsInBlocks(blocks, twins);
  ReplaceInstWithInst(test->getTerminator(),
                      BranchInst::Create(before, twin->getLoopPreheader(), unwrap(condition)));
  for (BasicBlock *exit : exits)
    for (PHINode &phi : exit->phis())
      for (unsigned i = 0, values = phi.getNumIncomingValues(); i < values; i++) {
        Value *value = phi.getIncomingValue(i);
        auto found = twins.find(value);
        phi.addIncoming(found == twins.end() ? value : &*found->second, cast<BasicBlock>(&*twins[phi.getIncomingBlock(i)]));
      }
  for (size_t i = 0; i < count; i++)
    twin_of[i] = wrap(cast<BasicBlock>(&*twins[unwrap(twin_of[i])]));
  ir_changed(ir, function);
  ir_loop_simplify(ir, function, header);
  return ir_loop_before(ir_loop_of(ir, header));
}

void ir_forget_promises(LLVMValueRef instruction) {
  unwrap<Instruction>(instruction)->dropPoisonGeneratingAnnotations();
  unwrap<Instruction>(instruction)->dropUBImplyingAttrsAndMetadata();
}

void ir_locals_to_registers(IrModule *ir, LLVMValueRef function, LLVMValueRef *locals, size_t count) {
  Function &f = *unwrap<Function>(function);
  SmallVector<AllocaInst *, 16> allocas;
  for (size_t i = 0; i < count; i++)
    allocas.push_back(unwrap<AllocaInst>(locals[i]));
  ir_changed(ir, function);
  PromoteMemToReg(allocas, ir->functions->getResult<DominatorTreeAnalysis>(f));
}

static void run_passes(IrModule *ir, LLVMValueRef function, FunctionPassManager &passes) {
  Function &f = *unwrap<Function>(function);
  ir_changed(ir, function);
  ir->functions->invalidate(f, passes.run(f, *ir->functions));
}

void ir_name_spaces(IrModule *ir, LLVMValueRef function) {
  FunctionPassManager passes;
  passes.addPass(InferAddressSpacesPass(0));
  passes.addPass(InferAlignmentPass());
  run_passes(ir, function, passes);
}

void ir_tidy(IrModule *ir, LLVMValueRef function) {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LoopDeletionPass()));
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass());
  run_passes(ir, function, passes);
}

void ir_build_mma(LLVMBuilderRef builder) {
  IRBuilder<> &b = *unwrap(builder);
  Type *word = b.getInt32Ty();
  auto *type = FunctionType::get(StructType::get(word, word), {word}, false);
  CallInst *call = b.CreateCall(
      InlineAsm::get(type, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {$0, $1}, {$2}, {$2}, {$2, $2};", "=r,=r,r", true),
      {b.getInt32(0)});
  call->setConvergent();
  call->setDoesNotThrow();
  call->setOnlyAccessesInaccessibleMemory();
}

void ir_forget_left(IrModule *ir, LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  for (Instruction &i : make_early_inc_range(instructions(f)))
    if (i.getMetadata(LEFT_METADATA)) {
      i.replaceAllUsesWith(i.getOperand(0));
      i.eraseFromParent();
    }
  EliminateUnreachableBlocks(f);
  ir_changed(ir, function);
}

void ir_clean(IrModule *ir, LLVMValueRef function) {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(ADCEPass());
  run_passes(ir, function, passes);
}

void ir_changed(IrModule *ir, LLVMValueRef function) {
  ir->functions->invalidate(*unwrap<Function>(function), PreservedAnalyses::none());
}

bool ir_remarks_wanted(LLVMModuleRef module) {
  LLVMContext &context = unwrap(module)->getContext();
  return context.getLLVMRemarkStreamer() || context.getDiagHandlerPtr()->isAnyRemarkEnabled("coalda");
}

static void remark_send(DiagnosticInfoIROptimization &remark, Function &function, const char *sentence,
                        const IrRemarkPart *parts, size_t count) {
  remark << sentence << DiagnosticInfoOptimizationBase::setExtraArgs();
  for (size_t i = 0; i < count; i++)
    remark << ore::NV(parts[i].key, StringRef(parts[i].text));
  OptimizationRemarkEmitter(&function).emit(remark);
}

void ir_remark(IrRemarkKind kind, LLVMValueRef instruction, LLVMMetadataRef location, const char *name,
               const char *sentence, const IrRemarkPart *parts, size_t count) {
  auto *at = unwrap<Instruction>(instruction);
  DiagnosticLocation where(location ? DebugLoc(cast<DILocation>(unwrap(location))) : DebugLoc());
  OptimizationRemark passed("coalda", name, where, at->getParent());
  OptimizationRemarkMissed missed("coalda", name, where, at->getParent());
  OptimizationRemarkAnalysis analysis("coalda", name, where, at->getParent());
  DiagnosticInfoIROptimization *chosen[] = {&analysis, &passed, &missed};
  remark_send(*chosen[kind], *at->getFunction(), sentence, parts, count);
}

void ir_print(const char *text) { errs() << text; }

void ir_error(LLVMModuleRef module, const char *message) {
  unwrap(module)->getContext().diagnose(DiagnosticInfoGeneric(message, DS_Error));
}

char *ir_demangled(const char *name) {
  std::string text = demangle(name);
  return strdup(text.c_str());
}
}

// ---- loops that LLVM would unroll before they can become rings ----

static const char *const barriers[] = {"llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.barrier.cta.sync.all"};

bool has_barriers(Module &module) {
  return any_of(barriers, [&](const char *name) { return module.getFunction(name); });
}

static bool has_barrier(const Loop &loop) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &i : *block)
      if (auto *call = dyn_cast<CallBase>(&i); call && call->getCalledFunction())
        if (is_contained(barriers, call->getCalledFunction()->getName()))
          return true;
  return false;
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
  return has_barrier(loop) && none_of(loop.getSubLoops(), [](Loop *inner) { return has_barrier(*inner); }) &&
         fills_shared_array(loop) && evolution.getSmallConstantTripCount(&loop) > 1;
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
  auto copy = CloneModule(*function->getParent(), twins, [&](const GlobalValue *value) {
    return !isa<Function>(value) || value == function;
  });
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
