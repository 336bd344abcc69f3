// What the next run of a loop begins with that stands in another one: a function of its own tells, which does nothing of what else
// stands between two runs.
//
//     for (r = first; r < rows; r += g) {                 next(begins, r):
//       sum = 0; p = a + r * n;                             come = begins
//       for (k = 0; k < n; k++) sum += p[k];         ->     for (; r < rows; r += g) { p = a + r * n; if (come) return {true, r, p}; come = true; }
//       out[r] = sum;                                       return {false}
//     }
//
// It is the loop around with neither the loop inside nor anything that has an effect, or depends on what has one: where the counters,
// the way to the next run or what it begins with do, there is no such function. It computes, or reads what nothing writes while the
// kernel runs.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

constexpr unsigned LONGEST = 200; // instructions; it is asked for once a run

struct Nest {
  Loop &inner, &outer;
  BasicBlock *before, *behind; // of the inner loop
  SmallSetVector<BasicBlock *, 8> between; // the outer loop's blocks that are not the inner one's

  explicit Nest(Loop &loop)
      : inner(loop), outer(*loop.getParentLoop()), before(loop.getLoopPreheader()), behind(loop.getUniqueExitBlock()) {
    for (BasicBlock *block : outer.blocks())
      if (!inner.contains(block))
        between.insert(block);
  }

  // What the blocks use and is not made in the outer loop.
  SmallVector<Value *, 16> used() const {
    SmallSetVector<Value *, 16> found;
    for (BasicBlock *block : between)
      for (Instruction &i : *block)
        for (Value *operand : i.operands())
          if (isa<Argument>(operand) || (isa<Instruction>(operand) && !outer.contains(cast<Instruction>(operand))))
            found.insert(operand);
    return found.takeVector();
  }

  bool is_plain() const {
    return outer.getLoopPreheader() && before && behind && inner.getExitingBlock() == inner.getLoopLatch() &&
           all_of(between,
                  [](BasicBlock *b) { return isa<BranchInst>(b->getTerminator()) || isa<SwitchInst>(b->getTerminator()); });
  }
};

// May it be computed, or read, at any time?
bool is_repeatable(const Instruction &i) {
  if (auto *load = dyn_cast<LoadInst>(&i))
    return load->isSimple() && reads_constant(*load);
  auto *call = dyn_cast<CallBase>(&i);
  return isa<PHINode>(i) || ir_is_step(wrap(&i)) ||
         (!i.mayReadOrWriteMemory() && !i.mayHaveSideEffects() && !isa<AllocaInst>(i) &&
          (!call || (isa<IntrinsicInst>(call) && !call->isConvergent())));
}

// What the function is given.
struct Given {
  SmallVector<PHINode *, 8> state; // of the outer loop's header: what tells how far it has come
  SmallVector<Value *, 16> known;
};

// The function while it is made.
struct Making {
  const Nest &nest;
  const Given &given;
  ArrayRef<Value *> wanted;
  bool tells; // the state of the next run as well
  Function *step = nullptr;
  BasicBlock *entry = nullptr, *any = nullptr, *none = nullptr;
  ValueToValueMapTy map;
  SmallVector<WeakVH, 16> cut; // stands for what is not known here

  Making(const Nest &of, const Given &with, ArrayRef<Value *> values, bool all)
      : nest(of), given(with), wanted(values), tells(all) {}

  Value *unknown(Type *type) {
    auto *value = new FreezeInst(PoisonValue::get(type), "", entry->getTerminator()->getIterator());
    cut.push_back(value);
    return value;
  }

  Argument *state(PHINode *head) {
    auto *at = find(given.state, head);
    return at == given.state.end() ? nullptr : step->getArg(1 + unsigned(at - given.state.begin()));
  }
  Argument *known(unsigned number) { return step->getArg(1 + unsigned(given.state.size()) + number); }
};

void declare(Making &making) {
  LLVMContext &context = making.nest.before->getContext();
  SmallVector<Type *, 16> told = {Type::getInt1Ty(context)}, type = {Type::getInt1Ty(context)};
  for (PHINode *head : making.given.state) {
    type.push_back(head->getType());
    if (making.tells)
      told.push_back(head->getType());
  }
  for (Value *value : making.wanted)
    told.push_back(value->getType());
  for (Value *value : making.given.known)
    type.push_back(value->getType());
  auto *made = FunctionType::get(StructType::get(context, told), type, false);
  making.step = Function::Create(made, GlobalValue::InternalLinkage, "coalda-next", making.nest.before->getModule());
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::MustProgress})
    making.step->addFnAttr(kind); /* as the loop around is, where it is left at all */
  making.entry = BasicBlock::Create(context, "", making.step);
  making.any = BasicBlock::Create(context, "any", making.step);
  making.none = BasicBlock::Create(context, "none", making.step);
  for (unsigned i = 0; i < making.given.known.size(); i++)
    making.map[making.given.known[i]] = making.known(i);
}

// What is made in the inner loop, or has an effect, is not known.
void clone_between(Making &making) {
  const Nest &nest = making.nest;
  SmallVector<BasicBlock *, 8> made;
  for (BasicBlock *block : nest.between) {
    made.push_back(CloneBasicBlock(block, making.map, "", making.step));
    making.map[block] = made.back();
  }
  BranchInst::Create(cast<BasicBlock>(making.map[nest.outer.getHeader()]), making.entry);
  for (Value *value : nest.used())
    if (!making.map.count(value))
      making.map[value] = making.unknown(value->getType());
  for (BasicBlock *block : nest.between)
    for (Instruction &i : *block) {
      for (Value *operand : i.operands())
        if (auto *inside = dyn_cast<Instruction>(operand); inside && nest.inner.contains(inside) && !making.map.count(inside))
          making.map[inside] = making.unknown(inside->getType());
      if (is_repeatable(i) || i.isTerminator())
        continue;
      auto *twin = cast<Instruction>(making.map[&i]);
      if (!i.getType()->isVoidTy())
        making.map[&i] = making.unknown(i.getType());
      twin->eraseFromParent();
    }
  for (BasicBlock *block : made)
    for (Instruction &i : *block) {
      i.setDebugLoc(DebugLoc());
      i.dropDbgRecords();
      RemapInstruction(&i, making.map, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    }
}

// In place of the inner loop, the function ends, or goes on behind it; out of the outer one, it ends.
void join(Making &making) {
  const Nest &nest = making.nest;
  auto *header = cast<BasicBlock>(making.map[nest.outer.getHeader()]), *before = cast<BasicBlock>(making.map[nest.before]),
       *behind = cast<BasicBlock>(making.map[nest.behind]);
  for (BasicBlock *block : nest.between) {
    Instruction *jump = cast<BasicBlock>(making.map[block])->getTerminator();
    for (unsigned s = 0; s < jump->getNumSuccessors(); s++)
      if (!nest.outer.contains(block->getTerminator()->getSuccessor(s)))
        jump->setSuccessor(s, making.none);
  }
  BasicBlock *preheader = nest.outer.getLoopPreheader();
  for (PHINode &head : nest.outer.getHeader()->phis()) {
    auto *twin = cast<PHINode>(making.map[&head]);
    int from = twin->getBasicBlockIndex(preheader);
    Argument *given = making.state(&head);
    twin->setIncomingBlock(unsigned(from), making.entry);
    twin->setIncomingValue(unsigned(from), given ? given : making.unknown(head.getType()));
  }
  for (PHINode &phi : behind->phis())
    phi.replaceIncomingBlockWith(nest.inner.getLoopLatch(), before); /* it alone leaves the loop */
  IRBuilder<> builder(header, header->begin());
  PHINode *come = builder.CreatePHI(builder.getInt1Ty(), 2);
  for (BasicBlock *from : predecessors(header))
    come->addIncoming(from == making.entry ? static_cast<Value *>(making.step->getArg(0)) : builder.getTrue(), from);
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.CreateCondBr(come, making.any, behind);
}

void make_return(Making &making, bool any) {
  IRBuilder<> builder(any ? making.any : making.none);
  auto *type = cast<StructType>(making.step->getReturnType());
  Value *answer = builder.CreateInsertValue(Constant::getNullValue(type), builder.getInt1(any), 0);
  unsigned part = 1;
  for (PHINode *head : making.given.state)
    if (making.tells)
      answer = builder.CreateInsertValue(answer, any ? static_cast<Value *>(making.map[head]) : making.state(head), part++);
  for (Value *value : making.wanted)
    if (any)
      answer = builder.CreateInsertValue(answer, making.map[value], part++);
  builder.CreateRet(answer);
}

void forget(IrModule *ir, Function &step) {
  ir->functions->clear(step, step.getName());
  step.eraseFromParent();
}

// Nothing is left in it of what it must not know.
bool is_whole(IrModule *ir, Making &making) {
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(LoopDeletionPass()));
  passes.addPass(ADCEPass());
  passes.run(*making.step, *ir->functions);
  ir->functions->clear(*making.step, making.step->getName());
  return none_of(making.cut, [](const WeakVH &value) { return static_cast<Value *>(value) != nullptr; }) &&
         making.step->getInstructionCount() <= LONGEST;
}

// Null where there is none; `needs` is what it asks of what it was given.
Function *make(IrModule *ir, const Nest &nest, const Given &given, ArrayRef<Value *> wanted, bool tells, Given *needs) {
  Making making(nest, given, wanted, tells);
  declare(making);
  clone_between(making);
  join(making);
  make_return(making, true);
  make_return(making, false);
  bool whole = is_whole(ir, making);
  for (PHINode *head : given.state)
    if (needs && !making.state(head)->use_empty())
      needs->state.push_back(head);
  for (unsigned i = 0; needs && i < given.known.size(); i++)
    if (!making.known(i)->use_empty())
      needs->known.push_back(given.known[i]);
  if (whole)
    return making.step;
  forget(ir, *making.step);
  return nullptr;
}

} // namespace

extern "C" {

bool ir_next_run(IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, LLVMValueRef *wanted, size_t count,
                 IrNextRun *run) {
  auto &loops = ir->functions->getResult<LoopAnalysis>(*unwrap<Function>(function));
  Loop *inner = loops.getLoopFor(unwrap(header));
  if (!inner || inner->getHeader() != unwrap(header) || !inner->getParentLoop())
    return false;
  Nest nest(*inner);
  Given all = {{}, nest.used()}, needed;
  for (PHINode &head : nest.outer.getHeader()->phis())
    all.state.push_back(&head);
  SmallVector<Value *, 16> values;
  for (size_t i = 0; i < count; i++)
    values.push_back(unwrap(wanted[i]));
  Function *step = nest.is_plain() ? make(ir, nest, all, values, false, &needed) : nullptr;
  if (!step)
    return false;
  forget(ir, *step);
  if (needed.state.size() > IR_STATES || needed.known.size() > IR_KNOWN)
    return false;
  step = run ? make(ir, nest, needed, values, true, nullptr) : nullptr;
  if (!step)
    return !run;
  *run = {wrap(step), {}, needed.state.size(), {}, needed.known.size()};
  transform(needed.state, run->state, [](PHINode *head) { return wrap(head); });
  transform(needed.known, run->known, [](Value *value) { return wrap(value); });
  return true;
}

void ir_inline_next_run(IrModule *ir, const IrNextRun *run) {
  auto &step = *unwrap<Function>(run->function);
  while (!step.use_empty()) {
    InlineFunctionInfo info;
    InlineFunction(*cast<CallInst>(step.user_back()), info);
  }
  forget(ir, step);
}

} // extern "C"
