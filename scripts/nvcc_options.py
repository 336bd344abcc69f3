"""nvcc's options, once: Option(names, takes, does, what it becomes). docs/nvcc.md is made of this table.

takes: "" nothing; "one" a value, behind it or after = ; "joined" a value, which may as well stick to the name; "list" values that commas part;
"rest" values that commas or blanks part. does: a word that scripts/coalda-nvcc knows, or "pass": the text is handed to clang; "skip": nothing is to
be done; "cannot": clang cannot do it. Where a row's text has {} the value stands there."""
import collections
import sys

Option = collections.namedtuple("Option", "names takes does becomes")
OPTIONS = [
    # ---- what is made ----
    Option("-c --compile", "", "phase", "objects"),
    Option("-dc --device-c", "", "phase", "objects, -fgpu-rdc"),
    Option("-dw --device-w", "", "phase", "objects, without -fgpu-rdc"),
    Option("-dlink --device-link", "", "phase", "an object with the device code of all, by clang-linker-wrapper and nvlink"),
    Option("-link --link", "", "phase", "a program (which is what is made if nothing is said)"),
    Option("-lib --lib", "", "phase", "an archive"),
    Option("-ptx --ptx", "", "phase", "PTX, by --cuda-device-only -S"),
    Option("-cubin --cubin", "", "phase", "a cubin, by --cuda-device-only -c"),
    Option("-fatbin --fatbin", "", "phase", "cubins and PTX in a file, by fatbinary"),
    Option("-E --preprocess", "", "phase", "preprocessed host code"),
    Option("-M --generate-dependencies", "", "phase", "rules for make, by -M"),
    Option("-MM --generate-nonsystem-dependencies", "", "phase", "rules for make, by -MM"),
    Option("-run --run", "", "run", "the program is run when it is linked"),
    Option("-run-args --run-args", "rest", "run-args", "arguments of that run"),
    Option("-shared --shared", "", "link", "-shared"),
    Option("-r --relocatable-link", "", "link", "-r"),
    Option("-o --output-file", "joined", "output", "-o"),
    Option("-odir --output-directory", "one", "odir", "where files go that -o does not name"),
    Option("-x --x", "joined", "language", "cu: CUDA; c, c++: for the host compiler"),
    Option("-optf --options-file", "list", "file", "options are read from it; @FILE too"),
    # ---- architectures ----
    Option("-arch --gpu-architecture", "one", "arch", "--offload-arch; native asks the GPU of this machine"),
    Option("-code --gpu-code", "list", "code", "--offload-arch, --cuda-include-ptx"),
    Option("-gencode --generate-code", "one", "gencode", "--offload-arch, --cuda-include-ptx"),
    Option("-rdc --relocatable-device-code", "one", "rdc", "-fgpu-rdc"),
    # ---- the preprocessor ----
    Option("-D --define-macro", "joined", "both", "-D{}"),
    Option("-U --undefine-macro", "joined", "both", "-U{}"),
    Option("-I --include-path", "joined", "both-list", "-I{}"),
    Option("-isystem --system-include", "joined", "both-list", "-isystem{}"),
    Option("-include --pre-include", "list", "include", "-include"),
    Option("-MD --generate-dependencies-with-compile", "", "depend", "-MD"),
    Option("-MMD --generate-nonsystem-dependencies-with-compile", "", "depend", "-MMD"),
    Option("-MP --generate-dependency-targets", "", "depend", "-MP"),
    Option("-MF --dependency-output", "joined", "depend-value", "-MF"),
    Option("-MT --dependency-target-name", "joined", "depend-value", "-MT"),
    Option("-MQ", "joined", "depend-value", "-MQ"),
    # ---- code ----
    Option("-std --std", "one", "std", "-std={}; c++17 if nothing is said, as nvcc 13"),
    Option("-O --optimize", "joined", "level", "of the host; device code is made with -O3, as by nvcc"),
    Option("-Ofc --Ofast-compile", "one", "skip", ""),
    Option("-dopt --dopt", "one", "dopt", "on: device code is optimized in spite of -G"),
    Option("-g --debug", "", "host", "-g"),
    Option("-pg --profile", "", "host", "-pg"),
    Option("-G --device-debug", "", "device-debug", "-O0 -g of the device, --cuda-noopt-device-debug"),
    Option("-lineinfo --generate-line-info", "", "lineinfo", "-gline-tables-only of the device"),
    Option("-use_fast_math --use_fast_math", "", "fast", "-ftz=true -prec-div=false -prec-sqrt=false, -fgpu-approx-transcendentals"),
    Option("-ftz --ftz", "one", "ftz", "true: -fgpu-flush-denormals-to-zero"),
    Option("-prec-div --prec-div", "one", "prec-div", "false: -nvptx-prec-divf32=1, of divisions of floats"),
    Option("-prec-sqrt --prec-sqrt", "one", "prec-sqrt", "false: -nvptx-prec-sqrtf32=0"),
    Option("-fmad --fmad", "one", "fmad", "false: -ffp-contract=off of the device; else fast, as nvcc"),
    Option("-maxrregcount --maxrregcount", "one", "ptxas", "--maxrregcount={}"),
    Option("-expt-relaxed-constexpr --expt-relaxed-constexpr", "", "define", "__CUDACC_RELAXED_CONSTEXPR__: clang lets device code call constexpr functions anyway"),
    Option("-extended-lambda --extended-lambda -expt-extended-lambda --expt-extended-lambda", "", "define", "__CUDACC_EXTENDED_LAMBDA__: clang takes them anyway"),
    Option("-default-stream --default-stream", "one", "stream", "per-thread: -fgpu-default-stream=per-thread"),
    Option("-restrict --restrict", "", "skip", ""),
    Option("-extra-device-vectorization --extra-device-vectorization", "", "skip", ""),
    Option("-m --machine", "joined", "skip", ""),
    Option("-m64 --m64", "", "skip", ""),
    Option("-ftemplate-depth --ftemplate-depth", "one", "both", "-ftemplate-depth={}"),
    Option("-ftemplate-backtrace-limit --ftemplate-backtrace-limit", "one", "both", "-ftemplate-backtrace-limit={}"),
    Option("-noeh --no-exceptions", "", "both", "-fno-exceptions"),
    Option("-src-in-ptx --source-in-ptx -keep-device-functions --keep-device-functions", "", "skip", ""),
    Option("-jtd --jump-table-density -frandom-seed --frandom-seed", "one", "skip", ""),
    # ---- for others ----
    Option("-Xcompiler --compiler-options", "rest", "compiler", "flags of the host's side; -D, -I and -U of both"),
    Option("-Xlinker --linker-options", "rest", "linker", "-Xlinker"),
    Option("-Xptxas --ptxas-options", "rest", "ptxas", "-Xcuda-ptxas"),
    Option("-Xarchive --archive-options", "rest", "archive", "flags of ar"),
    Option("-Xnvlink --nvlink-options", "rest", "skip", ""),
    Option("-Xfatbin -Xcicc -Xcudafe", "rest", "skip", ""),
    Option("-ccbin --compiler-bindir", "one", "ccbin", "compiles .c, .cpp, and links"),
    Option("-allow-unsupported-compiler --allow-unsupported-compiler", "", "skip", ""),
    Option("-arbin --archiver-binary", "one", "arbin", "instead of ar"),
    Option("-forward-unknown-to-host-compiler --forward-unknown-to-host-compiler -forward-unknown-opts --forward-unknown-opts", "", "forward", "unknown options are flags of the host's side"),
    Option("-forward-unknown-to-host-linker --forward-unknown-to-host-linker", "", "skip", ""),
    # ---- linking ----
    Option("-L --library-path", "joined", "link-list", "-L{}"),
    Option("-l --library", "joined", "library", "-l{}"),
    Option("-cudart --cudart", "one", "cudart", "static if nothing is said, shared, none"),
    Option("-cudadevrt --cudadevrt", "one", "skip", ""),
    Option("-ldir --libdevice-directory -target-dir --target-directory", "one", "skip", ""),
    Option("-nodlink --no-device-link", "", "skip", ""),
    # ---- what is said ----
    Option("-w --disable-warnings", "", "both", "-w"),
    Option("-Werror --Werror", "list", "werror", "all-warnings: -Werror"),
    Option("-Wreorder --Wreorder", "", "both", "-Wreorder"),
    Option("-Wno-deprecated-declarations --Wno-deprecated-declarations", "", "both", "-Wno-deprecated-declarations"),
    Option("-Wno-deprecated-gpu-targets --Wno-deprecated-gpu-targets -Wdefault-stream-launch --Wdefault-stream-launch", "", "skip", ""),
    Option("-Wmissing-launch-bounds --Wmissing-launch-bounds -Wext-lambda-captures-this --Wext-lambda-captures-this", "", "skip", ""),
    Option("-diag-suppress --diag-suppress -diag-error --diag-error -diag-warn --diag-warn", "list", "skip", "numbers of nvcc's own warnings"),
    Option("-err-no --display-error-number -no-err-no --no-display-error-number", "", "skip", ""),
    Option("-brief-diag --brief-diagnostics", "one", "skip", ""),
    Option("-res-usage --resource-usage", "", "usage", "-Xcuda-ptxas -v"),
    Option("-v --verbose", "", "verbose", "commands are said"),
    Option("-dryrun --dryrun", "", "dryrun", "commands are said, not run"),
    Option("-keep --keep -save-temps --save-temps", "", "keep", "-save-temps"),
    Option("-keep-dir --keep-dir", "one", "skip", ""),
    Option("-time --time", "one", "skip", ""),
    Option("-t --threads -split-compile --split-compile -split-compile-extended --split-compile-extended", "joined", "skip", ""),
    Option("-objtemp --objdir-as-tempdir -noprof --dont-use-profile -clean --clean-targets -jobserver --jobserver", "", "skip", ""),
    Option("-compress-mode --compress-mode", "one", "skip", ""),
    Option("-no-compress --no-compress", "", "skip", ""),
    Option("-static-global-template-stub --static-global-template-stub -device-entity-has-hidden-visibility --device-entity-has-hidden-visibility", "one", "skip", ""),
    Option("-V --version -h --help -arch-ls --list-gpu-arch -code-ls --list-gpu-code", "", "ask", "what the toolkit's own nvcc says"),
    # ---- what clang cannot do ----
    Option("-cuda --cuda", "", "cannot", "make C++ of CUDA"),
    Option("-ltoir --ltoir -optix-ir --optix-ir", "", "cannot", "make NVIDIA's intermediate code"),
    Option("-dlto --dlink-time-opt -lto --lto -gen-opt-lto --gen-opt-lto", "", "cannot", "optimize device code when it is linked as nvcc does"),
    Option("-ewp --extensible-whole-program -reloc-ptx --relocatable-ptx -astoolspatch --compile-as-tools-patch", "", "cannot", "make such code"),
    Option("-e --entries", "list", "cannot", "leave kernels out"),
    Option("-opt-info --optimization-info", "list", "skip", "-Rpass=coalda says what COALDA did"),
    Option("-hls --host-linker-script", "one", "skip", ""),
    Option("-sanitize --sanitize -device-stack-protector --device-stack-protector", "one", "cannot", "check device code at run time"),
    # ---- COALDA's ----
    Option("--fallback", "", "fallback", "what clang does not compile, the toolkit's own nvcc does; it is counted, and said at the end"),
    Option("--coalda-profile", "one", "profile", "a profile is obeyed (docs/profiles.md)"),
    Option("--coalda-off", "", "off", "clang alone"),
    Option("-mllvm", "one", "device", "-mllvm={}"),
    Option("-Rpass -Rpass-missed -Rpass-analysis", "one", "remark", "{}"),
]
NAMES = {name: option for option in OPTIONS for name in option.names.split()}
# Those whose value may stick to them, the longest first.
JOINED = sorted((name for name, option in NAMES.items() if option.takes == "joined" and not name.startswith("--")), key=len, reverse=True)


def table():
    """The table of docs/nvcc.md."""
    values = {"": "", "one": "value", "joined": "value", "list": "list", "rest": "list"}
    rows = ["| option | takes | becomes |", "|---|---|---|"]
    for option in OPTIONS:
        becomes = option.becomes.replace("{}", "VALUE")
        what = {"skip": "nothing" + (f": {becomes}" if becomes else ""), "cannot": f"**clang cannot** {becomes}"}.get(option.does, becomes)
        rows.append(f"| `{' '.join(option.names.split())}` | {values[option.takes]} | {what} |")
    return "\n".join(rows) + "\n"


def main(path, writes):
    with open(path) as f:
        text = f.read()
    begin, end = text.index("| option |"), text.index("\n\n", text.index("| option |")) + 1
    if writes:
        with open(path, "w") as f:
            f.write(text[:begin] + table() + text[end:])
    return 0 if writes or text[begin:end] == table() else f"{path}: the table is not that of scripts/nvcc_options.py: run it with --write"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], "--write" in sys.argv))
