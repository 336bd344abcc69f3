"""The steps of a command of nvcc's, as commands of clang's; each is run, or only said."""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

import coalda_find as find
import nvcc_archs

ASKS_CMAKE = ("CMakeCUDACompilerId.cu", "__cmake_determine_cuda")  # which compiler this is: NVIDIA's command line, so its own nvcc answers
SUFFIX = {"compile": ".o", "ptx": ".ptx", "cubin": ".cubin", "fatbin": ".fatbin"}
# Where the linker that clang-linker-wrapper calls is this, the object with all device code is the one that is kept.
KEEPER = """#!/bin/sh
for word; do case $word in *.wrapper*.o | *image.wrapper*) cp "$word" "$COALDA_DLINK"; found=1 ;; esac; done
[ -n "$found" ]
"""


class Failed(Exception):
    def __init__(self, status):
        super().__init__(status)
        self.status = status


def holds(path, text):
    """Is it a file with these bytes?"""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as f:
        return text in f.read()


def first_there(*paths):
    return next((path for path in paths if path and os.path.exists(path)), "")


class Steps:
    """One command."""

    def __init__(self, command, wrong):
        self.c, self.wrong, self.temp, self.by_nvcc = command, wrong, None, []
        self.cuda = find.cuda()
        self.clang = os.path.join(find.llvm_bin(), "clang++")
        self.plugin = "" if command.off else find.plugin()
        self.header = os.path.join(find.HOME, "include", "coalda", "nvcc_compat.h")
        self.real, self.virtual = [], []

    # ---- running ----

    def call(self, words, check=True, quiet=False, **more):
        if self.c.dryrun or self.c.verbose:
            print("#$ " + shlex.join(words), file=sys.stderr)
        if self.c.dryrun:
            return 0
        status = subprocess.run(words, **more).returncode
        if check and status:
            raise Failed(status)
        return status

    def temporary(self, name):
        if not self.temp:
            self.temp = tempfile.mkdtemp(prefix="coalda-nvcc-")
        return os.path.join(self.temp, name)

    def nvcc(self):
        path = os.path.join(self.cuda, "bin", "nvcc")
        return path if os.path.exists(path) else ""

    # ---- flags ----

    def archs(self):
        if not self.real:
            self.real, self.virtual = nvcc_archs.wanted(self.c, self.wrong)
        return self.real

    def math(self):
        m, flags = self.c.math, []
        flags += ["-fgpu-flush-denormals-to-zero"] if m["ftz"] else []
        flags += ["-fgpu-approx-transcendentals"] if m["fast"] else []
        flags += [] if m["prec-div"] else ["-Xarch_device", "-mllvm=-nvptx-prec-divf32=1"]
        flags += [] if m["prec-sqrt"] else ["-Xarch_device", "-mllvm=-nvptx-prec-sqrtf32=0"]
        return flags + ([] if m["fmad"] else ["-Xarch_device", "-ffp-contract=off"])

    def levels(self):
        c = self.c
        level = "-O" + (c.level or "0")
        device = ["-Xarch_device", "-O0"] if c.debug and not c.dopt else ["-Xarch_device", "-O3"]
        flags = device + ["-Xarch_host", level]
        flags += ["-Xarch_device", "-g", "--cuda-noopt-device-debug"] if c.debug and not c.dopt else []
        return flags + (["-Xarch_device", "-gline-tables-only"] if c.lines and not c.debug else [])

    def device_flags(self):
        c = self.c
        flags = [] if c.off else ["-fpass-plugin=" + self.plugin]
        flags += [word for text in c.device for word in ("-Xarch_device", text)]
        flags += ["-Xarch_device", "-mllvm=-coalda-profile=" + c.profile] if c.profile else []
        flags += [word for text in c.ptxas for word in ("-Xcuda-ptxas", text)]
        flags += ["-fgpu-rdc"] if c.rdc else []
        flags += ["-D__CUDACC_RDC__"] if c.rdc else []
        flags += ["-D__CUDACC_DEBUG__"] if c.debug else []
        flags += ["-fgpu-default-stream=per-thread", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM"] if c.stream == "per-thread" else []
        return flags + self.math() + c.remarks

    def cuda_flags(self, archs=None, has_stubs=False):
        c = self.c
        flags = [] if c.off else find.spares(has_stubs)
        flags += ["-x", "cuda", "--cuda-path=" + self.cuda, "-Wno-unknown-cuda-version", "-Wno-unknown-warning-option", "-Wno-unused-command-line-argument",
                  "-std=" + (c.std or "c++17")]
        for n in archs or self.archs():
            flags += ["--offload-arch=sm_" + n] + (["--cuda-include-ptx=sm_" + n] if n in self.virtual and not c.rdc else [])
        if os.path.exists(self.header):
            flags += ["-include", self.header]
        host = [word for flag in c.host for word in ("-Xarch_host", flag)]
        return (flags + find.cccl(self.cuda, not c.off) + c.both + self.levels() + host +
                self.device_flags() + (["-save-temps"] if c.keep else []))

    def host_command(self, source, language):
        c = self.c
        compiler = self.host_compiler(language)
        std = ["-std=" + c.std] if c.std and language == "c++" else []
        level = ["-O" + c.level] if c.level else []
        return [compiler, "-x", language] + std + level + c.both + c.host + ["-I" + os.path.join(self.cuda, "include")]

    def host_compiler(self, language):
        named = self.c.ccbin
        if named and os.path.isdir(named):
            named = first_there(os.path.join(named, "g++"), os.path.join(named, "clang++"))
        return named or shutil.which("gcc" if language == "c" else "g++") or self.clang

    # ---- steps ----

    def name_of(self, source, suffix):
        name = os.path.splitext(os.path.basename(source))[0] + suffix
        return os.path.join(self.c.odir, name) if self.c.odir else name

    def compile(self, source, language, output):
        if language != "cu":
            self.call(self.host_command(source, language) + self.c.depend + ["-c", source, "-o", output])
            return
        words = [self.clang] + self.cuda_flags(has_stubs=not self.c.rdc) + self.c.depend + ["-c", source, "-o", output]
        self.by_clang(words, source, ["-c"] + (["-rdc=true"] if self.c.rdc else []), output)

    def by_clang(self, words, source, what, output):
        """Or by nvcc, where clang cannot and that is asked for."""
        wanted, cannot = self.c.fallback and not self.c.dryrun, self.c.cannot
        if cannot and not wanted:
            raise self.wrong(f"{cannot[0]} (--fallback: the toolkit's own nvcc compiles such files)")
        if not wanted:
            self.call(words)
            return
        if not cannot:
            done = subprocess.run(words, capture_output=True, text=True)
            if not done.returncode:
                sys.stderr.write(done.stderr)
                sys.stdout.write(done.stdout)
                return
            cannot = [next((line for line in done.stderr.splitlines() if "error" in line), "clang failed")]
        if self.c.rdc:
            sys.stderr.write(f"coalda-nvcc: {source}: {cannot[0]}; nvcc's relocatable code cannot be linked with clang's\n")
            raise Failed(1)
        print(f"coalda-nvcc: {source} is compiled by nvcc: {cannot[0]}", file=sys.stderr)
        self.by_nvcc.append(source)
        self.call([self.nvcc()] + self.nvcc_words() + what + [source, "-o", output])

    def nvcc_words(self):
        """The command, but for its files and for what is made of them."""
        c, words, rest = self.c, [], list(self.c.words)
        files = {path for path, _ in c.inputs}
        while rest:
            word = rest.pop(0)
            if word in files or word in ("-c", "--compile", "-lib", "-shared", "-dryrun", "--coalda-off"):
                continue
            if word in ("-o", "--output-file", "--coalda-profile", "-mllvm") or word.startswith("-Rpass"):
                rest[:1] = [] if not word.startswith("-Rpass") else rest[:1]
                continue
            words.append(word)
        return words

    def each(self, phase):
        """One file for each CUDA source."""
        c = self.c
        sources = [(path, language) for path, language in c.inputs if language]
        if not sources:
            raise self.wrong("No input files specified; use option --help for more information")
        if any(language == "ptx" for _, language in sources) and phase != "cubin":
            raise self.wrong("PTX is assembled into a cubin alone (-cubin)")
        if c.output and len(sources) > 1:
            raise self.wrong("A single input file is required for a non-link phase when an outputfile is specified")
        for path, language in sources:
            output = c.output or self.name_of(path, SUFFIX[phase])
            getattr(self, phase)(path, language, output)

    def one_arch(self, what):
        if len(self.archs()) > 1:
            raise self.wrong(f"Option '--{what}' is not allowed when compiling for multiple GPU architectures")
        return self.archs()

    def ptx(self, source, language, output):
        words = [w for w in self.cuda_flags(self.one_arch("ptx")) if not w.startswith("--cuda-include-ptx")]
        self.by_clang([self.clang] + words + ["--cuda-device-only", "-S", source, "-o", output], source, ["-ptx"], output)

    def cubin(self, source, language, output, archs=None):
        if language == "ptx":
            self.call([os.path.join(self.cuda, "bin", "ptxas"), "-arch=sm_" + self.one_arch("cubin")[0]] + self.c.ptxas + [source, "-o", output])
            return
        words = [w for w in self.cuda_flags(archs or self.one_arch("cubin")) if not w.startswith("--cuda-include-ptx")]
        self.by_clang([self.clang] + words + ["--cuda-device-only", "-c", source, "-o", output], source, ["-cubin"], output)

    def fatbin(self, source, language, output):
        images = []
        for n in self.archs():
            path = self.temporary(f"sm_{n}.cubin")
            self.cubin(source, language, path, [n])
            images.append(f"--image3=kind=elf,sm={n},file={path}")
            if n in self.virtual:
                path = self.temporary(f"compute_{n}.ptx")
                words = [w for w in self.cuda_flags([n]) if not w.startswith("--cuda-include-ptx")]
                self.call([self.clang] + words + ["--cuda-device-only", "-S", source, "-o", path])
                images.append(f"--image3=kind=ptx,sm={n},file={path}")
        self.call([os.path.join(self.cuda, "bin", "fatbinary"), "-64", "--create", output] + images)

    def preprocess(self):
        for path, language in self.c.inputs:
            output = ["-o", self.c.output] if self.c.output else []
            words = [self.clang] + self.cuda_flags() + ["--cuda-host-only"] if language == "cu" else self.host_command(path, language)
            self.call(words + ["-E", path] + output)

    def depend(self):
        for path, language in self.c.inputs:
            output = ["-o", self.c.output] if self.c.output else []
            words = [self.clang] + self.cuda_flags() + ["--cuda-host-only"] if language == "cu" else self.host_command(path, language)
            self.call(words + self.c.depend + [path] + output)

    def objects(self):
        """The inputs in their order, sources compiled."""
        made = []
        for at, (path, language) in enumerate(self.c.inputs):
            if language == "ptx":
                raise self.wrong("PTX is assembled into a cubin alone (-cubin)")
            if language:
                output = self.temporary(f"{at}-" + os.path.splitext(os.path.basename(path))[0] + ".o")
                self.compile(path, language, output)
                path = output
            made.append(path)
        return made

    def has_device_code(self, path):
        """Device code that is still to be linked: clang leaves it in a section of this name, archives have it in their members."""
        return holds(path, b".llvm.offloading")

    def archive_of(self, path):
        """The archive that -lNAME finds in the folders of -L."""
        folders = [word[2:] for word in self.c.link if word.startswith("-L")]
        return first_there(*(os.path.join(folder, f"lib{path[2:]}.a") for folder in folders)) if path.startswith("-l") else path

    def whole(self, objects):
        """Kernels of archives are asked for by no name: their archives are linked as a whole, where device code is still to be linked."""
        made = []
        for path in objects:
            found = self.archive_of(path)
            is_such = found.endswith(".a") and self.has_device_code(found)
            made += ["-Wl,--whole-archive", found, "-Wl,--no-whole-archive"] if is_such else [path]
        return made

    def is_linked(self, path):
        """What -dlink has made: it knows where the entries of others begin."""
        return holds(path, b"__start_llvm_offload_entries")

    def folders(self):
        paths = [os.path.join(self.cuda, "lib64", "stubs"), os.path.join(self.cuda, "lib64")]
        return ["-L" + path for path in paths if os.path.isdir(path)]

    def libraries(self):
        c = self.c
        runtime = {"static": ["-lcudart_static"], "shared": ["-lcudart"], "none": []}
        if c.cudart not in runtime:
            raise self.wrong(f"'-cudart {c.cudart}': none, shared or static")
        return self.folders() + runtime[c.cudart] + ["-lrt", "-lpthread", "-ldl"]

    def offload_link(self):
        words = [self.clang, "--offload-link", "--cuda-path=" + self.cuda, "-Wno-unknown-cuda-version"]
        return words + ["--offload-arch=sm_" + n for n in self.archs()]

    def link(self):
        c = self.c
        objects = self.objects()
        output = c.output or ("a.out" if not c.odir else os.path.join(c.odir, "a.out"))
        open_code = any(self.has_device_code(self.archive_of(path)) for path in objects) or (c.rdc and any(language == "cu" for _, language in c.inputs))
        is_open = open_code and not any(map(self.is_linked, objects))
        objects = self.whole(objects) if is_open else objects
        linker = self.offload_link() if is_open else [self.host_compiler("c++") if c.ccbin else self.clang]
        self.call(linker + objects + c.link + self.libraries() + ["-o", output])
        if c.run and not c.dryrun:
            return subprocess.run([os.path.abspath(output)] + c.run_args).returncode
        return 0

    def dlink(self):
        c = self.c
        objects = self.objects()
        output = c.output or self.name_of("a_dlink.o", ".o")
        keeper = self.temporary("ld")
        if not c.dryrun:
            with open(keeper, "w") as f:
                f.write(KEEPER)
            os.chmod(keeper, 0o755)
        links = [word for word in c.link if word.startswith("-L")] + self.folders()
        objects = [path for path in objects if path != "-lcudadevrt" or os.path.exists(os.path.join(self.cuda, "lib64", "libcudadevrt.a"))]
        self.call(self.offload_link() + self.whole(objects) + links + ["--ld-path=" + keeper, "-o", self.temporary("linked")],
                  env=dict(os.environ, COALDA_DLINK=os.path.abspath(output)))

    def lib(self):
        c = self.c
        objects = self.objects()
        output = c.output or "a.a"
        if os.path.exists(output) and not c.dryrun:
            os.remove(output)
        self.call([c.arbin] + (c.archive or ["rcs"]) + [output] + [path for path in objects if not path.startswith("-")])

    def do(self):
        c = self.c
        if c.cannot and not c.fallback:
            raise self.wrong(f"{c.cannot[0]} (--fallback: the toolkit's own nvcc compiles such files)")
        if not c.inputs:
            raise self.wrong("No input files specified; use option --help for more information")
        try:
            done = self.each(c.phase) if c.phase in SUFFIX else getattr(self, c.phase)()
        finally:
            if self.temp:
                shutil.rmtree(self.temp, ignore_errors=True)
        if self.by_nvcc:
            count = len(self.by_nvcc)
            print(f"coalda-nvcc: {count} file{'s' if count > 1 else ''} compiled by nvcc, without COALDA: {' '.join(self.by_nvcc)}", file=sys.stderr)
        return done or 0


def main(parser, words):
    try:
        if any(os.path.basename(word) in ASKS_CMAKE for word in words):
            return subprocess.run([os.path.join(find.cuda(), "bin", "nvcc")] + words).returncode
        command = parser.Command(words)
        if command.asks:
            return subprocess.run([os.path.join(find.cuda(), "bin", "nvcc"), command.asks]).returncode
        return Steps(command, parser.Wrong).do()
    except (parser.Wrong, find.NotFound) as wrong:
        print(f"nvcc fatal   : {wrong}", file=sys.stderr)
        return 1
    except Failed as failed:
        return failed.status
    except OSError as error:
        print(f"coalda-nvcc: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
