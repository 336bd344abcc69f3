"""The architectures that -arch, -code and -gencode ask for: what is assembled for which, and where PTX goes along."""
import re
import subprocess
import sys

DEFAULT = "75"                                  # as nvcc 13
MAJOR = ["75", "80", "90", "100", "120"]
ALL = ["75", "80", "86", "87", "89", "90", "100", "103", "120", "121"]


def number(name, wrong):
    match = re.fullmatch(r"(sm|compute|lto)_(\d+[af]?)", name.strip())
    if not match or match[1] == "lto":
        raise wrong(f"clang makes no code for '{name}'")
    return match[1], match[2]


def of_this_machine():
    """What nvidia-smi says of the GPUs that are here."""
    try:
        said = subprocess.run(["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"], capture_output=True, text=True).stdout
    except OSError:
        said = ""
    found = sorted({line.replace(".", "").strip() for line in said.splitlines() if re.fullmatch(r"\d+\.\d", line.strip())})
    if not found:
        print("nvcc warning : Cannot find valid GPU for '-arch=native', default arch is used", file=sys.stderr)
    return found


def wanted(command, wrong):
    """Numbers to assemble for, and those of them whose PTX goes along; in the order in which they are asked for."""
    pairs = list(command.generated)
    if command.arch in ("native",):
        here = of_this_machine()
        pairs += [("", "sm_" + n) for n in here] or [("", "sm_" + DEFAULT), ("", "compute_" + DEFAULT)]
    elif command.arch in ("all", "all-major"):
        names = ALL if command.arch == "all" else MAJOR
        pairs += [("", "sm_" + n) for n in names] + [("", "compute_" + names[-1])]
    elif command.arch or not pairs:
        arch = command.arch or "sm_" + DEFAULT
        codes = command.codes or ([arch] if arch.startswith("compute_") else [arch, arch.replace("sm_", "compute_")])
        pairs += [(arch, code) for code in codes]
    real, virtual = [], []
    for _, code in pairs:
        kind, n = number(code, wrong)
        if n not in real:
            real.append(n)
        if kind == "compute" and n not in virtual:
            virtual.append(n)
    return real, virtual
