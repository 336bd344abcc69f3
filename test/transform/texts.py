"""What the plugin says, and the code that it leaves: each file is read and cut up once, however many cases ask."""
import collections
import hashlib
import re

Remark = collections.namedtuple("Remark", "passed name field words")
WORD = re.compile(r"^  - (\w+): +'?(.*?)'?$", re.M)
NAME = re.compile(r"^Name: +(\w+)$", re.M)
END = re.compile(r"^\}", re.M)
NUMBERS = re.compile(r"(?:, )?!\S+|#\d+| *; preds = .*")
DEFINED = re.compile(r"define [^\n]*@(\w+)\(")


def remarks_of(path):
    """{kernel: its remarks}"""
    found = collections.defaultdict(list)
    with open(path) as f:
        chunks = ("\n" + f.read()).split("\n--- ")[1:]
    for words in chunks:
        field, name = dict(WORD.findall(words)), NAME.search(words)
        found[field.get("Kernel")].append(Remark(words.startswith("!Passed"), name and name[1], field, words))
    return found


class Module:
    """The code of one module, by function."""

    def __init__(self, path):
        with open(path) as f:
            text = f.read()
        self.key = hashlib.sha256(text.encode()).digest()
        self.bodies, self.kernels, others = {}, {}, []
        for piece in pieces(text):
            name, code = DEFINED.match(piece), without_numbers(piece)
            if name:
                self.bodies[name[1]] = piece
            if name and "ptx_kernel " in name[0]:
                self.kernels[name[1]] = code
            else:
                others.append(code)
        self.others = "".join(others)   # all else that a kernel may use

    def body(self, kernel):
        return self.bodies.get(kernel, "")


def pieces(text):
    """Variables, and functions that are defined."""
    at = 0
    while at < len(text):
        is_function = text.startswith("define ", at)
        found = END.search(text, at) if is_function else None
        end = found.end() if found else (text.find("\n", at) + 1 or len(text))
        if is_function or text[at] == "@":
            yield text[at:end]
        at = end


def without_numbers(text):
    """Without the numbers of metadata and of attributes, and what the printer says of predecessors."""
    return NUMBERS.sub("", text)


class Texts:
    """Modules and remarks by path; kernels whose code is the same before and after need not run again."""

    def __init__(self):
        self.modules = {}
        self.remarks = {}
        self.seen = set()

    def module(self, path):
        if path not in self.modules:
            self.modules[path] = Module(path)
        return self.modules[path]

    def told(self, path, kernel):
        if path not in self.remarks:
            self.remarks[path] = remarks_of(path)
        return self.remarks[path].get(kernel, [])

    def is_new(self, case, before, after, quick):
        code = tuple(part for module in map(self.module, (before, after))
                     for part in (module.kernels.get(case.kernel), module.others))
        new = not {(case, code, False), (case, code, quick)} & self.seen
        self.seen.add((case, code, quick))
        return new

    def is_changed(self, case, before, after):
        return self.module(before).kernels.get(case.kernel) != self.module(after).kernels.get(case.kernel)

    def is_new_module(self, path, arch):
        key = self.module(path).key, arch
        new = key not in self.seen
        self.seen.add(key)
        return new
