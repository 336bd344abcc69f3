"""Gives each spare of a module, of which a part of the name is said, the name of its kernel, and its kernel another: so coalda-sim runs the spare."""
import re
import sys


def main():
    path, part = sys.argv[1:]
    with open(path) as f:
        text = f.read()
    spares = [name for name in re.findall(r'^define [^\n]*@"([^"]*\$coalda1\$[^"]*)"\(', text, re.M) if part in name]
    for spare in spares:
        kernel = spare.partition("$")[0]
        text = re.sub(rf"@{re.escape(kernel)}(?![\w.$])", f'@"{kernel}.beside"', text).replace(f'@"{spare}"', f"@{kernel}")
    sys.stdout.write(text)
    return 0 if spares else "no spare has that in its name"


if __name__ == "__main__":
    sys.exit(main())
