"""What to try where there is no GPU: what kernels took, as a trace says it, and what the pass expects of its rewrites.

    module before LLVM's passes -> clang, plain          -> PTX \\
                                -> clang with the plugin -> PTX   > is the kernel's code another?
                                                         -> remarks -> what its accesses cost, and cost rewritten

The plugin is given the trace as its profile: it knows the launches of every kernel.
"""
import collections
import os
import re
import subprocess
import tempfile

import bench_model as model
import tune_choose as choose
import tune_profile as profile
import coalda_find as find
from tune_profile import Failure

ERROR_LINES = 5      # of a complaint that are shown

# Milliseconds of all launches; after is what the pass expects, None where its model has no figure.
Kernel = collections.namedtuple("Kernel", "name launches before after choice why")
Found = collections.namedtuple("Found", "bodies changed promise")     # of a kernel in the modules


def call(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode:
        said = (done.stderr or done.stdout).strip().split("\n")[:ERROR_LINES]
        raise Failure("\n".join([f"{os.path.basename(command[0])} ended with status {done.returncode}:", *said]))
    return done.stdout


def tools():
    """Where LLVM's programs are, and the plugin."""
    try:
        return find.llvm_bin(), find.plugin()
    except find.NotFound as e:
        raise Failure(str(e)) from None


# ---- modules ----

def target_of(module, llvm):
    """The architecture and the PTX version that the module was made for, as clang's flags."""
    text = call([os.path.join(llvm, "llvm-dis"), module, "-o", "-"] if not module.endswith(".ll") else ["cat", module])
    arch = re.search(r'"target-cpu"="(sm_\w+)"', text)
    if "nvptx64" not in text or not arch:
        raise Failure(f"{module} is no device code of CUDA: clang++ --cuda-device-only -Xclang -disable-llvm-passes -emit-llvm makes it")
    ptx = re.search(r'"target-features"="[^"]*(\+ptx\d+)', text)
    return [f"-march={arch.group(1)}"] + (["-Xclang", "-target-feature", "-Xclang", ptx.group(1)] if ptx else [])


def entries(ptx):
    """{kernel: its code}"""
    parts = re.split(r"^\s*(?:\.visible |\.weak )?\.entry (\S+?)\(", re.sub(r"//.*", "", ptx), flags=re.M)
    return {name: " ".join(code.split("\n}")[0].split()) for name, code in zip(parts[1::2], parts[2::2])}


def is_changed(before, after, promise):
    """The kernel's own code, or that of a function that it calls."""
    return before != after or bool(promise and promise["rewrites"])


def compiled(module, llvm, plugin, trace, work):
    """(PTX plain, PTX with the plugin, remarks)"""
    clang = [os.path.join(llvm, "clang++"), "-x", "ir", "--target=nvptx64-nvidia-cuda", "-O3", "-nogpulib", "-w", *target_of(module, llvm),
             "-S", module]
    paths = [os.path.join(work, name) for name in ("plain.ptx", "coalda.ptx", "remarks.yaml")]
    call([*clang, "-o", paths[0]])
    call([*clang, "-o", paths[1], f"-fpass-plugin={plugin}", "-mllvm", f"-coalda-profile={trace}",
          f"-foptimization-record-file={paths[2]}", "-foptimization-record-passes=coalda"])
    return paths


def bodies_of(module):
    """{kernel: [hash]}"""
    found = {}
    for line in call([find.built_file("coalda-profile"), "hash", module]).split("\n"):
        words = line.split()
        if words[:1] == ["kernel"]:
            found.setdefault(words[1], []).append(words[2])
    return found


def text_of(path):
    if not os.path.exists(path):
        return ""
    with open(path, errors="replace") as f:
        return f.read()


def found_in(modules, trace, llvm, plugin):
    """{kernel: Found}"""
    found = {}
    for module in modules:
        if not os.path.exists(module):
            raise Failure(f"there is no {module}")
        with tempfile.TemporaryDirectory() as work:
            plain, coalda, remarks = compiled(module, llvm, plugin, trace, work)
            before, after = entries(text_of(plain)), entries(text_of(coalda))
            promises = model.promises_of(remarks, model.costs()) if text_of(remarks) else {}
        for name, bodies in bodies_of(module).items():
            linked = next((linked for linked in before if linked == name or linked.startswith(name + "__intern__")), name)
            others = found.get(name, Found([], False, None))    # a file's own kernels may be called alike
            found[name] = Found(others.bodies + bodies, others.changed or is_changed(before.get(linked), after.get(linked), promises.get(linked)),
                                others.promise or promises.get(linked))
    return found


# ---- decisions ----

def proposal(found):
    """(decision, part of the time that is expected to be left, why)"""
    if not found.changed:
        return choose.OFF, 1, "nothing is rewritten"
    promise = found.promise
    if promise and promise["rewrites"]:
        gain = promise["gain"]
        if gain < 1 + choose.LEAST_GAIN:
            return choose.OFF, 1, "rewritten for next to nothing"
        return "default", 1 / gain, "accesses cost less" + (", and a ring" if promise["rings"] else "")
    return "default", None, "a ring" if promise and promise["rings"] else "rewritten; the model has no figure of it"


def before_of(name, decided, found):
    """What stands in the trace already, unless it is of another body."""
    return next((decision for (kernel, body), decision in decided.items()
                 if kernel == name and (not body or name not in found or body in found[name].bodies)), None)


def said_of(name, decided):
    """Bodies of a kernel that no module has."""
    return [body for kernel, body in decided if kernel == name] or [None]


def kernels_of(launches, decided, found):
    """What takes longest comes first."""
    kernels = []
    for name, shapes in launches.items():
        before = sum(launch.count * launch.median for launch in shapes.values()) / 1e3
        count = sum(launch.count for launch in shapes.values())
        if before_of(name, decided, found):
            choice, left, why = before_of(name, decided, found), 1, "decided before"
        elif name not in found:
            choice, left, why = None, 1, "in none of the modules"
        else:
            choice, left, why = proposal(found[name])
        kernels.append(Kernel(name, count, before, None if left is None else before * left, choice, why))
    return sorted(kernels, key=lambda kernel: (-kernel.before, kernel.name))


def run(traces, modules, out):
    """The kernels; the profile is written."""
    read = [profile.read(path) for path in traces]
    launches = profile.merged(kernels for kernels, _ in read)
    if not any(launches.values()):
        raise Failure(f"{traces[0]} holds no launch: libcoalda-trace.so writes such lines (docs/profiles.md)")
    llvm, plugin = tools()
    decided = {key: decision for path in traces for key, decision in profile.decisions(path).items()}
    found = found_in(modules, os.path.abspath(traces[0]), llvm, plugin)
    kernels = kernels_of({name: shapes for name, shapes in launches.items() if shapes}, decided, found)
    comments = list(dict.fromkeys(comment for _, some in read for comment in some))
    entries_ = [(kernel.name, body, kernel.choice, launches[kernel.name]) for kernel in kernels
                for body in (found[kernel.name].bodies if kernel.name in found else said_of(kernel.name, decided))]
    profile.write(out, [*comments, "# proposed by coalda-tune --dry-run, not measured"], entries_,
                  profile.united(profile.arguments(path) for path in traces))
    return kernels
