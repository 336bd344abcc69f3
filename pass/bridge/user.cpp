// What the user is told.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_internal.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LLVMRemarkStreamer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

extern "C" {

bool ir_remarks_wanted(LLVMModuleRef module) {
  LLVMContext &context = unwrap(module)->getContext();
  return context.getLLVMRemarkStreamer() || context.getDiagHandlerPtr()->isAnyRemarkEnabled("coalda");
}

static void remark_add(DiagnosticInfoIROptimization &remark, const char *sentence, const IrRemarkPart *parts, size_t count) {
  remark << sentence << DiagnosticInfoOptimizationBase::setExtraArgs();
  for (size_t i = 0; i < count; i++)
    remark << ore::NV(parts[i].key, StringRef(parts[i].text));
}

static void remark_with(IrRemarkKind kind, Instruction &at, LLVMMetadataRef location, const char *name, const char *sentence,
                        const IrRemarkPart *parts, size_t count, function_ref<void(DiagnosticInfoIROptimization &)> send) {
  DiagnosticLocation where(location ? DebugLoc(cast<DILocation>(unwrap(location))) : DebugLoc());
  OptimizationRemark passed("coalda", name, where, at.getParent());
  OptimizationRemarkMissed missed("coalda", name, where, at.getParent());
  OptimizationRemarkAnalysis analysis("coalda", name, where, at.getParent());
  DiagnosticInfoIROptimization *chosen[] = {&analysis, &passed, &missed};
  remark_add(*chosen[kind], sentence, parts, count);
  send(*chosen[kind]);
}

void ir_remark(IrRemarkKind kind, LLVMValueRef instruction, LLVMMetadataRef location, const char *name, const char *sentence,
               const IrRemarkPart *parts, size_t count) {
  auto &at = *unwrap<Instruction>(instruction);
  remark_with(kind, at, location, name, sentence, parts, count,
              [&](DiagnosticInfoIROptimization &remark) { OptimizationRemarkEmitter(at.getFunction()).emit(remark); });
}

void ir_remark_filed(IrRemarkKind kind, LLVMValueRef instruction, LLVMMetadataRef location, const char *name, const char *sentence,
                     const IrRemarkPart *parts, size_t count) {
  auto &at = *unwrap<Instruction>(instruction);
  if (LLVMRemarkStreamer *file = at.getContext().getLLVMRemarkStreamer())
    remark_with(kind, at, location, name, sentence, parts, count,
                [&](DiagnosticInfoIROptimization &remark) { file->emit(remark); });
}

void ir_print(const char *text) { errs() << text; }

void ir_error(LLVMModuleRef module, const char *message) {
  unwrap(module)->getContext().diagnose(DiagnosticInfoGeneric(message, DS_Error));
}

void ir_warning(LLVMModuleRef module, const char *message) {
  unwrap(module)->getContext().diagnose(DiagnosticInfoGeneric(message, DS_Warning));
}

// Of the kinds of diagnostics that clang shows at their lines, the one that is neither a remark nor of a target's.
static void diagnose_at(LLVMValueRef function, LLVMMetadataRef location, const char *message, DiagnosticSeverity severity) {
  Function &f = *unwrap<Function>(function);
  DiagnosticLocation where(location ? DebugLoc(cast<DILocation>(unwrap(location))) : DebugLoc());
  f.getContext().diagnose(DiagnosticInfoUnsupported(f, message, where, severity));
}

void ir_error_at(LLVMValueRef function, LLVMMetadataRef location, const char *message) {
  diagnose_at(function, location, message, DS_Error);
}

void ir_warning_at(LLVMValueRef function, LLVMMetadataRef location, const char *message) {
  diagnose_at(function, location, message, DS_Warning);
}

char *ir_demangled(const char *name) {
  std::string text = demangle(name);
  return strdup(text.c_str());
}

} // extern "C"
