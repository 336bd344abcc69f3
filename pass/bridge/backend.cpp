// What the backend makes of a function's floating-point operations. Which products and sums it rounds once depends on its own
// passes over the IR, on the order in which it visits them and on who else uses them: it is asked. A copy of the function goes
// through it up to the choice of instructions, with a number of its own on each instruction, and the machine code is read.
#include "pass/bridge/bridge.h"
#include "pass/bridge/bridge_module.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetLoweringObjectFile.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {
// What the machine code has of one line.
struct Made {
  SmallVector<unsigned, 2> fused; // for each multiplication that adds: the line of what it adds
  bool sum = false, sign = false, word = false;
};
using Lines = DenseMap<unsigned, Made>;

struct Reader : MachineFunctionPass {
  static char ID;
  Lines &lines;

  Reader(Lines &lines) : MachineFunctionPass(ID), lines(lines) {}
  StringRef getPassName() const override { return "what floating-point operations have become"; }

  bool runOnMachineFunction(MachineFunction &function) override {
    for (MachineBasicBlock &block : function)
      for (MachineInstr &instruction : block)
        if (unsigned line = line_of(instruction))
          read(instruction, lines[line]);
    return false;
  }

  static unsigned line_of(const MachineInstr &instruction) {
    if (MDNode *line = instruction.getPCSections())
      return mdconst::extract<ConstantInt>(line->getOperand(0))->getZExtValue();
    return instruction.getDebugLoc() ? instruction.getDebugLoc().getLine() : 0;
  }

  static StringRef name(const MachineInstr &instruction) {
    return instruction.getMF()->getSubtarget().getInstrInfo()->getName(instruction.getOpcode());
  }

  static const MachineInstr *made_by(const MachineOperand &operand) {
    return operand.isReg() && operand.getReg().isVirtual()
               ? operand.getParent()->getMF()->getRegInfo().getUniqueVRegDef(operand.getReg())
               : nullptr;
  }

  // Sums of types that cannot be added: x * 1 + y.
  static bool is_one(const MachineOperand &operand) {
    const MachineInstr *value = made_by(operand);
    for (unsigned i = 1; value && name(*value).starts_with("MOV_") && i < value->getNumOperands(); i++)
      if (value->getOperand(i).isFPImm())
        return abs(value->getOperand(i).getFPImm()->getValueAPF()).isExactlyValue(1.0);
    return false;
  }

  static unsigned line_of(const MachineOperand &operand) {
    const MachineInstr *value = made_by(operand);
    while (value && (value->isCopy() || name(*value).starts_with("FNEG")))
      value = made_by(value->getOperand(1));
    return value ? line_of(*value) : 0;
  }

  static void read(const MachineInstr &instruction, Made &made) {
    StringRef what = name(instruction);
    auto is = [&](StringRef prefix) { return what.starts_with(prefix); };
    if (is("FMA_") && instruction.getNumOperands() > 3 && !is_one(instruction.getOperand(1)) && !is_one(instruction.getOperand(2)))
      made.fused.push_back(line_of(instruction.getOperand(3)));
    made.sum |= is("FADD") || is("FSUB") || (is("FMA_") && made.fused.empty());
    made.sign |= is("FNEG") || is("FABS") || is("COPYSIGN");
    made.word |= is("XOR") || is("AND") || is("LOP3");
  }
};
char Reader::ID;

// The product that the operand of a sum is, or is the negation of.
const Instruction *product_of(const Value *operand) {
  auto *value = dyn_cast<Instruction>(operand);
  if (value && value->getOpcode() == Instruction::FNeg)
    value = dyn_cast<Instruction>(value->getOperand(0));
  return value && value->getOpcode() == Instruction::FMul ? value : nullptr;
}

bool is_sum(const Instruction &instruction) {
  return instruction.getOpcode() == Instruction::FAdd || instruction.getOpcode() == Instruction::FSub;
}

bool is_sign(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return instruction.getOpcode() == Instruction::FNeg ||
         (call && (call->getIntrinsicID() == Intrinsic::fabs || call->getIntrinsicID() == Intrinsic::copysign));
}

// Which of the two lines' products was taken up by one that adds what comes from a third.
IrMade taken(unsigned first, unsigned second, unsigned added) {
  if (first && (first == second || (second ? added == second : added != first)))
    return IR_MADE_FIRST;
  return second && (first ? added == first : added != second) ? IR_MADE_SECOND : IR_MADE_UNKNOWN;
}

IrMade sum_made(const Made &made, unsigned first, unsigned second) {
  if (made.fused.empty())
    return made.sum ? IR_MADE_APART : IR_MADE_UNKNOWN;
  // It adds the one product that is known: the other comes by a phi.
  if (!made.sum && !first != !second && all_of(made.fused, [&](unsigned added) { return added == first + second; }))
    return IR_MADE_BEFORE;
  IrMade all = made.sum ? IR_MADE_UNKNOWN : taken(first, second, made.fused[0]);
  for (unsigned added : made.fused)
    if (taken(first, second, added) != all)
      return IR_MADE_UNKNOWN;
  return first || second || made.sum ? all : IR_MADE_BEFORE;
}

// The instructions of a function, by the lines that they get: 1, 2, ...
struct Numbers {
  DenseMap<const Instruction *, unsigned> line;
  DenseMap<unsigned, unsigned> first_like; // of products of the same two factors: the line of the first of them, for each
  bool fuses_all; // whatever the instructions themselves allow

  // The backend's value numbering makes one of such products, which has the line of any of them.
  unsigned line_of_like(unsigned line) const {
    auto found = first_like.find(line);
    return found == first_like.end() ? line : found->second;
  }

  IrMade made(const Instruction &instruction, const Lines &lines) const {
    Made known = lines.lookup(line.lookup(&instruction));
    for (unsigned &added : known.fused)
      added = line_of_like(added);
    if (is_sum(instruction))
      return sum_made(known, line_of_like(line.lookup(product_of(instruction.getOperand(0)))),
                      line_of_like(line.lookup(product_of(instruction.getOperand(1)))));
    if (instruction.getOpcode() == Instruction::FMul && (fuses_all || instruction.hasAllowContract()))
      return IR_MADE_LOOSE;
    return is_sign(instruction) && known.sign && !known.word ? IR_MADE_SIGN : IR_MADE_UNKNOWN;
  }
};

Numbers number(Function &function) {
  Numbers numbers;
  DenseMap<std::pair<const Value *, const Value *>, unsigned> products;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block) {
      unsigned line = unsigned(numbers.line.size() + 1);
      numbers.line[&instruction] = line;
      if (instruction.getOpcode() != Instruction::FMul)
        continue;
      const Value *a = instruction.getOperand(0), *b = instruction.getOperand(1);
      numbers.first_like[line] = products.try_emplace(std::minmax(a, b), line).first->second;
    }
  return numbers;
}

bool is_read(const Instruction &instruction) {
  return is_sum(instruction) || is_sign(instruction) || instruction.getOpcode() == Instruction::FMul;
}

// Gives each instruction the line of its place, twice: what is moved in front of a branch loses its source line, and what stands
// for two that do the same loses such metadata.
void tag(Module &module, Function &function) {
  StripDebugInfo(module);
  LLVMContext &context = function.getContext();
  DIBuilder builder(module);
  DIFile *file = builder.createFile("coalda", "");
  builder.createCompileUnit(dwarf::DW_LANG_C, file, "", true, "", 0);
  auto *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  function.setSubprogram(builder.createFunction(file, "", "", file, 1, type, 1, DINode::FlagZero, DISubprogram::SPFlagDefinition));
  for (auto &[known, line] : number(function).line) {
    auto *instruction = const_cast<Instruction *>(known);
    if (!is_read(*instruction))
      continue;
    auto *constant = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), line));
    instruction->setMetadata(LLVMContext::MD_pcsections, MDNode::get(context, constant));
    instruction->setDebugLoc(DILocation::get(context, line, 1, function.getSubprogram()));
  }
  builder.finalize();
}

// One like the compiler's, or where that is for something else, as for opt, one for what the function says that it is compiled for.
// Where nobody says, it is one that knows all instructions that a module may ask for.
std::unique_ptr<TargetMachine> machine_for(const TargetMachine *given, const Function &function) {
  std::string error;
  const Triple &triple = function.getParent()->getTargetTriple();
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  StringRef cpu = function.getFnAttribute("target-cpu").getValueAsString();
  StringRef features = function.getFnAttribute("target-features").getValueAsString();
  bool is_same = given && !given->getTargetCPU().empty() && (cpu.empty() || given->getTargetCPU() == cpu);
  if (!target)
    return nullptr;
  if (is_same)
    return std::unique_ptr<TargetMachine>(target->createTargetMachine(triple, given->getTargetCPU(),
                                                                      given->getTargetFeatureString(), given->Options, std::nullopt,
                                                                      std::nullopt, given->getOptLevel()));
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(triple, cpu.empty() ? "sm_90" : cpu, features,
                                                                    given ? given->Options : TargetOptions(), std::nullopt));
}

// As far as the choice of instructions.
Lines select(Module &module, TargetMachine &machine) {
  Lines lines;
  legacy::PassManager passes;
  auto *config = machine.createPassConfig(passes);
  if (!config)
    return lines;
  config->setDisableVerify(true);
  passes.add(new TargetLibraryInfoWrapperPass(module.getTargetTriple()));
  passes.add(createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  passes.add(config);
  auto *information = new MachineModuleInfoWrapperPass(&machine);
  passes.add(information);
  machine.getObjFileLowering()->Initialize(information->getMMI().getContext(), machine);
  if (config->addISelPasses())
    return lines;
  config->setInitialized();
  passes.add(new Reader(lines));
  passes.run(module);
  return lines;
}
} // namespace

extern "C" {

int ir_ptx_version(const IrModule *ir, LLVMValueRef function) {
  StringRef features = ir->machine ? ir->machine->getTargetFeatureString()
                                   : unwrap<Function>(function)->getFnAttribute("target-features").getValueAsString();
  constexpr StringLiteral name = "+ptx";
  size_t at = features.rfind(name);
  unsigned version = 0;
  if (at != StringRef::npos)
    features.substr(at + name.size()).consumeInteger(10, version);
  return static_cast<int>(version);
}

bool ir_backend_fuses_all(const IrModule *ir) { return ir->machine && ir->machine->Options.AllowFPOpFusion == FPOpFusion::Fast; }

void ir_backend_makes(IrModule *ir, LLVMValueRef function, uint8_t *made) {
  Function *original = unwrap<Function>(function);
  std::unique_ptr<TargetMachine> machine = machine_for(ir->machine, *original);
  Lines lines;
  if (machine) {
    ValueToValueMapTy twins;
    auto copy = CloneModule(*original->getParent(), twins,
                            [&](const GlobalValue *value) { return !isa<Function>(value) || value == original; });
    tag(*copy, *cast<Function>(twins.lookup(original)));
    lines = select(*copy, *machine);
  }
  Numbers numbers = number(*original);
  numbers.fuses_all = ir_backend_fuses_all(ir);
  for (BasicBlock &block : *original)
    for (Instruction &instruction : block)
      *made++ = numbers.made(instruction, lines);
}

} // extern "C"
