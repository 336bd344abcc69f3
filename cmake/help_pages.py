"""Manual pages and bash completions, made from what the programs say of themselves by --help.

    help_pages.py VERSION FOLDER PROGRAM...     writes FOLDER/man1/NAME.1 and FOLDER/completions/NAME of each program
"""
import os
import re
import subprocess
import sys

WHAT = {
    "coalda-clang": "clang with the COALDA plugin, for CUDA programs",
    "coalda-nvcc": "nvcc's command line over clang with the COALDA plugin",
    "coalda-profile": "merge, check and show profiles of CUDA kernels",
    "coalda-report": "report the memory accesses of CUDA device code",
    "coalda-sim": "run CUDA device code on the CPU",
    "coalda-tune": "decide by measuring how each kernel is rewritten",
}


def escaped(line):
    """A line of text as roff has it: a leading point or apostrophe would be a request."""
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line.startswith((".", "'")) else line


def page(name, text, version):
    lines = [f'.TH {name.upper()} 1 "" "COALDA {version}" "COALDA"', ".SH NAME", f"{escaped(name)} \\- {escaped(WHAT.get(name, 'a program of COALDA'))}",
             ".SH DESCRIPTION", ".nf", *map(escaped, text.rstrip().split("\n")), ".fi", ""]
    return "\n".join(lines)


def completion(name, text):
    """Options where a word begins with -, else files; an option that takes a value ends in =."""
    options = sorted(set(re.findall(r"(?<![\w-])(--[a-z][\w-]*=?)", text)))
    options = [o for o in options if o + "=" not in options]
    function = "_" + name.replace("-", "_")
    return f"""# bash completion for {name}
{function}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}}
  COMPREPLY=()
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '{' '.join(options)}' -- "$word")
    if [[ ${{COMPREPLY[0]:-}} == *= ]]; then compopt -o nospace; fi
  fi
}}
complete -o default -o bashdefault -F {function} {name}
"""


def main(version, folder, *programs):
    for program in programs:
        name = os.path.basename(program)
        done = subprocess.run([program, "--help"], stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, "COLUMNS": "100"})
        for kind, path, text in (("man1", f"{name}.1", page(name, done.stdout, version)), ("completions", name, completion(name, done.stdout))):
            os.makedirs(os.path.join(folder, kind), exist_ok=True)
            with open(os.path.join(folder, kind, path), "w", encoding="utf-8") as file:
                file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
