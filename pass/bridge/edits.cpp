// What LLVM-C cannot change.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

static const char WALK_SCOPE[] = "coalda.walk"; // of loads that are apart from all that their loop writes
static const char PASSING_SCOPE[] = "coalda.passing"; // of loads that are not used where they are not

extern "C" {

LLVMBasicBlockRef ir_split_before(LLVMValueRef instruction) {
  auto *i = unwrap<Instruction>(instruction);
  return wrap(SplitBlock(i->getParent(), i->getIterator()));
}

LLVMBasicBlockRef ir_join_before(LLVMBasicBlockRef above, LLVMBasicBlockRef then) {
  BasicBlock *block = unwrap(then);
  return wrap(
      SplitBlockPredecessors(block->getSingleSuccessor(), {above ? unwrap(above) : block->getSinglePredecessor(), block}, ""));
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

LLVMBasicBlockRef ir_loop_version(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef condition,
                                  LLVMBasicBlockRef *clone_of, size_t count) {
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
  ReplaceInstWithInst(test->getTerminator(), BranchInst::Create(before, twin->getLoopPreheader(), unwrap(condition)));
  for (BasicBlock *exit : exits)
    for (PHINode &phi : exit->phis())
      for (unsigned i = 0, values = phi.getNumIncomingValues(); i < values; i++) {
        Value *value = phi.getIncomingValue(i);
        auto found = twins.find(value);
        phi.addIncoming(found == twins.end() ? value : &*found->second, cast<BasicBlock>(&*twins[phi.getIncomingBlock(i)]));
      }
  for (size_t i = 0; i < count; i++)
    clone_of[i] = wrap(cast<BasicBlock>(&*twins[unwrap(clone_of[i])]));
  ir_changed(ir, function);
  ir_loop_simplify(ir, function, header);
  return ir_loop_before(ir_loop_of(ir, header));
}

static void add_scope(Instruction *i, unsigned kind, MDNode *scope) {
  i->setMetadata(kind, MDNode::concatenate(i->getMetadata(kind), MDNode::get(i->getContext(), scope)));
}

static void promise_apart(LLVMValueRef *loads, size_t count, LLVMValueRef *writes, size_t writes_count, const char *name) {
  MDBuilder builder(unwrap<Instruction>(loads[0])->getContext());
  MDNode *scope = builder.createAnonymousAliasScope(builder.createAnonymousAliasScopeDomain("coalda"), name);
  for (size_t i = 0; i < count; i++)
    add_scope(unwrap<Instruction>(loads[i]), LLVMContext::MD_alias_scope, scope);
  for (size_t i = 0; i < writes_count; i++)
    add_scope(unwrap<Instruction>(writes[i]), LLVMContext::MD_noalias, scope);
}

void ir_promise_apart(LLVMValueRef *loads, size_t count, LLVMValueRef *writes, size_t writes_count) {
  promise_apart(loads, count, writes, writes_count, WALK_SCOPE);
}

void ir_promise_apart_for_now(LLVMValueRef *loads, size_t count, LLVMValueRef *writes, size_t writes_count) {
  promise_apart(loads, count, writes, writes_count, PASSING_SCOPE);
}

static void forget_passing(Instruction &i, unsigned kind) {
  MDNode *scopes = i.getMetadata(kind);
  SmallVector<Metadata *, 4> kept;
  for (const MDOperand &scope : scopes ? scopes->operands() : ArrayRef<MDOperand>())
    if (AliasScopeNode(cast<MDNode>(scope)).getName() != PASSING_SCOPE)
      kept.push_back(scope);
  if (scopes && kept.size() != scopes->getNumOperands())
    i.setMetadata(kind, kept.empty() ? nullptr : MDNode::get(i.getContext(), kept));
}

void ir_forget_apart_for_now(LLVMValueRef function) {
  for (Instruction &i : instructions(*unwrap<Function>(function))) {
    forget_passing(i, LLVMContext::MD_alias_scope);
    forget_passing(i, LLVMContext::MD_noalias);
  }
}

bool ir_is_promised_apart(LLVMValueRef load, LLVMValueRef write) {
  const MDNode *own = unwrap<Instruction>(load)->getMetadata(LLVMContext::MD_alias_scope);
  const MDNode *others = unwrap<Instruction>(write)->getMetadata(LLVMContext::MD_noalias);
  return own && others && any_of(own->operands(), [&](const MDOperand &scope) {
           StringRef name = AliasScopeNode(cast<MDNode>(scope)).getName();
           return (name == WALK_SCOPE || name == PASSING_SCOPE) && is_contained(others->operands(), scope);
         });
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

// Comes to stand in front of the branch: what may run whether its condition holds or not.
static bool may_be_chosen(const BasicBlock &then, const BasicBlock &join) {
  return then.getSinglePredecessor() && then.getSingleSuccessor() == &join && all_of(then, [](const Instruction &i) {
           return i.isTerminator() || (isa<LoadInst>(i) ? cast<LoadInst>(i).isSimple() : isSafeToSpeculativelyExecute(&i));
         });
}

// if (c) x = f();   ->   y = f(); x = c ? y : x       What is loaded promises no more than any word would.
static void choose(BasicBlock &block, BasicBlock &then, BasicBlock &join) {
  auto *branch = cast<BranchInst>(block.getTerminator());
  IRBuilder<> builder(branch);
  for (Instruction &i : then)
    if (isa<LoadInst>(i))
      i.dropUBImplyingAttrsAndMetadata();
  block.splice(branch->getIterator(), &then, then.begin(), then.getTerminator()->getIterator());
  for (PHINode &phi : join.phis()) {
    Value *a = phi.getIncomingValueForBlock(&then), *b = phi.getIncomingValueForBlock(&block);
    bool first = branch->getSuccessor(0) == &then;
    phi.setIncomingValueForBlock(&block, a == b ? a : builder.CreateSelect(branch->getCondition(), first ? a : b, first ? b : a));
  }
  join.removePredecessor(&then, true);
  ReplaceInstWithInst(branch, BranchInst::Create(&join));
  then.getTerminator()->eraseFromParent();
  new UnreachableInst(then.getContext(), &then);
  DeleteDeadBlock(&then);
  MergeBlockIntoPredecessor(&join);
}

bool ir_loop_choose(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header) {
  Function &f = *unwrap<Function>(function);
  Loop *loop = ir->functions->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  SmallVector<BasicBlock *, 16> blocks(loop->block_begin(), loop->block_end());
  SmallPtrSet<BasicBlock *, 16> inside(blocks.begin(), blocks.end());
  for (bool any = true; any;) {
    any = false;
    for (BasicBlock *block : blocks) {
      auto *branch = inside.contains(block) ? dyn_cast<BranchInst>(block->getTerminator()) : nullptr;
      for (unsigned i = 0; branch && branch->isConditional() && i < 2; i++) {
        BasicBlock *then = branch->getSuccessor(i), *join = branch->getSuccessor(1 - i);
        if (then == join || join == unwrap(header) || !inside.contains(then) || !inside.contains(join) ||
            !may_be_chosen(*then, *join))
          continue;
        bool is_merged = join->hasNPredecessors(2);
        choose(*block, *then, *join);
        inside.erase(then);
        if (is_merged)
          inside.erase(join);
        any = true;
        break;
      }
    }
  }
  return inside.size() == 1;
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
  CallInst *call = b.CreateCall(InlineAsm::get(type,
                                               "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {$0, $1}, {$2}, {$2}, {$2, $2};",
                                               "=r,=r,r", true),
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

// EarlyCSE comes to where copies of code meet before it has been through all of them: what they merge there has become one value behind it.
//
//     b: x = a + 1    c: y = a + 1    d: m = phi [x, b], [y, c]    ->    d: m = phi [x, b], [x, c]    ->    x
static void name_merges(Function &f) {
  for (BasicBlock &block : f)
    for (PHINode &phi : make_early_inc_range(block.phis()))
      if (Value *all = phi.hasConstantValue(); all && !isa<UndefValue>(all)) {
        phi.replaceAllUsesWith(all);
        phi.eraseFromParent();
      }
}

void ir_clean(IrModule *ir, LLVMValueRef function) {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(ADCEPass());
  run_passes(ir, function, passes);
  name_merges(*unwrap<Function>(function));
  ir_changed(ir, function);
}

} // extern "C"
