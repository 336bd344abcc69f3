// Tile loops of which some iterations do nothing, or none follows: by `continue`, by a condition around all that they do, by `break`.
//
//     for (k = 0; k < n; k++) {                    k = next(k = 0)
//       if (!wanted(k)) continue;           ->     do { fill; barrier; use; barrier; k = next(k + 1); } while (any);
//       fill; barrier; use; barrier;
//     }
//
// What stands in front of the tile, from the loop's latch on, is a function of its own: it runs through iterations that do nothing, and
// tells whether one is left that does, and with which counters. So the loop has one way, one end, and a next iteration that can be asked
// for ahead. The function computes, or reads memory: whoever asks it sooner finds out what writes there. It goes where it is called when all
// is done.
#include "pass/base/marks.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"
#include "pass/reshape/skips.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

void bring_in_form(IrModule *ir, Function &f) {
  FunctionPassManager passes;
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(f, *ir->functions);
  ir_changed(ir, wrap(&f));
}

namespace {

// ---- the function ----

struct Step {
  Function *function;
  SmallVector<Value *, 8> known; // what it is given besides: whether the loop is left, and the header's phis
  SmallVector<Value *, 16> told; // and what it is told, for others (step_bounds.cpp)
};

// What the front is made of and is not made there.
SmallVector<Value *, 8> known_of(const Skips &skips) {
  SmallSetVector<Value *, 8> known;
  for (BasicBlock *block : skips.front)
    for (Instruction &i : *block) {
      auto *phi = dyn_cast<PHINode>(&i);
      if (phi && block == skips.header)
        continue;
      for (unsigned k = 0; k < i.getNumOperands(); k++) {
        Value *operand = i.getOperand(k);
        auto *made = dyn_cast<Instruction>(operand);
        bool from_front = !phi || skips.front.contains(phi->getIncomingBlock(k));
        if (from_front && (isa<Argument>(operand) || (made && !skips.front.contains(made->getParent()))))
          known.insert(operand);
      }
    }
  return SmallVector<Value *, 8>(known.begin(), known.end());
}

// A pointer is told as how far it is from the one that was given, and so stays in its object.
Type *told_type(const PHINode &head) {
  return head.getType()->isPointerTy() ? Type::getInt64Ty(head.getContext()) : head.getType();
}

StructType *answer_type(const Skips &skips) {
  SmallVector<Type *, 4> part = {Type::getInt1Ty(skips.header->getContext())};
  for (PHINode *head : skips.moved)
    part.push_back(told_type(*head));
  return StructType::get(skips.header->getContext(), part);
}

Function *declare(const Skips &skips, const Step &asked) {
  SmallVector<Type *, 12> type = {Type::getInt1Ty(skips.header->getContext())};
  for (PHINode &head : skips.header->phis())
    type.push_back(head.getType());
  for (Value *value : asked.known)
    type.push_back(value->getType());
  std::string first = std::to_string(type.size());
  for (Value *value : asked.told)
    type.push_back(value->getType());
  auto *made = FunctionType::get(answer_type(skips), type, false);
  Function *step = Function::Create(made, GlobalValue::InternalLinkage, STEP, skips.header->getModule());
  step->addFnAttr(STEP, first);
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree})
    step->addFnAttr(kind);
  if (skips.reads.empty())
    step->setDoesNotAccessMemory(); /* none that anybody writes */
  else
    step->setOnlyReadsMemory();
  return step;
}

// The argument that the header's phi is given as.
Argument *given_as(const Skips &skips, Function *step, const PHINode *head) {
  unsigned number = 1;
  for (PHINode &phi : skips.header->phis()) {
    if (&phi == head)
      break;
    number++;
  }
  return step->getArg(number);
}

void make_return(const Skips &skips, BasicBlock *block, bool any, const ValueToValueMapTy &map) {
  IRBuilder<> builder(block);
  auto *type = cast<StructType>(block->getParent()->getReturnType());
  Value *answer = builder.CreateInsertValue(PoisonValue::get(type), builder.getInt1(any), 0);
  for (unsigned i = 0; i < skips.moved.size(); i++) {
    Value *now = map.lookup(skips.moved[i]), *told = Constant::getNullValue(told_type(*skips.moved[i]));
    if (any && now->getType()->isPointerTy())
      told = builder.CreateSub(builder.CreatePtrToInt(now, told->getType()),
                               builder.CreatePtrToInt(given_as(skips, block->getParent(), skips.moved[i]), told->getType()));
    else if (any)
      told = now;
    answer = builder.CreateInsertValue(answer, told, i + 1);
  }
  builder.CreateRet(answer);
}

// The front's blocks; the header's phis are given on entry, and whatever leads elsewhere ends.
Function *make_step(const Skips &skips, const Step &asked) {
  Function *step = declare(skips, asked);
  LLVMContext &context = step->getContext();
  ValueToValueMapTy map;
  BasicBlock *entry = BasicBlock::Create(context, "", step), *any = BasicBlock::Create(context, "any", step),
             *none = BasicBlock::Create(context, "none", step);
  for (unsigned i = 0; i < asked.known.size(); i++)
    map[asked.known[i]] = step->getArg(step->arg_size() - asked.told.size() - asked.known.size() + i);
  SmallVector<BasicBlock *, 8> made;
  for (BasicBlock *block : skips.front) {
    made.push_back(CloneBasicBlock(block, map, "", step));
    map[block] = made.back();
  }
  map[skips.body] = any;
  map[skips.exit] = none;
  for (BasicBlock *block : made)
    for (Instruction &i : *block) {
      auto *phi = dyn_cast<PHINode>(&i);
      for (unsigned k = phi ? phi->getNumIncomingValues() : 0; k-- > 0;)
        if (!skips.front.contains(phi->getIncomingBlock(k)))
          phi->removeIncomingValue(k, false);
      i.setDebugLoc(DebugLoc());
      i.dropDbgRecords();
      RemapInstruction(&i, map, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    }
  for (PHINode &head : skips.header->phis())
    cast<PHINode>(map[&head])->addIncoming(given_as(skips, step, &head), entry);
  for (unsigned i = 0; i < skips.reads.size(); i++)
    step_number(*cast<LoadInst>(map[skips.reads[i]]), i);
  IRBuilder<>(entry).CreateCondBr(step->getArg(0), none, cast<BasicBlock>(map[skips.header]));
  make_return(skips, any, true, map);
  make_return(skips, none, false, map);
  return step;
}

// ---- the loop ----

// Does more than a phi that hands the value on, unchanged, use it in the front?
bool is_used_by_front(const Skips &skips, const Value &value, PHINode &head, unsigned depth = 0) {
  constexpr unsigned DEEPEST = 8;
  return any_of(value.users(), [&](const User *user) {
    auto *at = cast<Instruction>(user);
    auto *phi = dyn_cast<PHINode>(user);
    bool hands_on = phi && (phi == &head || kept_as(skips, const_cast<PHINode *>(phi)) == &head);
    if (!skips.front.contains(at->getParent()) || phi == &head)
      return false;
    return !hands_on || depth == DEEPEST || is_used_by_front(skips, *phi, head, depth + 1);
  });
}

// Does the function need it, to answer?
bool is_asked_by(const Skips &skips, PHINode &head) {
  return is_contained(skips.moved, &head) || is_used_by_front(skips, head, head);
}

using Values = SmallDenseMap<PHINode *, Value *, 8>; // of the header's phis

// Asks for the next iteration, at the end of the block, which goes on there or behind the loop. The phis' values for it.
Values ask(const Skips &skips, const Step &step, BasicBlock *block, Value *stops, const Values &next) {
  IRBuilder<> builder(block);
  SmallVector<Value *, 12> given = {stops};
  for (PHINode &head : skips.header->phis())
    given.push_back(is_asked_by(skips, head) ? next.lookup(&head) : PoisonValue::get(head.getType()));
  given.append(step.known.begin(), step.known.end());
  given.append(step.told.begin(), step.told.end());
  CallInst *answer = builder.CreateCall(step.function, given);
  builder.CreateCondBr(builder.CreateExtractValue(answer, 0), skips.header, skips.exit);
  Values after = next;
  builder.SetInsertPoint(block->getTerminator());
  for (unsigned i = 0; i < skips.moved.size(); i++) {
    Value *told = builder.CreateExtractValue(answer, i + 1), *given_then = next.lookup(skips.moved[i]);
    after[skips.moved[i]] = given_then->getType()->isPointerTy() ? builder.CreatePtrAdd(given_then, told) : told;
  }
  return after;
}

// Does the condition at the block's end leave the loop?
Value *stops_at(const Skips &skips, IRBuilder<> &builder, BasicBlock *latch, Value *condition) {
  auto *jump = cast<BranchInst>(latch->getTerminator());
  if (jump->isUnconditional())
    return builder.getFalse();
  return jump->getSuccessor(0) == skips.exit ? condition : builder.CreateNot(condition);
}

// The end of what is done: as the latch, which iterations that do nothing had as well.
BasicBlock *make_latch(const Skips &skips, ValueToValueMapTy &map) {
  SmallVector<BasicBlock *, 4> from;
  for (BasicBlock *p : predecessors(skips.latch))
    if (!skips.front.contains(p))
      from.push_back(p);
  BasicBlock *end = CloneBasicBlock(skips.latch, map, "", skips.latch->getParent());
  for (PHINode &phi : skips.latch->phis()) {
    auto *own = cast<PHINode>(map[&phi]);
    for (unsigned k = own->getNumIncomingValues(); k-- > 0;)
      if (skips.front.contains(own->getIncomingBlock(k)))
        own->removeIncomingValue(k, false);
      else
        phi.removeIncomingValue(k, false);
  }
  for (BasicBlock *p : from)
    p->getTerminator()->replaceSuccessorWith(skips.latch, end);
  for (Instruction &i : *end)
    RemapInstruction(&i, map, RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
  return end;
}

Value *mapped(ValueToValueMapTy &map, Value *value) {
  Value *made = map.lookup(value);
  return made ? made : value;
}

// Iterations that are asked for go to the body: conditions of the front do not lead elsewhere.
void close_front(const Skips &skips) {
  SmallSetVector<BasicBlock *, 8> leads = leading(skips);
  for (BasicBlock *block : skips.front) {
    Ways ways(leads, block);
    if (!leads.contains(block) || !ways.elsewhere)
      continue;
    BasicBlock *good = *ways.on.begin();
    bool kept = false;
    for (BasicBlock *next : successors(block))
      if (next != good || kept)
        next->removePredecessor(block, true);
      else
        kept = true;
    ReplaceInstWithInst(block->getTerminator(), BranchInst::Create(good));
  }
}

void skips_ahead(IrModule *ir, Skips &skips) {
  Step step = {nullptr, known_of(skips), {}};
  step.told = step_told(ir, skips.loop, skips.moved, skips.reads, skips.preheader->getTerminator());
  step.function = make_step(skips, step);
  ValueToValueMapTy map;
  bool front = latch_is_front(skips);
  SmallVector<std::pair<PHINode *, PHINode *>, 4> leaving; /* phis of the exit, of the header */
  for (PHINode &phi : skips.exit->phis())
    leaving.push_back({&phi, head_of(skips, phi)});
  BasicBlock *end = front ? make_latch(skips, map) : skips.latch;
  auto *jump = cast<BranchInst>(end->getTerminator());
  IRBuilder<> builder(jump);
  Value *stops = stops_at(skips, builder, skips.latch, jump->isConditional() ? jump->getCondition() : nullptr);
  MDNode *told = skips.loop.getLoopID(); /* by pragmas */
  Values first, next;
  for (PHINode &head : skips.header->phis()) {
    first[&head] = head.getIncomingValueForBlock(skips.preheader);
    next[&head] = mapped(map, head.getIncomingValueForBlock(skips.latch));
  }
  jump->eraseFromParent();
  skips.preheader->getTerminator()->eraseFromParent();
  Values entered = ask(skips, step, skips.preheader, ConstantInt::getFalse(skips.header->getContext()), first);
  Values followed = ask(skips, step, end, stops, next);
  end->getTerminator()->setMetadata(LLVMContext::MD_loop, told);
  if (!front) /* its edge to the exit is another one now */
    for (auto [phi, head] : leaving)
      if (phi->getBasicBlockIndex(end) >= 0)
        phi->removeIncomingValue(end, false);
  for (PHINode &head : skips.header->phis()) {
    head.setIncomingValueForBlock(skips.preheader, entered[&head]);
    if (front)
      head.addIncoming(followed[&head], end);
    else
      head.setIncomingValueForBlock(end, followed[&head]);
  }
  for (auto [phi, head] : leaving) {
    phi->addIncoming(first[head], skips.preheader);
    phi->addIncoming(next[head], end);
  }
  close_front(skips);
  EliminateUnreachableBlocks(*skips.header->getParent());
}

// The header of the first loop behind those that can be made straight; null: none can.
BasicBlock *next_of(IrModule *ir, Function &f, const SmallPtrSetImpl<BasicBlock *> &behind) {
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    Skips skips(*loop);
    if (!behind.contains(loop->getHeader()) && may_skip(*loop, tree) && find_skips(skips, tree))
      return loop->getHeader();
  }
  return nullptr;
}

bool skip_one(IrModule *ir, Function &f) {
  BasicBlock *header = next_of(ir, f, SmallPtrSet<BasicBlock *, 1>());
  if (!header)
    return false;
  Skips skips(*ir->functions->getResult<LoopAnalysis>(f).getLoopFor(header));
  find_skips(skips, ir->functions->getResult<DominatorTreeAnalysis>(f));
  skips_ahead(ir, skips);
  return true;
}

} // namespace

extern "C" {

bool ir_may_skip(LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  DominatorTree tree(f);
  LoopInfo loops(tree);
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) { return may_skip(*loop, tree); });
}

void ir_skip_ahead(IrModule *ir, LLVMValueRef function, void (*each)(void *context, LLVMBasicBlockRef header), void *context) {
  Function &f = *unwrap<Function>(function);
  SmallPtrSet<BasicBlock *, 8> told;
  bring_in_form(ir, f);
  while (BasicBlock *header = each ? next_of(ir, f, told) : nullptr) {
    told.insert(header);
    each(context, wrap(header));
    bring_in_form(ir, f);
  }
  while (skip_one(ir, f))
    ir_changed(ir, function);
}

void ir_inline_steps(IrModule *ir, LLVMValueRef function) {
  SmallVector<CallInst *, 8> calls;
  for (Instruction &i : instructions(*unwrap<Function>(function)))
    if (auto *call = dyn_cast<CallInst>(&i); call && ir_is_step(wrap(call)))
      calls.push_back(call);
  for (CallInst *call : calls) {
    Function &step = *call->getCalledFunction();
    step_forget(step);
    InlineFunctionInfo info;
    InlineFunction(*call, info);
    if (!step.use_empty())
      continue;
    ir->functions->clear(step, step.getName());
    step.eraseFromParent();
  }
  ir_changed(ir, function);
}

} // extern "C"
