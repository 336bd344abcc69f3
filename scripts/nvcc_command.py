"""A command line of nvcc's, read: what is wanted of which files."""
import os
import shlex

from nvcc_options import JOINED, NAMES

PHASES = {"-c": "compile", "--compile": "compile", "-dc": "compile", "--device-c": "compile", "-dw": "compile", "--device-w": "compile",
          "-dlink": "dlink", "--device-link": "dlink", "-link": "link", "--link": "link", "-lib": "lib", "--lib": "lib", "-ptx": "ptx",
          "--ptx": "ptx", "-cubin": "cubin", "--cubin": "cubin", "-fatbin": "fatbin", "--fatbin": "fatbin", "-E": "preprocess",
          "--preprocess": "preprocess", "-M": "depend", "--generate-dependencies": "depend", "-MM": "depend",
          "--generate-nonsystem-dependencies": "depend"}
SOURCES = {".cu": "cu", ".ptx": "ptx", ".c": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".C": "c++", ".c++": "c++"}
SHARED_FLAGS = ("-D", "-U", "-I", "-isystem", "-include", "-std=")


class Wrong(Exception):
    """What is wrong with the command, in a sentence."""


def parted(text, blanks):
    """Values that commas part, and blanks; not in quotes or parentheses, nor behind a backslash."""
    parts, word, depth, quote, at = [], "", 0, "", 0
    while at < len(text):
        c = text[at]
        if c == "\\" and text[at + 1:at + 2] == ",":
            c, at = ",", at + 1
            word += c
        elif quote:
            quote, word = ("" if c == quote else quote), word + c
        elif c in "\"'":
            quote, word = c, word + c
        elif (c == "," and not depth) or (blanks and c.isspace()):
            parts, word = parts + [word], ""
        else:
            depth += (c == "(") - (c == ")")
            word += c
        at += 1
    words = [w for w in parts + [word] if w]
    return [unquoted(w) for w in words] if blanks else words


def unquoted(word):
    try:
        return "".join(shlex.split(word)) or word
    except ValueError:
        return word


def read_file(path):
    try:
        with open(path) as f:
            return shlex.split(f.read(), comments=False)
    except OSError as error:
        raise Wrong(f"options file {path}: {error.strerror}")


def find(word):
    """The option that the word is of, its name, and the value in it; none where there is no such option."""
    name, equals, value = word.partition("=")
    if name in NAMES and (not equals or NAMES[name].takes):
        return NAMES[name], name, value if equals else None
    for name in JOINED:
        if word.startswith(name) and len(word) > len(name):
            return NAMES[name], name, word[len(name):].removeprefix("=")
    return None, word, None


class Command:
    """What the words ask for."""

    def __init__(self, words):
        self.phase, self.output, self.odir, self.language, self.std = "link", "", "", "", ""
        self.inputs = []          # (path, language), objects and libraries with none, in order
        self.both, self.host, self.device, self.ptxas = [], [], [], []
        self.link, self.depend, self.archive, self.run_args, self.remarks = [], [], [], [], []
        self.arch, self.codes, self.generated = "", [], []
        self.level, self.rdc, self.debug, self.dopt, self.lines = "", False, False, False, False
        self.math = {"ftz": False, "prec-div": True, "prec-sqrt": True, "fmad": True, "fast": False}
        self.cudart, self.ccbin, self.arbin, self.stream = "static", "", "ar", ""
        self.run = self.verbose = self.dryrun = self.keep = self.fallback = self.off = self.forward = False
        self.cannot, self.asks, self.profile = [], "", ""
        words = shlex.split(os.environ.get("NVCC_PREPEND_FLAGS", "")) + words + shlex.split(os.environ.get("NVCC_APPEND_FLAGS", ""))
        self.words = list(words)
        self.forward = any(w.lstrip("-") in ("forward-unknown-to-host-compiler", "forward-unknown-opts") for w in words)
        rest = list(words)
        while rest:
            self.take(rest.pop(0), rest)

    def take(self, word, rest):
        if word.startswith("@"):
            rest[:0] = read_file(word[1:])
            return
        if not word.startswith("-") or word == "-":
            self.inputs.append((word, self.language_of(word)))
            return
        option, name, value = find(word)
        if not option:
            self.unknown(word)
            return
        if option.takes and value is None:
            if not rest:
                raise Wrong(f"Argument expected after '{word}'")
            value = rest.pop(0)
        getattr(self, "do_" + option.does.replace("-", "_"))(option, name, value, rest)

    def language_of(self, path):
        if self.language:
            return {"cu": "cu", "c": "c", "c++": "c++"}[self.language]
        return SOURCES.get(os.path.splitext(path)[1], "")

    def unknown(self, word):
        if word.startswith("-Wl,"):
            self.link.append(word)
        elif self.forward or word == "-pthread":
            self.host.append(word)
            self.link += [word] if word.startswith(("-pthread", "-fopenmp", "-fsanitize", "-static")) else []
        else:
            raise Wrong(f"Unknown option '{word}'")

    # ---- what the rows of the table say is done ----

    def do_phase(self, option, name, value, rest):
        self.phase = PHASES[name]
        self.rdc = self.rdc or name in ("-dc", "--device-c")
        if self.phase == "depend":
            self.depend.append("-MM" if name in ("-MM", "--generate-nonsystem-dependencies") else "-M")

    def do_output(self, option, name, value, rest):
        self.output = value

    def do_odir(self, option, name, value, rest):
        self.odir = value

    def do_language(self, option, name, value, rest):
        if value not in ("cu", "c", "c++"):
            raise Wrong(f"'{value}': expected a language of c, c++, cu")
        self.language = value
        self.inputs = [(path, value if language else language) for path, language in self.inputs]

    def do_file(self, option, name, value, rest):
        rest[:0] = [word for path in parted(value, False) for word in read_file(path)]

    def do_arch(self, option, name, value, rest):
        self.arch = value

    def do_code(self, option, name, value, rest):
        self.codes += parted(value, False)

    def do_gencode(self, option, name, value, rest):
        parts = dict(part.partition("=")[::2] for part in parted(value.replace("[", "(").replace("]", ")"), False))
        if "arch" not in parts:
            raise Wrong(f"'-gencode {value}' names no arch")
        codes = parts.get("code", parts["arch"]).strip("()\"'")
        self.generated += [(parts["arch"], code) for code in codes.split(",")]

    def do_rdc(self, option, name, value, rest):
        self.rdc = value == "true"

    def do_both(self, option, name, value, rest):
        self.both.append(option.becomes.format(value))

    def do_both_list(self, option, name, value, rest):
        self.both += [option.becomes.format(part) for part in parted(value, False)]

    def do_include(self, option, name, value, rest):
        for part in parted(value, False):
            self.both += ["-include", part]

    def do_depend(self, option, name, value, rest):
        self.depend.append(option.becomes)

    def do_depend_value(self, option, name, value, rest):
        self.depend += [option.becomes, value]

    def do_std(self, option, name, value, rest):
        self.std = value

    def do_level(self, option, name, value, rest):
        self.level = value

    def do_dopt(self, option, name, value, rest):
        self.dopt = value == "on"

    def do_host(self, option, name, value, rest):
        self.host.append(option.becomes)
        self.link.append(option.becomes)

    def do_device_debug(self, option, name, value, rest):
        self.debug = True

    def do_lineinfo(self, option, name, value, rest):
        self.lines = True

    def do_fast(self, option, name, value, rest):
        self.math.update({"ftz": True, "prec-div": False, "prec-sqrt": False, "fmad": True, "fast": True})

    def truth(self, option, name, value):
        if value not in ("true", "false"):
            raise Wrong(f"'{name}={value}': true or false")
        self.math[option.does] = value == "true"

    def do_ftz(self, option, name, value, rest):
        self.truth(option, name, value)

    do_prec_div = do_prec_sqrt = do_fmad = do_ftz

    def do_ptxas(self, option, name, value, rest):
        self.ptxas += [option.becomes.format(value)] if "{}" in option.becomes else parted(value, True)

    def do_usage(self, option, name, value, rest):
        self.ptxas.append("-v")

    def do_define(self, option, name, value, rest):
        self.both.append("-D" + option.becomes.split(":")[0])

    def do_stream(self, option, name, value, rest):
        self.stream = value

    def do_compiler(self, option, name, value, rest):
        words = parted(value, True)
        if "-Wl" in words:  # whose commas are no ends
            at = words.index("-Wl")
            words[at:] = [",".join(words[at:])]
        while words:
            word = words.pop(0)
            if word in SHARED_FLAGS and words:
                self.both += [word, words.pop(0)]
            elif word.startswith("-std="):
                self.std = self.std or word[5:]
            elif word.startswith(SHARED_FLAGS):
                self.both.append(word)
            elif word.startswith("-Wl,"):
                self.link.append(word)
            else:
                self.host.append(word)
                self.link += [word] if word.startswith(("-pthread", "-fopenmp", "-fsanitize", "-static", "-m", "-pg", "-p", "-fPI", "-flto")) else []

    def do_linker(self, option, name, value, rest):
        self.link += [word for part in parted(value, True) for word in ("-Xlinker", part)]

    def do_archive(self, option, name, value, rest):
        self.archive += parted(value, True)

    def do_ccbin(self, option, name, value, rest):
        self.ccbin = value

    def do_arbin(self, option, name, value, rest):
        self.arbin = value

    def do_link(self, option, name, value, rest):
        self.link.append(option.becomes)

    def do_link_list(self, option, name, value, rest):
        self.link += [option.becomes.format(part) for part in parted(value, False)]

    def do_library(self, option, name, value, rest):
        for part in parted(value, False):
            self.inputs.append((part if part.endswith((".a", ".so")) and "/" in part else "-l" + part, ""))

    def do_cudart(self, option, name, value, rest):
        self.cudart = value

    def do_werror(self, option, name, value, rest):
        self.both += ["-Werror"] if "all-warnings" in value else []

    def do_verbose(self, option, name, value, rest):
        self.verbose = True

    def do_dryrun(self, option, name, value, rest):
        self.dryrun = True

    def do_keep(self, option, name, value, rest):
        self.keep = True

    def do_run(self, option, name, value, rest):
        self.run = True

    def do_run_args(self, option, name, value, rest):
        self.run_args += parted(value, True)

    def do_forward(self, option, name, value, rest):
        self.forward = True

    def do_ask(self, option, name, value, rest):
        self.asks = name

    def do_cannot(self, option, name, value, rest):
        self.cannot.append(f"{name}: clang cannot {option.becomes}")

    def do_fallback(self, option, name, value, rest):
        self.fallback = True
        self.words.remove("--fallback")

    def do_profile(self, option, name, value, rest):
        self.profile = value

    def do_off(self, option, name, value, rest):
        self.off = True

    def do_device(self, option, name, value, rest):
        self.device.append(option.becomes.format(value))

    def do_remark(self, option, name, value, rest):
        self.remarks.append(f"{name}={value}")

    def do_skip(self, option, name, value, rest):
        pass
