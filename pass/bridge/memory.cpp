// Instructions: what is known of a value, which memory they touch, and whether they may be moved.
#include "pass/base/ptx_statement.h"
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

std::string assembly_text(const CallBase &call) {
  auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  return assembly ? StringRef(assembly->getAsmString()).trim().str() : std::string();
}

// cvt.f32.f16 and its like: arithmetic of one thread.
bool is_pure_assembly(const CallBase &call) {
  auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  return assembly && !assembly->hasSideEffects() && call.doesNotAccessMemory() && text_is_pure(assembly_text(call).c_str());
}

extern "C" {

unsigned ir_flags(LLVMValueRef instruction) { return unwrap<Instruction>(instruction)->getRawSubclassOptionalData(); }

// Of metadata that LLVM itself knows, whose numbers come first.
enum {
#define LLVM_FIXED_MD_KIND(id, name, value) OWN_KIND_##id,
#include "llvm/IR/FixedMetadataKinds.def"
#undef LLVM_FIXED_MD_KIND
  OWN_KINDS
};

// Has it metadata of another kind? Most have not, and need not be asked by its name.
static bool has_foreign_mark(const Instruction &i) {
  SmallVector<std::pair<unsigned, MDNode *>, 8> marks;
  i.getAllMetadataOtherThanDebugLoc(marks);
  return any_of(marks, [](const auto &mark) { return mark.first >= OWN_KINDS; });
}

bool ir_is_marked(LLVMValueRef instruction, const char *name) {
  auto *i = unwrap<Instruction>(instruction);
  SmallVector<StringRef, 64> names;
  if (!i->hasMetadataOtherThanDebugLoc() || (StringRef(name).starts_with("coalda") && !has_foreign_mark(*i)))
    return false;
  i->getContext().getMDKindNames(names);
  auto *found = find(names, StringRef(name));
  return found != names.end() && i->hasMetadata(static_cast<unsigned>(found - names.begin()));
}

uint64_t ir_mark_number(LLVMValueRef instruction, const char *name) {
  MDNode *node = unwrap<Instruction>(instruction)->getMetadata(name);
  return node ? mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue() : 0;
}

const char *ir_mark_text(LLVMValueRef instruction, const char *name) {
  MDNode *node = unwrap<Instruction>(instruction)->getMetadata(name);
  return node ? cast<MDString>(node->getOperand(0))->getString().data() : nullptr;
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

// p + 4 and p + 12: no need to ask ScalarEvolution, whose answers cost more the more loops a function has.
static bool plain_distance(const DataLayout &layout, Value *from, Value *to, int64_t *bytes) {
  unsigned bits = layout.getIndexTypeSizeInBits(from->getType());
  APInt start(bits, 0), end(bits, 0);
  if (from->stripAndAccumulateConstantOffsets(layout, start, true) != to->stripAndAccumulateConstantOffsets(layout, end, true))
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

LLVMValueRef ir_loaded_before(IrModule *ir, LLVMValueRef load) {
  auto *again = unwrap<LoadInst>(load);
  Function &f = *again->getFunction();
  auto &evolution = ir->functions->getResult<ScalarEvolutionAnalysis>(f);
  auto &tree = ir->functions->getResult<DominatorTreeAnalysis>(f);
  MemorySSA &memory = ir->functions->getResult<MemorySSAAnalysis>(f).getMSSA();
  const SCEV *place = shallow_form(evolution, again->getPointerOperand());
  auto *written = memory.getWalker()->getClobberingMemoryAccess(again);
  for (Instruction &i : instructions(f)) {
    auto *first = dyn_cast<LoadInst>(&i);
    if (first && first->isSimple() && first->getType() == again->getType() && tree.dominates(first, again) && place &&
        shallow_form(evolution, first->getPointerOperand()) == place &&
        memory.getWalker()->getClobberingMemoryAccess(first) == written)
      return wrap(first);
  }
  return nullptr;
}

bool ir_may_change(IrModule *ir, LLVMValueRef writer, LLVMValueRef reader) {
  for (unsigned i = 0; i < ir_step_reads(reader); i++)
    if (ir_step_is_changed(ir, writer, reader, i))
      return true;
  if (ir_is_step(reader))
    return false;
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

bool ir_bytes_are_apart(IrModule *ir, LLVMValueRef a, LLVMValueRef pointer_a, int64_t bytes_a, LLVMValueRef b,
                        LLVMValueRef pointer_b, int64_t bytes_b) {
  auto *left = unwrap<Instruction>(a), *right = unwrap<Instruction>(b);
  auto &alias = ir->functions->getResult<AAManager>(*left->getFunction());
  const MemoryLocation first(unwrap(pointer_a), LocationSize::precise(static_cast<uint64_t>(bytes_a)), left->getAAMetadata());
  const MemoryLocation second(unwrap(pointer_b), LocationSize::precise(static_cast<uint64_t>(bytes_b)), right->getAAMetadata());
  return alias.isNoAlias(first, second);
}

bool ir_reads_constant(LLVMValueRef load) {
  auto *l = unwrap<LoadInst>(load);
  SmallVector<const Value *, 4> objects; // several where the pointer is a phi
  getUnderlyingObjects(l->getPointerOperand(), objects, nullptr, 0);
  return reads_constant(*l) || all_of(objects, is_constant_object);
}

bool ir_touches_memory(LLVMValueRef instruction) { return unwrap<Instruction>(instruction)->mayReadOrWriteMemory(); }

bool ir_is_convergent(LLVMValueRef call) {
  auto *base = dyn_cast<CallBase>(unwrap(call));
  if (base && base->isInlineAsm())
    return !is_pure_assembly(*base);
  return base && (base->isConvergent() || base->cannotDuplicate());
}

bool ir_only_reads(LLVMValueRef call) {
  auto *base = dyn_cast<CallBase>(unwrap(call));
  if (base && base->isInlineAsm())
    return text_only_reads(assembly_text(*base).c_str());
  return base && isa<IntrinsicInst>(base) && base->onlyReadsMemory() && base->doesNotThrow() && !base->isConvergent();
}

int ir_assembly_address(LLVMValueRef call) {
  auto *base = dyn_cast<CallBase>(unwrap(call));
  return base && base->isInlineAsm() ? text_address(assembly_text(*base).c_str()) : TEXT_ADDRESS_UNKNOWN;
}

bool ir_is_pure(LLVMValueRef instruction) {
  auto *i = unwrap<Instruction>(instruction);
  return !isa<PHINode>(i) && !i->mayReadOrWriteMemory() && isSafeToSpeculativelyExecute(i) && !isa<AllocaInst>(i);
}

} // extern "C"
