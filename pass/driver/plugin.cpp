// How LLVM meets the C code: the pass, its names and its flags.
#include "pass/bridge/bridge_module.h"

#include "llvm-c/Core.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Process.h"

extern "C" {
#include "pass/driver/run.h"
#include "pass/report/print.h"
}

using namespace llvm;

namespace {
// The target machine of a pipeline's builder is a private member; an explicit instantiation may name it.
template <TargetMachine *PassBuilder::*member> struct Private {
  friend TargetMachine *machine_of(PassBuilder &builder) { return builder.*member; }
};
template struct Private<&PassBuilder::TM>;
TargetMachine *machine_of(PassBuilder &builder);

// -mllvm flags: one for each row of options.def, kept as the text that option_set understands.
struct Flags {
  std::vector<std::unique_ptr<cl::opt<std::string>>> all;

  Flags() {
    if (cl::getRegisteredOptions().count("coalda-off"))
      return; // another copy of the plugin has them, and is the one that works
#define OPTION(name, Type, field, help) \
  all.push_back(std::make_unique<cl::opt<std::string>>("coalda-" name, cl::desc(help), cl::ValueOptional));
#include "pass/base/options.def"
#undef OPTION
  }

  // What is wrong with them, or nothing.
  const char *apply(Options &options, Arena *arena) const {
    for (auto &flag : all) {
      if (flag->getNumOccurrences() == 0)
        continue;
      std::string text = flag->ArgStr.drop_front(strlen("coalda-")).str();
      if (!flag->getValue().empty())
        text += "=" + flag->getValue();
      if (const char *wrong = option_set(&options, text.data(), text.size(), arena))
        return wrong;
    }
    return nullptr;
  }
};

// Registered when the plugin is loaded: clang reads -mllvm before it builds a pipeline.
Flags flags;

struct CoaldaPass : PassInfoMixin<CoaldaPass> {
  Options options;
  TargetMachine *machine;
  bool prints; // and leaves the module as it is
  bool obeys;  // what a profile says: no pass before it does
  OptimizationLevel level;

  CoaldaPass(const Options &options, TargetMachine *machine, bool prints, bool obeys, OptimizationLevel level)
      : options(options), machine(machine), prints(prints), obeys(obeys), level(level) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    IrModule ir{&analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager(), machine};
    bool table = prints || options.report;
    if (obeys)
      profile_obey(wrap(&module), &options);
    if (obeys && !prints)
      coalda_begin(wrap(&module), &options);
    bool changed = coalda_run(&ir, wrap(&module), &options, !prints, table ? kernel_print : nullptr, nullptr);
    if (level != OptimizationLevel::O0 && (has_barriers(module) || has_kept_loops(module)))
      for (Function &function : module)
        changed |= loops_release(function, *ir.functions, level);
    profile_forget(wrap(&module));
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// Before LLVM unrolls loops: those that will be rings, and what fills their tiles, are kept from it, and those around others whose
// iterations will stand side by side.
struct KeepPass : PassInfoMixin<KeepPass> {
  Options options;
  TargetMachine *machine;
  OptimizationLevel level;

  KeepPass(const Options &options, TargetMachine *machine, OptimizationLevel level)
      : options(options), machine(machine), level(level) {}

  // Would the loops be made something of if they were kept, as `has_kept` says of a copy?
  bool rehearse(Loop &loop, const LoopsToKeep &keep, bool (*has_kept)(IrModule *, LLVMModuleRef, const Options *)) {
    return loops_rehearse(loop, keep, level, machine,
                          [&](IrModule *ir, Module &module) { return has_kept(ir, wrap(&module), &options); });
  }

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &, LoopStandardAnalysisResults &known, LPMUpdater &) {
    loop_tell(loop);
    Function &function = *loop.getHeader()->getParent();
    if (coalda_is_for(wrap(function.getParent()), wrap(&function), &options)) {
      if (hasUnrollTransformation(&loop) == TM_ForcedByUser) // what is counted leaves an unrolled loop at one end
        loop_count_on(loop, known.SE);
      loop_add_joined(loop, known.SE); // while loops count by ones
    }
    if (loop_is_search(loop, known.SE) && coalda_repeats_searches(wrap(function.getParent()), wrap(&function), &options)) {
      loop_repeat_search(loop);
      return PreservedAnalyses::all();
    }
    LoopsToKeep itself = {true, {}};
    if ((loop_is_for_jam(loop, known.SE) && rehearse(loop, itself, coalda_has_kept_jam)) ||
        (loop_is_for_search(loop, known.SE) && rehearse(loop, itself, coalda_has_kept_search))) {
      loops_keep(loop, itself);
      return PreservedAnalyses::all();
    }
    if (LoopsToKeep uneven = loops_for_uneven_jam(loop, known.SE); uneven.itself && rehearse(loop, uneven, coalda_has_kept_jam)) {
      loops_keep(loop, uneven);
      return PreservedAnalyses::all();
    }
    if (options.stages < 0)
      return PreservedAnalyses::all();
    LoopsToKeep all = loops_for_ring(loop, known.SE);
    itself.itself = all.itself;
    if ((all.itself || !all.inside.empty()) && rehearse(loop, itself, coalda_has_kept_ring)) {
      if (all.itself)
        loops_keep(loop, itself);
    } else if (!all.inside.empty() && rehearse(loop, all, coalda_has_kept_ring)) {
      loops_keep(loop, all);
    }
    return PreservedAnalyses::all();
  }
};

// While kernels are as the program has them: a profile knows them by that, and functions tell which atomics are CUDA's and where barriers end.
struct ObeyPass : PassInfoMixin<ObeyPass> {
  Options options;

  ObeyPass(const Options &options) : options(options) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    profile_obey(wrap(&module), &options);
    coalda_begin(wrap(&module), &options);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// Wrong flags are an error of the compilation: clang takes whatever ends it at once for a fault of its own.
struct ComplainPass : PassInfoMixin<ComplainPass> {
  std::string wrong;

  ComplainPass(std::string wrong) : wrong(std::move(wrong)) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    ir_error(wrap(&module), wrong.c_str());
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

// What the environment says to clang and other programs whose pipeline the plugin is put into, so that no build has to be changed for it.
const char *environment_apply(Options &options, Arena *arena) {
  if (auto list = sys::Process::GetEnv("COALDA_OPTIONS"))
    if (const char *wrong = options_parse(&options, list->data(), list->size(), arena))
      return arena_text(arena, "COALDA_OPTIONS: %s", wrong);
  auto profile = sys::Process::GetEnv("COALDA_PROFILE");
  if (!profile || profile->empty())
    return nullptr;
  std::string text = "profile=" + *profile;
  return option_set(&options, text.data(), text.size(), arena);
}

// clang has no such flag: what programs that have it make, opt before all, is looked at, and has no launch stubs that could choose.
bool is_opt() { return cl::getRegisteredOptions().count("passes"); }

Expected<Options> parsed(StringRef parameters, bool hears_environment) {
  Options options = {};
  options.spares = hears_environment && !is_opt() ? SPARES_ROWS : SPARES_NONE;
  Arena *arena = arena_new();
  const char *wrong = hears_environment ? environment_apply(options, arena) : nullptr;
  if (!wrong)
    wrong = flags.apply(options, arena);
  if (!wrong)
    wrong = options_parse(&options, parameters.data(), parameters.size(), arena);
  Error error = wrong ? createStringError(inconvertibleErrorCode(), wrong) : Error::success();
  arena_free(arena);
  if (error)
    return error;
  return options;
}

// A name that any copy of the plugin knows, whose pass is none.
const char there[] = "coalda-is-there";

bool parse_pass(StringRef name, ModulePassManager &passes, TargetMachine *machine) {
  if (name == there)
    return true;
  for (bool prints : {false, true}) {
    StringRef known = prints ? "print<coalda>" : "coalda";
    if (!PassBuilder::checkParametrizedPassName(name, known))
      continue;
    auto options = PassBuilder::parsePassParameters([](StringRef text) { return parsed(text, false); }, name, known);
    if (!options)
      reportFatalUsageError(options.takeError());
    passes.addPass(CoaldaPass(*options, machine, prints, true, OptimizationLevel::O0));
    return true;
  }
  return false;
}

// A second one would rewrite what the first one has rewritten.
struct TwicePass : PassInfoMixin<TwicePass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    if (module.getTargetTriple().isNVPTX())
      ir_warning(wrap(&module),
                 "coalda is loaded twice: the second one does nothing; take away one -fpass-plugin (coalda-clang has its own)");
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

bool is_registered(PassBuilder &builder) {
  ModulePassManager none;
  return !errorToBool(builder.parsePassPipeline(none, there));
}

void register_passes(PassBuilder &builder) {
  if (is_registered(builder)) {
    builder.registerOptimizerLastEPCallback(
        [](ModulePassManager &passes, OptimizationLevel, ThinOrFullLTOPhase) { passes.addPass(TwicePass()); });
    return;
  }
  if (auto *names = builder.getPassInstrumentationCallbacks())
    names->addClassToPassName(CoaldaPass::name(), "coalda");
  TargetMachine *machine = machine_of(builder);
  builder.registerPipelineParsingCallback(
      [machine](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        return parse_pass(name, passes, machine);
      });
  builder.registerPipelineStartEPCallback([](ModulePassManager &passes, OptimizationLevel) {
    auto options = parsed("", true);
    if (!options)
      return consumeError(options.takeError()); // the pass at the end says it
    passes.addPass(ObeyPass(*options));
  });
  builder.registerLateLoopOptimizationsEPCallback([machine](LoopPassManager &passes, OptimizationLevel level) {
    auto options = parsed("", true);
    if (!options)
      return consumeError(options.takeError());
    if (level != OptimizationLevel::O0 && !options->off)
      passes.addPass(KeepPass(*options, machine, level));
  });
  builder.registerOptimizerLastEPCallback([machine](ModulePassManager &passes, OptimizationLevel level, ThinOrFullLTOPhase) {
    if (auto options = parsed("", true))
      passes.addPass(CoaldaPass(*options, machine, false, false, level));
    else
      passes.addPass(ComplainPass(toString(options.takeError())));
  });
}
} // namespace

// A plugin resolves LLVM's symbols in whatever program loads it: refuse any other release in words.
extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  unsigned major = 0, minor = 0, patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  if (major != LLVM_VERSION_MAJOR)
    report_fatal_error(Twine("coalda was built for LLVM ") + Twine(LLVM_VERSION_MAJOR) + " and is loaded into LLVM " +
                       Twine(major) + ": use the tools of the same release");
  return {LLVM_PLUGIN_API_VERSION, "coalda", COALDA_VERSION, register_passes, nullptr};
}
