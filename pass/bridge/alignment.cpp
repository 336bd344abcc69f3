// How accesses to shared arrays are aligned. clang takes the element's alignment for that of the array, and of each access through a
// cast to a longer type:
//
//     __shared__ half s[64][40];                                      align 2
//     *(uint4 *)&s[r][8 * c] = *(const uint4 *)&g[i];                 memcpy of 16 bytes, align 2: eight stores
//
// Where the array begins is the compiler's affair, and what the index is a multiple of its known bits tell.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;

namespace {

// Known bits where the function's first block is behind: what __builtin_assume says there holds of all that it names, wherever that is used.
KnownBits bits_of(Value *value, const DataLayout &layout) {
  auto *instruction = dyn_cast<Instruction>(value);
  Function *function = instruction ? instruction->getFunction() : nullptr;
  Function *assume = function ? Intrinsic::getDeclarationIfExists(function->getParent(), Intrinsic::assume) : nullptr;
  if (!assume || none_of(assume->users(), [&](User *user) {
        auto *call = dyn_cast<Instruction>(user);
        return call && call->getParent() == &function->getEntryBlock();
      }))
    return computeKnownBits(value, layout);
  AssumptionCache assumptions(*function);
  return computeKnownBits(value, layout, &assumptions, function->getEntryBlock().getTerminator());
}

// The lowest bit that may be set in what the pointer's indices add; 0 where that cannot be told.
uint64_t bits_added(const GEPOperator &gep, const DataLayout &layout) {
  unsigned width = layout.getIndexTypeSizeInBits(gep.getType());
  SmallMapVector<Value *, APInt, 4> variable;
  APInt constant(width, 0);
  if (!gep.collectOffset(layout, width, variable, constant))
    return 0;
  uint64_t bits = constant.getZExtValue();
  for (auto &[index, scale] : variable) {
    unsigned zeros = bits_of(index, layout).countMinTrailingZeros() + scale.countr_zero();
    bits |= zeros < width ? UINT64_C(1) << std::min(zeros, 63U) : 0;
  }
  return bits | IR_WIDEST;
}

GlobalVariable *shared_array(Value *pointer) {
  auto *array = dyn_cast<GlobalVariable>(getUnderlyingObject(pointer));
  return array && array->getAddressSpace() == SHARED_SPACE && array->hasInitializer() ? array : nullptr;
}

// A load, a store, or a side of a copy.
struct Access {
  Value *pointer;
  uint64_t bytes;
  Align aligned;
};

SmallVector<Access, 2> accesses_of(Instruction &i, const DataLayout &layout) {
  if (auto *load = dyn_cast<LoadInst>(&i))
    return {{load->getPointerOperand(), layout.getTypeStoreSize(load->getType()), load->getAlign()}};
  if (auto *store = dyn_cast<StoreInst>(&i))
    return {{store->getPointerOperand(), layout.getTypeStoreSize(store->getValueOperand()->getType()), store->getAlign()}};
  auto *copy = dyn_cast<MemCpyInst>(&i);
  auto *size = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
  if (!size)
    return {};
  return {{copy->getRawDest(), size->getZExtValue(), copy->getDestAlign().valueOrOne()},
          {copy->getRawSource(), size->getZExtValue(), copy->getSourceAlign().valueOrOne()}};
}

void set_alignment(Instruction &i, const Value *pointer, Align align) {
  if (auto *load = dyn_cast<LoadInst>(&i))
    load->setAlignment(align);
  else if (auto *store = dyn_cast<StoreInst>(&i))
    store->setAlignment(align);
  else if (auto *copy = cast<MemCpyInst>(&i); copy->getRawDest() == pointer)
    copy->setDestAlignment(align);
  else
    copy->setSourceAlignment(align);
}

// Does no other function use it, which may run in a block that has no room?
bool is_only_in(const Function &f, const Value *value) {
  return all_of(value->users(), [&](const User *user) {
    auto *i = dyn_cast<Instruction>(user);
    return i ? i->getFunction() == &f : is_only_in(f, user);
  });
}

Align alignment_of(const GlobalVariable &array) {
  return array.getAlign().value_or(array.getDataLayout().getABITypeAlign(array.getValueType()));
}

// Is the access wider than it is aligned, so that the backend cuts it? Then it is told so, and the array; or only asked for.
bool tell(Instruction &i, const Access &access, bool only_asks) {
  GlobalVariable *array = shared_array(access.pointer);
  uint64_t widest = std::min<uint64_t>(IR_WIDEST, access.bytes & -access.bytes);
  if (!array || access.aligned.value() >= widest)
    return false;
  Align known(std::min<uint64_t>(widest, static_cast<uint64_t>(ir_alignment_in(wrap(access.pointer), wrap(array)))));
  if (known <= access.aligned)
    return false;
  if (alignment_of(*array) < known && (!array->hasLocalLinkage() || !is_only_in(*i.getFunction(), array)))
    return false;
  if (only_asks)
    return true;
  if (alignment_of(*array) < known)
    array->setAlignment(known);
  set_alignment(i, access.pointer, known);
  return true;
}

bool tell_all(Function &f, bool only_asks) {
  bool any = false;
  for (Instruction &i : instructions(f))
    for (const Access &access : accesses_of(i, f.getDataLayout()))
      any |= tell(i, access, only_asks);
  return any;
}

// What the accesses of a thread's own array say of where it begins, it keeps. Where the backend puts it depends on what else the
// thread keeps in memory:
//
//     float state[64];                                                align 4, as a float is
//     float4 &s = (float4 &)state[j];                                 align 16, where it has happened to lie
//
// and what a rewrite makes the backend spill would move it.
void keep(const Access &access) {
  auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(access.pointer));
  if (array && access.aligned > array->getAlign() && access.aligned.value() <= IR_WIDEST)
    array->setAlignment(access.aligned);
}

} // namespace

extern "C" {

int ir_alignment_in(LLVMValueRef pointer, LLVMValueRef array) {
  Value *at = unwrap(pointer);
  const DataLayout &layout = unwrap<GlobalVariable>(array)->getDataLayout();
  uint64_t bits = IR_WIDEST;
  for (;; at = cast<Operator>(at)->getOperand(0)) {
    auto *gep = dyn_cast<GEPOperator>(at);
    uint64_t added = gep ? bits_added(*gep, layout) : 0;
    bits |= added;
    if (gep ? !added : !isa<AddrSpaceCastOperator>(at) && !isa<BitCastOperator>(at))
      break;
  }
  return at == unwrap(array) ? static_cast<int>(bits & -bits) : 1;
}

LLVMValueRef ir_aligned_alike(LLVMValueRef pointer, int bytes) {
  Value *at = unwrap(pointer);
  while (auto *gep = dyn_cast<GetElementPtrInst>(at)) {
    uint64_t added = bits_added(*cast<GEPOperator>(gep), gep->getDataLayout());
    if ((added & -added) < static_cast<uint64_t>(bytes))
      break;
    at = gep->getPointerOperand();
  }
  return wrap(at);
}

int ir_promised_alignment(LLVMValueRef pointer) {
  auto *argument = dyn_cast<Argument>(unwrap(pointer));
  if (!argument)
    return 1;
  uint64_t known = argument->getParamAlign().valueOrOne().value();
  for (User *user : argument->users()) {
    auto *assume = dyn_cast<AssumeInst>(user);
    if (!assume || assume->getParent() != &argument->getParent()->getEntryBlock())
      continue;
    for (unsigned i = 0; i < assume->getNumOperandBundles(); i++) {
      const OperandBundleUse bundle = assume->getOperandBundleAt(i);
      auto *bytes = bundle.getTagName() == "align" && bundle.Inputs.size() == 2 ? dyn_cast<ConstantInt>(bundle.Inputs[1]) : nullptr;
      if (bytes && bundle.Inputs[0] == argument && isPowerOf2_64(bytes->getZExtValue()))
        known = std::max(known, bytes->getZExtValue());
    }
  }
  return static_cast<int>(std::min<uint64_t>(known, IR_WIDEST));
}

int ir_low_zeros(LLVMValueRef function, LLVMValueRef value) {
  return static_cast<int>(computeKnownBits(unwrap(value), unwrap<Function>(function)->getDataLayout()).countMinTrailingZeros());
}

bool ir_align_shared(LLVMValueRef function) { return tell_all(*unwrap<Function>(function), false); }

void ir_keep_aligned(LLVMValueRef function) {
  auto &f = *unwrap<Function>(function);
  for (Instruction &i : instructions(f))
    for (const Access &access : accesses_of(i, f.getDataLayout()))
      keep(access);
}

bool ir_has_loose_shared(LLVMValueRef function) { return tell_all(*unwrap<Function>(function), true); }

} // extern "C"
