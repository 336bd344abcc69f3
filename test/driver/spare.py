"""Says of each spare in a PTX file whether it is what its kernel is in another one, or what else it does, and its launch bounds."""
import re
import sys

MARK = "$coalda1$"


def kernels(path):
    with open(path) as f:
        found = re.findall(r"^(?:\.visible |\.weak )*\.entry ([\w$]+)\((.*?)^}", f.read(), re.S | re.M)
    return {name: body for name, body in found}


def code(name, body):
    """Without its name and that of its stack, labels by the order that they come in, and shared arrays, which stand outside where two kernels have them."""
    body = re.sub(rf"\b{re.escape(name)}_param", "param", body)
    body = re.sub(r"^[ \t]*\.shared .*;\n", "", body, flags=re.M)
    body = re.sub(r"__local_depot\d+", "depot", body)
    labels = {}
    body = re.sub(r"[ \t]+$", "", re.sub(r"//.*", "", body), flags=re.M)
    return re.sub(r"\$L__BB\d+_\d+", lambda m: labels.setdefault(m[0], f"label{len(labels)}"), re.sub(r"\n\s*\n+", "\n", body))


def main():
    plain, both = map(kernels, sys.argv[1:])
    wrong = 0
    for name in both:
        if MARK not in name:
            continue
        was = name.partition(MARK)[0]
        one, other = code(was, plain[was]).splitlines(), code(name, both[name]).splitlines()
        same = "as it was" if one == other else "as it was, in another order" if sorted(one) == sorted(other) else ""
        if not same and "shfl" in both[name]:
            walks = re.search(r"ld\.global\S*\.v4", both[name])
            same = "by shuffles" if walks and "cp.async" in both[was] and "cp.async" not in both[name] else "as it was but for records"
        changed = code(was, plain[was]) != code(was, both[was])
        bounds = "".join(f", {b}" for b in re.findall(r"\.maxntid \d+", both[name]))
        print(f"{name}: {same or 'another one'}{bounds}{'' if changed else ', and so is the kernel'}")
        wrong |= not same or not changed
    return wrong


if __name__ == "__main__":
    sys.exit(main())
