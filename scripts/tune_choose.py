"""Which variant of each kernel is fastest beyond noise, and whether all of them compute the same."""
import collections
import statistics

OFF = "off"
# A gain that is to be believed, beside that the slowest round of the one is faster than the fastest of the other.
LEAST_GAIN = 0.01
LEAST_GAIN_OF_FEW = 0.03    # of one round or two
MANY_ROUNDS = 3

Kernel = collections.namedtuple("Kernel", "name launches before after choice times")   # milliseconds of all launches; {variant: [of a round]}


def times_of(name, runs):
    """{variant: [milliseconds of all launches, a round each]}; launches are counted as in the first run of plain code, of shapes that all have."""
    plain = runs[OFF][0].get(name, {})
    shapes = set(plain)
    for rounds in runs.values():
        for run in rounds:
            shapes &= set(run.get(name, {}))
    return {variant: [sum(plain[shape].count * run[name][shape].median for shape in shapes) / 1e3 for run in rounds]
            for variant, rounds in runs.items()} if shapes else {}


def is_faster(one, other):
    """Beyond noise?"""
    rounds = min(len(one), len(other))
    gain = LEAST_GAIN if rounds >= MANY_ROUNDS else LEAST_GAIN_OF_FEW
    return max(one) < min(other) and statistics.median(one) < (1 - gain) * statistics.median(other)


def choose(times):
    """The first of the variants that the fastest is not faster than: plain code where it is among them."""
    best = min(times, key=lambda variant: statistics.median(times[variant]))
    return next(variant for variant in times if variant == best or not is_faster(times[best], times[variant]))


def kernels_of(runs, names):
    """runs: {variant: [{kernel: {Shape: Launch}}]}, plain code first. What takes longest comes first."""
    found = []
    for name in names:
        times = times_of(name, runs)
        if not times:
            continue
        choice = choose(times)
        launches = sum(launch.count for launch in runs[OFF][0][name].values())
        found.append(Kernel(name, launches, statistics.median(times[OFF]), statistics.median(times[choice]), choice, times))
    return sorted(found, key=lambda kernel: (-kernel.before, kernel.name))


def total(run):
    """Milliseconds of all kernels of a run."""
    return sum(launch.count * launch.median for launches in run.values() for launch in launches.values()) / 1e3


# ---- digests ----

def steady(one, other):
    """Places of copies whose digests are the same in two runs of plain code; None where the numbers of copies differ.
    A run is [[digest, ...] of each process]."""
    if [len(process) for process in one] != [len(process) for process in other]:
        return None
    return [(p, i) for p, process in enumerate(one) for i, digest in enumerate(process) if other[p][i] == digest]


def differences(plain, places, variant):
    """Places where the variant copied other bytes than plain code always does; None where there is nothing to compare."""
    if places is None or [len(process) for process in plain] != [len(process) for process in variant]:
        return None
    return [(p, i) for p, i in places if variant[p][i] != plain[p][i]]
