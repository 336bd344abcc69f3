// Small arrays of a thread that loops index: once the loops are unrolled away every index is a number, and the array is registers.
//
//     float v[8]; for (i < 8) v[i] = a[i]; for (i < 8) s += v[i] * v[i ^ 1];     ->     v0 = a[0]; ... s = fma(v0, v1, s); ...
//
// LLVM unrolls a loop away where its body, as often as it runs, comes to 300 instructions; what an array costs that stays in memory is no
// part of that. Who asks for it tries it on a body that is put aside, and looks what has become of the arrays.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace {
using Pointers = SmallVector<Instruction *, 32>;

// Of an array that a function was handed which stands in the kernel now: loops of that function may have been unrolled away already.
constexpr StringLiteral HANDED = "coalda.handed";

// Iterations of a loop that is followed to its end, at a time: a bound of the search.
enum : unsigned { FOLLOWED = 8 };

// ---- arrays ----

bool is_plain_intrinsic(const IntrinsicInst &call) {
  auto *moved = dyn_cast<MemIntrinsic>(&call);
  return call.isLifetimeStartOrEnd() || (moved && !moved->isVolatile() && isa<ConstantInt>(moved->getLength()));
}

// Whoever has a pointer into the array reads or writes through it, or compares it with another, and no more; those accesses.
bool find_accesses(AllocaInst &array, Pointers &accesses) {
  SmallVector<Instruction *, 16> open = {&array};
  SmallPtrSet<Value *, 16> known = {&array};
  SmallVector<ICmpInst *, 4> compared;
  while (!open.empty()) {
    Instruction *pointer = open.pop_back_val();
    for (Use &use : pointer->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      auto *load = dyn_cast<LoadInst>(user);
      auto *store = dyn_cast<StoreInst>(user);
      auto *call = dyn_cast<IntrinsicInst>(user);
      if ((load && load->isSimple()) || (store && store->isSimple() && use.getOperandNo() == 1) ||
          (call && is_plain_intrinsic(*call)))
        accesses.push_back(user);
      else if (auto *compare = dyn_cast<ICmpInst>(user))
        compared.push_back(compare);
      else if (!isa<GetElementPtrInst, AddrSpaceCastInst, BitCastInst, PHINode, SelectInst>(user))
        return false;
      else if (known.insert(user).second)
        open.push_back(user);
    }
  }
  return all_of(compared, [&](ICmpInst *compare) {
    return known.contains(compare->getOperand(0)) && known.contains(compare->getOperand(1));
  });
}

// Is the number made of counters of loops, and of constants? What is chosen by data is not.
bool is_counted(const Value *value, SmallPtrSetImpl<const Value *> &known) {
  auto *made = dyn_cast<Instruction>(value);
  if (!made || !known.insert(value).second)
    return made || isa<Constant, AllocaInst>(value);
  bool counts = isa<AllocaInst, GetElementPtrInst, AddrSpaceCastInst, CastInst, BinaryOperator, PHINode, SelectInst, CmpInst,
                    FreezeInst>(made) ||
                (isa<IntrinsicInst>(made) && !made->mayReadOrWriteMemory() && !cast<CallBase>(made)->isConvergent() &&
                 made->getNumOperands() > 1);
  return counts && all_of(isa<CallBase>(made) ? cast<CallBase>(made)->args() : made->operands(),
                          [&](const Use &use) { return isa<BasicBlock>(use) || is_counted(use, known); });
}

bool is_counted_place(const Instruction &access) {
  SmallPtrSet<const Value *, 16> known;
  auto counted = [&](const Value *pointer) {
    return !isa<AllocaInst>(getUnderlyingObject(pointer, 0)) || is_counted(pointer, known);
  };
  if (auto *moved = dyn_cast<MemIntrinsic>(&access))
    return counted(moved->getDest()) && (!isa<MemTransferInst>(moved) || counted(cast<MemTransferInst>(moved)->getSource()));
  const Value *pointer = getLoadStorePointerOperand(&access);
  return !pointer || is_counted(pointer, known);
}

// ---- loops ----

struct Loops {
  SmallVector<Loop *, 8> all; // in which a place of an array moves on, those around others first
  bool unknown = false; // one of them runs nobody knows how often, and is in none that does
};

// Is the number made in the loop of nothing but constants, by ways that such numbers tell?
bool is_told_in(const Loop &loop, const DominatorTree &tree, const Value *value, SmallPtrSetImpl<const Value *> &known) {
  auto *made = dyn_cast<Instruction>(value);
  if (!made || !loop.contains(made) || !known.insert(value).second)
    return made ? known.contains(value) : isa<Constant>(value);
  auto told = [&](const Value *other) { return is_told_in(loop, tree, other, known); };
  auto leads = [&](const BasicBlock *block) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    return !loop.contains(block) || (branch && (branch->isUnconditional() || told(branch->getCondition())));
  };
  if (auto *phi = dyn_cast<PHINode>(made))
    return all_of(phi->incoming_values(), told) && all_of(phi->blocks(), leads) &&
           (phi->getParent() == loop.getHeader() || leads(tree.getNode(phi->getParent())->getIDom()->getBlock()));
  return isa<CastInst, BinaryOperator, SelectInst, CmpInst, FreezeInst>(made) && all_of(made->operands(), told);
}

// Counters that go on in several ways, or several of them: nobody knows how often the loop runs, but whoever follows it from its first
// iteration on comes to its end.
bool ends_by_counting(const Loop &loop, const DominatorTree &tree) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [&](BasicBlock *block) {
    SmallPtrSet<const Value *, 16> known;
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    return branch && is_told_in(loop, tree, branch->getCondition(), known);
  });
}

bool is_left_rolled(const Loop &loop) {
  if (waits_for_block(loop) || findStringMetadataForLoop(&loop, TOLD))
    return true;
  return any_of(loop.blocks(), [](BasicBlock *block) {
    return isa<IndirectBrInst>(block->getTerminator()) || any_of(*block, [](const Instruction &i) {
             auto *call = dyn_cast<CallBase>(&i);
             return call && call->cannotDuplicate();
           });
  });
}

// Does anything that the access's place is made of change in the loop? It may be read there, or behind.
bool moves_in(const Loop &loop, const Value *value, SmallPtrSetImpl<const Value *> &known) {
  auto *made = dyn_cast<Instruction>(value);
  if (!made || !known.insert(value).second)
    return false;
  return (isa<PHINode>(made) && made->getParent() == loop.getHeader()) ||
         any_of(made->operands(), [&](const Use &use) { return !isa<BasicBlock>(use) && moves_in(loop, use, known); });
}

bool indexes(const Loop &loop, ArrayRef<Instruction *> accesses) {
  return any_of(accesses, [&](Instruction *access) {
    SmallPtrSet<const Value *, 16> known;
    if (auto *moved = dyn_cast<MemIntrinsic>(access))
      return moves_in(loop, moved->getDest(), known) ||
             (isa<MemTransferInst>(moved) && moves_in(loop, cast<MemTransferInst>(moved)->getSource(), known));
    const Value *pointer = getLoadStorePointerOperand(access);
    return pointer && moves_in(loop, pointer, known);
  });
}

size_t length_of(const Loop &loop) {
  size_t length = 0;
  for (BasicBlock *block : loop.blocks())
    length += block->size();
  return length;
}

// Does the counter of the one around tell how often the loop runs, which nobody knows until that one is gone?
//
//     for (int t = 31; t > 0; t--)
//         for (int i = 0; i < (t & -4); i += 4) ...
bool tells_length(const Loop &around, const Loop &loop) {
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  return any_of(exiting, [&](BasicBlock *block) {
    SmallPtrSet<const Value *, 16> known, counted;
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    return branch && moves_in(around, branch->getCondition(), known) && is_counted(branch->getCondition(), counted);
  });
}

bool is_any_that_indexes(LoopInfo &loops, ArrayRef<Instruction *> accesses) {
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) { return indexes(*loop, accesses); });
}

// ---- the arrays of a function ----

struct Search {
  Function *f;
  const IrDissolve *limits;
  SmallVector<AllocaInst *, 8> arrays;
  Pointers accesses; // of all of them
  IrDissolved why = IR_DISSOLVED_NONE;
};

void leave(Search &search, IrDissolved why) { search.why = std::max(search.why, why); }

void look_at(Search &search, LoopInfo &loops, AllocaInst &array) {
  Pointers accesses;
  auto bytes = array.getAllocationSize(search.f->getDataLayout());
  if (!array.isStaticAlloca() || !bytes || bytes->isScalable() || bytes->getFixedValue() > search.limits->bytes)
    return;
  if (!find_accesses(array, accesses))
    return leave(search, IR_DISSOLVED_ESCAPES);
  if (!all_of(accesses, [](const Instruction *i) { return is_counted_place(*i); }))
    return leave(search, IR_DISSOLVED_CHOSEN);
  if (!array.hasMetadata(HANDED) && !is_any_that_indexes(loops, accesses))
    return;
  search.arrays.push_back(&array);
  search.accesses.append(accesses);
}

Search search_in(IrModule *ir, Function &f, const IrDissolve &limits) {
  Search search = {&f, &limits, {}, {}};
  auto &loops = ir->functions->getResult<LoopAnalysis>(f);
  for (Instruction &i : f.getEntryBlock())
    if (auto *array = dyn_cast<AllocaInst>(&i))
      look_at(search, loops, *array);
  return search;
}

// ---- numbers that become known ----

// Of what a loop computes with its counter, or loads from a table, the compiler would round what it knows in its own way: a product with
// one is none to it, whatever that does to a NaN. It is not to know them.
Value *hidden(Value *value, BasicBlock::iterator before) {
  IRBuilder<> builder(before->getParent(), before);
  return builder.CreateIntrinsic(Intrinsic::arithmetic_fence, {value->getType()}, {value});
}

bool is_real_constant(const Value *value) {
  return isa<Constant>(value) && !isa<UndefValue>(value) && value->getType()->isFPOrFPVectorTy();
}

// Several edges may lead from one block to a phi: what it gets by them is the same value.
void hide_incoming(PHINode &phi) {
  SmallDenseMap<BasicBlock *, Value *, 8> from;
  for (unsigned n = 0; n < phi.getNumIncomingValues(); n++) {
    if (!is_real_constant(phi.getIncomingValue(n)))
      continue;
    BasicBlock *block = phi.getIncomingBlock(n);
    Value *&value = from[block];
    if (!value)
      value = hidden(phi.getIncomingValue(n), block->getTerminator()->getIterator());
    phi.setIncomingValue(n, value);
  }
}

void hide_operands(Instruction &i) {
  if (auto *phi = dyn_cast<PHINode>(&i))
    return hide_incoming(*phi);
  for (Use &use : i.operands())
    if (is_real_constant(use))
      use.set(hidden(use.get(), i.getIterator()));
}

// The compiler knows what stands in a table of its own, not what a parameter points to.
bool is_from_table(const LoadInst &load) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(load.getPointerOperand(), objects);
  return any_of(objects, [](const Value *object) {
    auto *table = dyn_cast<GlobalVariable>(object);
    return table && table->isConstant();
  });
}

// What stands in an array may have been set by bytes, or as an integer.
bool becomes_known(const Instruction &i, const SmallPtrSetImpl<Instruction *> &accesses) {
  auto *load = dyn_cast<LoadInst>(&i);
  bool loaded = load && (accesses.contains(const_cast<LoadInst *>(load)) || is_from_table(*load));
  return i.getType()->isFPOrFPVectorTy() && (loaded || isa<UIToFPInst, SIToFPInst, BitCastInst>(i));
}

void hide_result(Instruction &i) {
  Value *value = hidden(&i, std::next(i.getIterator()));
  i.replaceUsesWithIf(value, [&](Use &use) { return use.getUser() != value; });
}

// In the whole function: what an array holds when its loops are done is known behind them as well.
void hide_known(const Search &search) {
  SmallVector<Instruction *, 32> operands, results;
  SmallPtrSet<Instruction *, 32> accesses(search.accesses.begin(), search.accesses.end());
  for (Instruction &i : instructions(*search.f)) {
    if (isa<PHINode, SelectInst>(i) || (isa<StoreInst>(i) && accesses.contains(&i)))
      operands.push_back(&i);
    if (becomes_known(i, accesses))
      results.push_back(&i);
  }
  for_each(operands, [](Instruction *i) { hide_operands(*i); });
  for_each(results, [](Instruction *i) { hide_result(*i); });
}

// ---- unrolling ----

// What is still a loop may have come to its end.
void clean(IrModule *ir, Function &f) {
  FunctionPassManager passes;
  passes.addPass(SCCPPass());
  passes.addPass(InstSimplifyPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(InstSimplifyPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(ADCEPass());
  ir_changed(ir, wrap(&f));
  ir->functions->invalidate(f, passes.run(f, *ir->functions));
  ir_changed(ir, wrap(&f));
}

bool unroll(IrModule *ir, Function &f, Loop *loop, unsigned count) {
  FunctionAnalysisManager &analyses = *ir->functions;
  auto &tree = analyses.getResult<DominatorTreeAnalysis>(f);
  auto &loops = analyses.getResult<LoopAnalysis>(f);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(f);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(f);
  OptimizationRemarkEmitter remarks(&f);
  simplifyLoop(loop, &tree, &loops, &evolution, &assumptions, nullptr, false);
  formLCSSARecursively(*loop, tree, &loops, &evolution);
  UnrollLoopOptions options = {};
  options.Count = count;
  options.Force = true;
  options.ForgetAllSCEV = true;
  return UnrollLoop(loop, options, &loops, &evolution, &tree, &assumptions, &analyses.getResult<TargetIRAnalysis>(f), &remarks,
                    true) != LoopUnrollResult::Unmodified;
}

// How many iterations of the loop are to stand there, all that it runs or may: or what stands in the way.
IrDissolved choose_count(IrModule *ir, const Search &search, Loop &loop, unsigned *count) {
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*search.f);
  unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  auto fits = [&] { return *count && *count * length_of(loop) <= search.limits->code; };
  if (is_left_rolled(loop))
    return IR_DISSOLVED_TOLD;
  *count = most;
  if (fits() || evolution.getSmallConstantTripCount(&loop))
    return fits() ? IR_DISSOLVED_NONE : IR_DISSOLVED_LONG;
  *count = FOLLOWED;
  if (!ends_by_counting(loop, ir->functions->getResult<DominatorTreeAnalysis>(*search.f)))
    return IR_DISSOLVED_ENDLESS;
  return fits() ? IR_DISSOLVED_NONE : IR_DISSOLVED_LONG;
}

// Those that index an array, and those around them that tell how often one of them runs, where nothing else does.
SmallVector<Loop *, 8> loops_to_unroll(IrModule *ir, const Search &search) {
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(*search.f);
  SmallVector<Loop *, 8> all, preorder = ir->functions->getResult<LoopAnalysis>(*search.f).getLoopsInPreorder();
  auto is_open = [&](const Loop &loop) {
    size_t most = evolution.getSmallConstantMaxTripCount(&loop);
    return (!most || most * length_of(loop) > search.limits->code) && indexes(loop, search.accesses);
  };
  for (Loop *loop : preorder)
    if (indexes(*loop, search.accesses) || any_of(preorder, [&](const Loop *other) {
          return loop != other && loop->contains(other) && is_open(*other) && tells_length(*loop, *other);
        }))
      all.push_back(loop);
  return all;
}

// The first of them that may be unrolled; null: none is left, or `why` says what stands in the way.
Loop *next_loop(IrModule *ir, Search &search, unsigned *count) {
  for (Loop *loop : loops_to_unroll(ir, search)) {
    IrDissolved why = choose_count(ir, search, *loop, count);
    if (!why)
      return loop;
    leave(search, why);
  }
  return nullptr;
}

// ---- calls ----

// Of more bytes than one access has: what the mathematical library's slow paths are handed is none.
bool is_small_array(const Value *value, const Function &f, const IrDissolve &limits) {
  auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(value, 0));
  auto bytes = array && array->isStaticAlloca() ? array->getAllocationSize(f.getDataLayout()) : std::nullopt;
  return bytes && !bytes->isScalable() && bytes->getFixedValue() > 16 && bytes->getFixedValue() <= limits.bytes;
}

// Is it known of each function that it calls, or that those call, and is it none of them itself?
bool never_calls_itself(const Function &callee) {
  SmallVector<const Function *, 8> open = {&callee};
  SmallPtrSet<const Function *, 8> known;
  while (!open.empty())
    for (const Instruction &i : instructions(*open.pop_back_val())) {
      auto *call = dyn_cast<CallBase>(&i);
      const Function *called = call ? call->getCalledFunction() : nullptr;
      if (!call || call->isInlineAsm() || (called && called->isIntrinsic()))
        continue;
      if (!called || called == &callee)
        return false;
      if (known.insert(called).second)
        open.push_back(called);
    }
  return true;
}

bool may_stand_here(const Function &callee, const Function &f) {
  return &callee != &f && !callee.isDeclaration() && !callee.isInterposable() && !callee.isVarArg() && !callee.hasOptNone() &&
         !callee.hasFnAttribute(Attribute::NoInline) && never_calls_itself(callee);
}

// mul.rn, which nobody fuses; of types that have none, a * b + -0, which is the same.
Value *rounded(IRBuilder<> &builder, const BinaryOperator &product) {
  Type *type = product.getType();
  bool flushes = product.getFunction()->getDenormalMode(APFloat::IEEEsingle()) != DenormalMode::getIEEE();
  Value *a = product.getOperand(0), *b = product.getOperand(1);
  if (type->isFloatTy())
    return builder.CreateIntrinsic(flushes ? Intrinsic::nvvm_mul_rn_ftz_f : Intrinsic::nvvm_mul_rn_f, {}, {a, b});
  if (type->isDoubleTy())
    return builder.CreateIntrinsic(Intrinsic::nvvm_mul_rn_d, {}, {a, b});
  Value *none = builder.CreateIntrinsic(Intrinsic::arithmetic_fence, {type}, {ConstantFP::getNegativeZero(type)});
  return builder.CreateIntrinsic(Intrinsic::fma, {type}, {a, b, none});
}

// Products that no sum of their own function took: ptxas, which knows no fence, would make them one with those of the other.
void round_products(Function &f) {
  SmallVector<BinaryOperator *, 16> products;
  for (Instruction &i : instructions(f))
    if (i.getOpcode() == Instruction::FMul && none_of(i.users(), [](const User *user) {
          auto *sum = dyn_cast<Instruction>(user);
          return sum && (sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub);
        }))
      products.push_back(cast<BinaryOperator>(&i));
  for (BinaryOperator *product : products) {
    IRBuilder<> builder(product);
    product->replaceAllUsesWith(rounded(builder, *product));
    product->eraseFromParent();
  }
}

// What is known of what the call hands on would be folded while the function is copied.
void hide_handed(CallInst &call) {
  SmallVector<Instruction *, 16> results;
  const SmallPtrSet<Instruction *, 1> none;
  for (Use &argument : call.args())
    if (is_real_constant(argument))
      argument.set(hidden(argument, call.getIterator()));
  for (Instruction &i : instructions(*call.getCalledFunction()))
    if (becomes_known(i, none))
      results.push_back(&i);
  for_each(results, [](Instruction *i) { hide_result(*i); });
}

size_t count_arrays(const Function &f) {
  return count_if(f.getEntryBlock(), [](const Instruction &i) { return isa<AllocaInst>(i); });
}
} // namespace

void loop_tell(Loop &loop) {
  if (hasUnrollTransformation(&loop) & TM_Disable && !getOptionalIntLoopAttribute(&loop, KEPT) &&
      !findStringMetadataForLoop(&loop, TOLD))
    addStringMetadataToLoop(&loop, TOLD, 1);
}

extern "C" {

size_t ir_arrays_find(IrModule *ir, LLVMValueRef function, const IrDissolve *limits, LLVMBasicBlockRef *headers, size_t most,
                      IrDissolved *why) {
  Function &f = *unwrap<Function>(function);
  Search search = search_in(ir, f, *limits);
  size_t count = 0;
  *why = search.why;
  for (Loop *loop : loops_to_unroll(ir, search))
    if (count < most)
      headers[count++] = wrap(loop->getHeader());
  return count;
}

LLVMValueRef ir_array_call(LLVMValueRef function, const IrDissolve *limits) {
  Function &f = *unwrap<Function>(function);
  for (Instruction &i : instructions(f)) {
    auto *call = dyn_cast<CallInst>(&i);
    Function *callee = call && !call->isMustTailCall() ? call->getCalledFunction() : nullptr;
    if (callee && may_stand_here(*callee, f) && f.getInstructionCount() + callee->getInstructionCount() <= limits->code &&
        any_of(call->args(),
               [&](const Use &argument) { return argument->getType()->isPointerTy() && is_small_array(argument, f, *limits); }))
      return wrap(call);
  }
  return nullptr;
}

bool ir_array_inline(IrModule *ir, LLVMValueRef call, bool fences) {
  auto *inlined = unwrap<CallInst>(call);
  Function &f = *inlined->getFunction();
  for (Use &argument : inlined->args())
    if (auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(argument, 0)))
      array->setMetadata(HANDED, MDNode::get(f.getContext(), {}));
  if (fences) {
    call_fence(*inlined);
    hide_handed(*inlined);
  }
  InlineFunctionInfo info;
  bool done = InlineFunction(*inlined, info, true).isSuccess();
  if (fences)
    round_products(f);
  ir_changed(ir, wrap(&f));
  return done;
}

bool ir_is_in_array(LLVMValueRef access) {
  const Value *pointer = getLoadStorePointerOperand(unwrap(access));
  SmallVector<const Value *, 4> objects;
  if (pointer)
    getUnderlyingObjects(pointer, objects);
  return any_of(objects, [](const Value *object) { return isa<AllocaInst>(object); });
}

void ir_arrays_hide_known(IrModule *ir, LLVMValueRef function, const IrDissolve *limits) {
  Function &f = *unwrap<Function>(function);
  hide_known(search_in(ir, f, *limits));
  ir_changed(ir, function);
}

IrDissolved ir_arrays_dissolve(IrModule *ir, LLVMValueRef function, const IrDissolve *limits) {
  Function &f = *unwrap<Function>(function);
  Search search = search_in(ir, f, *limits);
  size_t least = count_arrays(f) - search.arrays.size();
  if (any_of(search.arrays, [](const AllocaInst *array) { return array->hasMetadata(HANDED); })) {
    clean(ir, f);
    search = search_in(ir, f, *limits);
  }
  for (int rounds = 0; rounds < 64 && !search.arrays.empty(); rounds++) { // a bound of the search
    unsigned count = 0;
    Loop *loop = next_loop(ir, search, &count);
    if (!loop)
      break;
    if (!unroll(ir, f, loop, count))
      return IR_DISSOLVED_ENDLESS;
    clean(ir, f);
    if (f.getInstructionCount() > limits->code)
      return IR_DISSOLVED_LONG;
    search = search_in(ir, f, *limits);
  }
  if (count_arrays(f) > least)
    return std::max(search.why, IR_DISSOLVED_CHOSEN);
  return IR_DISSOLVED_NONE;
}

} // extern "C"
