"""What coalda-tune found, as a table in text and as a page."""
import html
import shutil
import subprocess

STYLE = """body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color-scheme: light dark }
table { border-collapse: collapse; width: 100% } th, td { padding: .3em .7em; text-align: right; border-bottom: 1px solid #8884 }
th:first-child, td:first-child, th:last-child, td:last-child { text-align: left; overflow-wrap: anywhere } tfoot td { font-weight: 600 }
.bar { display: inline-block; height: .6em; background: #4a8fd0 } .wrong { color: #c33 }"""
LONGEST = 60     # of names in text; the page has all of them
HEAD = ("kernel", "launches", "before, ms", "after, ms", "gain", "choice")


def demangled(names):
    """As the source has them, without parameters, where there is a program that knows."""
    program = next(filter(None, map(shutil.which, ("llvm-cxxfilt-22", "llvm-cxxfilt", "c++filt"))), None)
    if not program or not names:
        return {name: name for name in names}
    done = subprocess.run([program, "-p"], input="\n".join(names), capture_output=True, text=True)
    lines = done.stdout.split("\n")
    return {name: line or name for name, line in zip(names, lines)} if not done.returncode else {name: name for name in names}


def gain(before, after):
    return f"{before / after:.2f}x" if after else "-"


def aligned(lines, left):
    """Columns in text, flush left where `left` says so."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return ["  ".join(cell.ljust(width) if i in left else cell.rjust(width) for i, (cell, width) in enumerate(zip(line, widths))).rstrip()
            for line in lines]


def expected(kernels):
    """Of --dry-run."""
    names = demangled([kernel.name for kernel in kernels])
    lines = [("kernel", "launches", "measured, ms", "expected, ms", "gain", "choice", "why")]
    for kernel in kernels:
        after = ("?", "?") if kernel.after is None else (f"{kernel.after:.3f}", gain(kernel.before, kernel.after))
        lines.append((shortened(names[kernel.name]), str(kernel.launches), f"{kernel.before:.3f}", *after, kernel.choice or "-", kernel.why))
    before, after = (sum(times) for times in zip(*((k.before, k.before if k.after is None else k.after) for k in kernels)))
    lines.append(("all kernels", str(sum(k.launches for k in kernels)), f"{before:.3f}", f"{after:.3f}", gain(before, after), "", ""))
    return "\n".join(aligned(lines, (0, 5, 6)))


def rows(kernels):
    names = demangled([kernel.name for kernel in kernels])
    return [(names[kernel.name], str(kernel.launches), f"{kernel.before:.3f}", f"{kernel.after:.3f}", gain(kernel.before, kernel.after),
             kernel.choice) for kernel in kernels]


def shortened(name):
    return name if len(name) <= LONGEST else name[:LONGEST - 3] + "..."


def text(kernels, whole):
    """whole: (what, before, after, unit) of the program."""
    lines = [HEAD, *((shortened(row[0]), *row[1:]) for row in rows(kernels))]
    out = [*aligned(lines, (0, len(HEAD) - 1)), ""]
    out += [f"{what}: {before:.3f} {unit} before, {after:.3f} after, {gain(before, after)}" for what, before, after, unit in whole]
    return "\n".join(out)


def bars(kernel):
    most = max(max(times) for times in kernel.times.values())
    parts = [f"{html.escape(variant)} {min(times):.3f} to {max(times):.3f} ms<br><span class=bar style='width:{100 * min(times) / most:.0f}%'></span>"
             for variant, times in kernel.times.items()]
    return "<br>".join(parts)


def page(title, kernels, whole, notes):
    cells = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[:-1]) +
                    f"<td><details><summary>{html.escape(row[-1])}</summary>{bars(kernel)}</details></td></tr>\n"
                    for row, kernel in zip(rows(kernels), kernels))
    foot = "".join(f"<tr><td>{html.escape(what)}, {unit}</td><td></td><td>{before:.3f}</td><td>{after:.3f}</td><td>{gain(before, after)}</td><td></td></tr>\n"
                   for what, before, after, unit in whole)
    told = "".join(f"<p class={'wrong' if is_wrong else 'note'}>{html.escape(note)}</p>\n" for is_wrong, note in notes)
    return (f"<!doctype html>\n<html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'><title>{html.escape(title)}</title>\n"
            f"<style>{STYLE}</style>\n<h1>{html.escape(title)}</h1>\n<p>Of each kernel all launches, without COALDA and as it was decided; "
            f"a choice opens what each variant took.</p>\n{told}"
            f"<table><thead><tr>{''.join(f'<th>{cell}</th>' for cell in HEAD)}</tr></thead>\n<tbody>{cells}</tbody><tfoot>{foot}</tfoot></table></html>\n")
