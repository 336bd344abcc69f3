# lit: substitutions for the tools of the build and of its LLVM. Nothing is taken from PATH.
import os

import lit.formats

config.name = "coalda"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".cu", ".test"]
config.excludes = ["unit", "fuzz", "gen", "gpu", "launches", "Inputs"]
config.test_source_root = os.path.join(config.coalda_source, "test")
config.test_exec_root = os.path.join(config.coalda_build, "test", "off" if lit_config.params.get("off") else "")
config.environment["COALDA_LLVM_BIN"] = config.llvm_bin  # test/gen/runline.py
config.environment["COALDA_OPTIONS"] = "spares=false"  # kernels as they were stand beside others only where a test asks for them
config.environment["LD_BIND_NOW"] = "1"  # every symbol of the plugin must resolve

plugin = os.path.join(config.coalda_build, "coalda.so")
off = bool(lit_config.params.get("off"))  # transform/off.py: the plugin does nothing, and every test has to notice
opt_off, clang_off = (" -coalda-off", " -mllvm -coalda-off") if off else ("", "")


def tool(name):
    return os.path.join(config.llvm_bin, name)


if os.path.exists(tool("clang-format")):
    config.available_features.add("clang-format")


cuda = f"-x cuda --cuda-path={config.cuda} -Wno-unknown-cuda-version"
nvcc_headers = f"-isystem {config.cuda}/include/cccl"
checked = f"{tool('opt')} -load-pass-plugin={plugin} -coalda-check{opt_off}"  # after every step
transform_tools = (f"--opt '{checked}' --sim {os.path.join(config.coalda_build, 'coalda-sim')}"
                   f" --clang {tool('clang++')} --llc {tool('llc')} --ptxas {os.path.join(config.cuda, 'bin', 'ptxas')}")
# mutate.py: --param check='--enough 1 --only KERNEL'
transform_tools += " " + lit_config.params.get("check", "")
substitutions = {
    "%opt-plain": tool("opt"),
    "%opt": checked,
    "%clang-device": f"{tool('clang++')} {cuda} --cuda-device-only --cuda-gpu-arch=sm_90 -S -emit-llvm",
    "%clang": f"{tool('clang++')} {cuda} {nvcc_headers}",
    "%llc": tool("llc"),
    "%llvm-dis": tool("llvm-dis"),
    "%llvm-as": tool("llvm-as"),
    "%remarkutil": tool("llvm-remarkutil"),
    "%ptxas": os.path.join(config.cuda, "bin", "ptxas"),
    "%plugin": plugin + clang_off,
    "%profile": os.path.join(config.coalda_build, "coalda-profile"),
    "%trace": os.path.join(config.coalda_build, "libcoalda-trace.so"),
    "%replay": os.path.join(config.coalda_build, "test", "trace", "trace-replay"),
    "%cudart-stub": os.path.join(config.coalda_build, "test", "host", "libcudart-stub.so"),
    "%stub": os.path.join(config.coalda_build, "test", "trace", "libcupti-stub.so"),
    "%report": os.path.join(config.coalda_build, "coalda-report"),
    "%sim": os.path.join(config.coalda_build, "coalda-sim"),
    "%FileCheck": tool("FileCheck"),
    "%not": tool("not"),
    "split-file": tool("split-file"),
    "%python": config.python,
    "%rewritten": f"{config.python} {config.test_source_root}/transform/check.py {transform_tools}{' --off' if off else ''}",
    "%launches": (f"{config.python} {config.test_source_root}/launches/launches.py --clang {tool('clang++')}"
                  f" --plugin {plugin} --cuda {config.cuda}"),
    "%records": f"{config.python} {config.test_source_root}/transform/records.py {transform_tools}",
    "%gen": f"{config.python} {config.test_source_root}/gen/kernels.py",
    "%nm": tool("llvm-nm"),
    "%readelf": tool("llvm-readelf"),
    "%cuda": config.cuda,
    "%llvm-bin": config.llvm_bin,
    "%built": plugin,
    "%build": config.coalda_build,
    "%source": config.coalda_source,
}
# longest name first: %opt-plain before %opt
for name in sorted(substitutions, key=len, reverse=True):
    config.substitutions.append((name, substitutions[name]))
