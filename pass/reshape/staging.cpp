// Tile loops whose copies, or whose use, stand where no ring is looked for: in a function that the loop calls, or in the program's own
// asynchronous copies, which it waits for at once.
//
//     fill(s, g + i);                 the body of fill, in the loop
//     cp.async [s], [g], 16;          s = g: one of the moments at which the copy might have been made
//     cp.async.wait_group 0;          nothing is under way
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/Regex.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

constexpr unsigned MOST_DEPTH = 8; // of calls, and of sums that an address is made of

StringRef name_of(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee ? callee->getName() : "";
}

// ---- asynchronous copies ----

// Was the number, for assembly, made of a pointer, as far as can be told?
bool has_pointer(const Value *number, unsigned depth = 0) {
  auto *made = dyn_cast<Operator>(number);
  if (number->getType()->isPointerTy())
    return true;
  if (!made || depth == MOST_DEPTH)
    return false;
  switch (made->getOpcode()) {
  case Instruction::PtrToInt:
  case Instruction::Trunc:
  case Instruction::ZExt: return has_pointer(made->getOperand(0), depth + 1);
  case Instruction::Add: return has_pointer(made->getOperand(0), depth + 1) || has_pointer(made->getOperand(1), depth + 1);
  default: return false;
  }
}

// That pointer, as far on as the number is.
Value *pointer_of(IRBuilder<> &builder, Value *number) {
  if (number->getType()->isPointerTy())
    return builder.CreateAddrSpaceCast(number, builder.getPtrTy(SHARED_SPACE));
  auto *made = cast<Operator>(number);
  if (made->getOpcode() != Instruction::Add)
    return pointer_of(builder, made->getOperand(0));
  unsigned side = has_pointer(made->getOperand(0)) ? 0 : 1;
  Value *pointer = pointer_of(builder, made->getOperand(side));
  return builder.CreatePtrAdd(pointer, builder.CreateSExtOrTrunc(made->getOperand(1 - side), builder.getInt64Ty()));
}

struct AsyncCopy {
  Value *to, *from; // null: it is none
  uint64_t bytes; // 0: it brings zeros as well
};

uint64_t number_in(const CallBase &call, StringRef text) {
  unsigned number;
  if (!text.consume_front("$"))
    return text.getAsInteger(10, number) ? 0 : number;
  auto *value = text.getAsInteger(10, number) || number >= call.arg_size() ? nullptr
                                                                           : dyn_cast<ConstantInt>(call.getArgOperand(number));
  return value ? value->getZExtValue() : 0;
}

AsyncCopy async_copy(const CallBase &call) {
  static const Regex form("^cp\\.async\\.c[ag]\\.shared(::cta)?\\.global(\\.L2::[0-9a-zA-Z_:]+)? *\\[\\$0\\], *\\[\\$1\\], "
                          "*(\\$?[0-9]+)(, *(\\$?[0-9]+))?;$");
  SmallVector<StringRef, 6> part;
  std::string text = assembly_text(call);
  if (name_of(call).starts_with("llvm.nvvm.cp.async.c") && name_of(call).contains(".shared.global.") && call.arg_size() == 2) {
    uint64_t bytes = 0;
    name_of(call).rsplit('.').second.getAsInteger(10, bytes);
    return {call.getArgOperand(0), call.getArgOperand(1), bytes};
  }
  if (!form.match(text, &part))
    return {nullptr, nullptr, 0};
  uint64_t bytes = number_in(call, part[3]), read = part[5].empty() ? bytes : number_in(call, part[5]);
  return {call.getArgOperand(0), call.getArgOperand(1), bytes == read ? bytes : 0};
}

// ---- copies in bulk ----

LLVMValueRef operand_in(const CallBase &call, StringRef number) {
  unsigned n;
  return number.getAsInteger(10, n) || n >= call.arg_size() ? nullptr : wrap(call.getArgOperand(n));
}

IrBulk bulk_copy(const CallBase &call) {
  static const Regex bytes(
      "cp\\.async\\.bulk\\.shared[a-zA-Z0-9_:.]* *\\[\\$([0-9]+)\\], *\\[\\$[0-9]+\\], *\\$([0-9]+), *\\[\\$([0-9]+)\\]");
  static const Regex box(
      "cp\\.async\\.bulk\\.tensor\\.[1-5]d\\.shared[a-zA-Z0-9_:.]* *\\[\\$([0-9]+)\\], *\\[\\$[0-9]+, *\\{[^}]*\\}\\], "
      "*\\[\\$([0-9]+)\\]");
  SmallVector<StringRef, 4> part;
  std::string text = assembly_text(call);
  StringRef name = name_of(call);
  if (name.starts_with("llvm.nvvm.cp.async.bulk.global.to.shared.") && call.arg_size() > 3)
    return {wrap(call.getArgOperand(0)), wrap(call.getArgOperand(1)), wrap(call.getArgOperand(3))};
  if (name.starts_with("llvm.nvvm.cp.async.bulk.tensor.g2s.") && call.arg_size() > 1)
    return {wrap(call.getArgOperand(0)), wrap(call.getArgOperand(1)), nullptr};
  if (bytes.match(text, &part))
    return {operand_in(call, part[1]), operand_in(call, part[3]), operand_in(call, part[2])};
  if (box.match(text, &part))
    return {operand_in(call, part[1]), operand_in(call, part[2]), nullptr};
  return {nullptr, nullptr, nullptr};
}

// Does it wait for all copies, or close a group of them?
bool waits_for_all(const CallBase &call) {
  std::string text = assembly_text(call);
  StringRef name = name_of(call);
  if (name == "llvm.nvvm.cp.async.wait.all" || text == "cp.async.wait_all;" || text == "cp.async.wait_group 0;")
    return true;
  bool group = name == "llvm.nvvm.cp.async.wait.group" || text == "cp.async.wait_group $0;";
  auto *left = group && call.arg_size() ? dyn_cast<ConstantInt>(call.getArgOperand(0)) : nullptr;
  return left && left->isZero();
}

bool closes_group(const CallBase &call) {
  return name_of(call) == "llvm.nvvm.cp.async.commit.group" || assembly_text(call) == "cp.async.commit_group;";
}

bool is_async(const CallBase &call) {
  return StringRef(assembly_text(call)).contains("cp.async") || name_of(call).starts_with("llvm.nvvm.cp.async.");
}

// Is anything so of what the call's function calls, and of what those do? What nobody knows is.
template <class Is> bool may_lead_to(const CallBase &call, Is is) {
  SmallPtrSet<const Function *, 8> seen;
  SmallVector<const CallBase *, 8> pending = {&call};
  while (!pending.empty()) {
    const CallBase *next = pending.pop_back_val();
    const Function *callee = next->getCalledFunction();
    if (next != &call && is(*next))
      return true;
    if (next->isInlineAsm() || (callee && (callee->isIntrinsic() || !seen.insert(callee).second)))
      continue;
    if (!callee || callee->isDeclaration())
      return true;
    for (const Instruction &i : instructions(*callee))
      if (auto *inner = dyn_cast<CallBase>(&i))
        pending.push_back(inner);
  }
  return false;
}

// May a copy be begun in what is called there, and waited for here?
bool may_begin_copies(const CallBase &call) { return may_lead_to(call, is_async); }

bool waits_for_some(const CallBase &call) {
  return name_of(call) == "llvm.nvvm.cp.async.wait.group" || assembly_text(call) == "cp.async.wait_group $0;";
}

// Itself: assembly that nobody knows may.
bool may_await(const CallBase &call) {
  if (async_copy(call).to || closes_group(call) || name_of(call).starts_with("llvm.nvvm.barrier.cta."))
    return false;
  if (call.isInlineAsm())
    return !is_pure_assembly(call);
  return isa<IntrinsicInst>(call) && !call.doesNotAccessMemory() &&
         (is_async(call) || name_of(call).starts_with("llvm.nvvm.mbarrier"));
}

// All that is asynchronous in the function, or nothing where some of it is more than copies and waits.
SmallVector<CallBase *, 16> async_calls(Function &f) {
  SmallVector<CallBase *, 16> found;
  for (Instruction &i : instructions(f)) {
    auto *call = dyn_cast<CallBase>(&i);
    if (!call)
      continue;
    if (!is_async(*call) && may_begin_copies(*call))
      return {};
    if (!is_async(*call))
      continue;
    AsyncCopy copy = async_copy(*call);
    if ((!copy.bytes || !has_pointer(copy.to)) && !waits_for_all(*call) && !waits_for_some(*call) && !closes_group(*call))
      return {};
    found.push_back(call);
  }
  return found;
}

// Where some are left under way, the program has stages of its own.
bool has_stages(ArrayRef<CallBase *> calls) {
  return any_of(calls, [](const CallBase *call) { return waits_for_some(*call) && !waits_for_all(*call); });
}

// The source may be a number, which is the same in generic and in global memory.
Value *global_pointer(IRBuilder<> &builder, Value *from) {
  Type *global = builder.getPtrTy(GLOBAL_SPACE);
  return from->getType()->isPointerTy() ? builder.CreateAddrSpaceCast(from, global) : builder.CreateIntToPtr(from, global);
}

// Where it was begun; what waits for it goes.
void make_synchronous(CallBase &call) {
  AsyncCopy copy = async_copy(call);
  IRBuilder<> builder(&call);
  if (copy.bytes) {
    Value *to = pointer_of(builder, copy.to), *from = global_pointer(builder, copy.from);
    Type *type = copy.bytes == 4 ? static_cast<Type *>(builder.getInt32Ty())
                                 : FixedVectorType::get(builder.getInt32Ty(), static_cast<unsigned>(copy.bytes / 4));
    builder.CreateAlignedStore(builder.CreateAlignedLoad(type, from, Align(copy.bytes)), to, Align(copy.bytes));
  }
  call.eraseFromParent();
}

// ---- calls ----

// A call, in a loop with barriers, of a function that is there and is given shared memory.
CallBase *staging_call(Function &f, LoopInfo &loops, size_t longest) {
  for (Instruction &i : instructions(f)) {
    auto *call = dyn_cast<CallBase>(&i);
    Function *callee = call ? call->getCalledFunction() : nullptr;
    Loop *loop = callee && !callee->isDeclaration() && callee != &f ? loops.getLoopFor(call->getParent()) : nullptr;
    if (!loop || callee->hasOptNone() || callee->isInterposable() || callee->getInstructionCount() > longest ||
        callee->getReturnType()->isAggregateType() || callee->isVarArg())
      continue;
    if (waits_for_block(*loop->getOutermostLoop()))
      return call;
  }
  return nullptr;
}

bool may_choose_product(const Value *value, SmallPtrSetImpl<const Value *> &seen) {
  auto *made = dyn_cast<Instruction>(value);
  auto *call = dyn_cast<IntrinsicInst>(value);
  if (!made || isa<LoadInst>(made) || (call && call->getIntrinsicID() == Intrinsic::arithmetic_fence) || !seen.insert(made).second)
    return false;
  if (auto *select = dyn_cast<SelectInst>(made))
    return may_choose_product(select->getTrueValue(), seen) || may_choose_product(select->getFalseValue(), seen);
  if (auto *phi = dyn_cast<PHINode>(made))
    return any_of(phi->incoming_values(), [&](const Value *side) { return may_choose_product(side, seen); });
  return true;
}

// What may be a product: where it meets a sum in one block, the backend would make one operation of both.
bool may_be_product(const Value *value) {
  SmallPtrSet<const Value *, 8> seen;
  return value->getType()->isFPOrFPVectorTy() && may_choose_product(value, seen);
}

Value *fenced(IRBuilder<> &builder, Value *value) {
  return builder.CreateIntrinsic(Intrinsic::arithmetic_fence, {value->getType()}, {value});
}

// Products of the one function and sums of the other do not meet in memory, nor as integers.
void fence_stores(Function &f) {
  for (Instruction &i : instructions(f)) {
    if (auto *bits = dyn_cast<BitCastInst>(&i); bits && may_be_product(bits->getOperand(0))) {
      IRBuilder<> builder(bits);
      bits->setOperand(0, fenced(builder, bits->getOperand(0)));
      continue;
    }
    auto *store = dyn_cast<StoreInst>(&i);
    Value *stored = store ? store->getValueOperand() : nullptr;
    if (!stored || !may_be_product(stored))
      continue;
    IRBuilder<> builder(store);
    store->setOperand(0, fenced(builder, stored));
  }
}

// The backend rounds what goes into the call, and what comes out of it, before it goes on.
void fence_arguments(CallBase &call) {
  IRBuilder<> builder(&call);
  for (Use &argument : call.args())
    if (may_be_product(argument))
      argument.set(fenced(builder, argument));
  if (!call.getType()->isFPOrFPVectorTy())
    return;
  builder.SetInsertPoint(call.getNextNode());
  Value *result = fenced(builder, &call);
  call.replaceUsesWithIf(result, [&](Use &use) { return use.getUser() != result; });
}

} // namespace

void call_fence(CallBase &call) {
  fence_stores(*call.getFunction());
  fence_stores(*call.getCalledFunction());
  fence_arguments(call);
}

namespace {

// What nobody calls any more does nothing: its uses of shared arrays were what its callers have now.
void empty_if_dead(IrModule *ir, Function &f) {
  GlobalValue::LinkageTypes linkage = f.getLinkage();
  if (!f.hasLocalLinkage() || !f.use_empty())
    return;
  f.deleteBody();
  f.setLinkage(linkage);
  new UnreachableInst(f.getContext(), BasicBlock::Create(f.getContext(), "", &f));
  ir_changed(ir, wrap(&f));
}

void inline_calls(IrModule *ir, Function &f, size_t longest) {
  for (unsigned times = 0; times < MOST_DEPTH; times++) {
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    CallBase *call = staging_call(f, loops, longest);
    if (!call)
      return;
    call_fence(*call);
    Function &callee = *call->getCalledFunction();
    InlineFunctionInfo info;
    if (!InlineFunction(*call, info, true).isSuccess())
      return;
    empty_if_dead(ir, callee);
  }
}

} // namespace

extern "C" {

bool ir_may_show_staging(LLVMValueRef function, size_t longest) {
  Function &f = *unwrap<Function>(function);
  if (f.isDeclaration() || f.hasOptNone())
    return false;
  DominatorTree dominators(f);
  LoopInfo loops(dominators);
  return staging_call(f, loops, longest) || !async_calls(f).empty();
}

bool ir_begins_copy(LLVMValueRef call) {
  auto *begun = dyn_cast<CallBase>(unwrap(call));
  return begun && async_copy(*begun).to;
}

int ir_copied_bytes(LLVMValueRef call) { return static_cast<int>(async_copy(*unwrap<CallBase>(call)).bytes); }

IrBulk ir_bulk_copy(LLVMValueRef call) {
  auto *begun = dyn_cast<CallBase>(unwrap(call));
  return begun ? bulk_copy(*begun) : IrBulk{nullptr, nullptr, nullptr};
}

LLVMValueRef ir_expected_bytes(LLVMValueRef call, LLVMValueRef barrier) {
  static const Regex form("expect_tx[a-z0-9_:.]* *(_ *, *)?\\[\\$([0-9]+)\\], *\\$([0-9]+)");
  SmallVector<StringRef, 4> part;
  auto *told = dyn_cast<CallBase>(unwrap(call));
  if (told && name_of(*told).starts_with("llvm.nvvm.mbarrier.") && name_of(*told).contains("expect.tx."))
    return wrap(told->getArgOperand(0)) == barrier ? wrap(told->getArgOperand(1)) : nullptr;
  if (!told || !form.match(assembly_text(*told), &part) || operand_in(*told, part[2]) != barrier)
    return nullptr;
  return operand_in(*told, part[3]);
}

bool ir_asks_phase(LLVMValueRef call) {
  auto *asked = dyn_cast<CallBase>(unwrap(call));
  if (!asked)
    return false;
  std::string text = assembly_text(*asked);
  return StringRef(text).contains("mbarrier.try_wait") || StringRef(text).contains("mbarrier.test_wait") ||
         name_of(*asked).starts_with("llvm.nvvm.mbarrier.test.wait") || name_of(*asked).starts_with("llvm.nvvm.mbarrier.try.wait");
}

int ir_groups_left(LLVMValueRef instruction) {
  auto *call = dyn_cast<CallBase>(unwrap(instruction));
  if (!call || (!waits_for_some(*call) && !waits_for_all(*call)))
    return -1;
  auto *left = waits_for_some(*call) ? dyn_cast<ConstantInt>(call->getArgOperand(0)) : nullptr;
  return left ? static_cast<int>(left->getZExtValue()) : 0;
}

bool ir_is_copying(LLVMValueRef instruction) {
  auto *call = dyn_cast<CallBase>(unwrap(instruction));
  return call && (async_copy(*call).to || closes_group(*call) || waits_for_some(*call) || waits_for_all(*call));
}

bool ir_may_begin_copies(LLVMValueRef instruction) {
  auto *call = dyn_cast<CallBase>(unwrap(instruction));
  return call && (is_async(*call) ? !waits_for_some(*call) && !waits_for_all(*call) : may_begin_copies(*call));
}

bool ir_may_await_copies(LLVMValueRef instruction) {
  auto *call = dyn_cast<CallBase>(unwrap(instruction));
  return call && (may_await(*call) || may_lead_to(*call, may_await));
}

void ir_show_calls(IrModule *ir, LLVMValueRef function, size_t longest) {
  inline_calls(ir, *unwrap<Function>(function), longest);
  ir_changed(ir, function);
}

void ir_show_copies(IrModule *ir, LLVMValueRef function) {
  Function &f = *unwrap<Function>(function);
  if (has_stages(async_calls(f))) {
    counters_unite(ir, f);
    ir_tidy(ir, function);
  }
  SmallVector<CallBase *, 16> calls = async_calls(f);
  if (!has_stages(calls))
    for (CallBase *call : calls)
      make_synchronous(*call);
  ir_changed(ir, function);
}

} // extern "C"
