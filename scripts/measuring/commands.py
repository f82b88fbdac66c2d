# SPDX-License-Identifier: Apache-2.0
"""Runs one of a program's sub-commands: measuring/PROGRAM_NAME.py is `PROGRAM NAME`, its first line says what it does."""

import importlib
import pathlib
import sys


def first_line(path):
    """Of the text that a file starts with."""
    return path.read_text().split('"""')[1].splitlines()[0]


def main(program, about):
    files = sorted(pathlib.Path(__file__).parent.glob(f"{program}_*.py"))
    known = {path.stem.removeprefix(f"{program}_"): path for path in files}
    if len(sys.argv) > 1 and sys.argv[1] in known:
        name = sys.argv.pop(1)
        sys.argv[0] = f"{program} {name}"
        sys.exit(importlib.import_module(f"measuring.{program}_{name}").main())
    lines = [about, "", f"usage: {program} COMMAND ...", ""]
    lines += [f"  {name:10}{first_line(path)}" for name, path in known.items()]
    lines += ["", f"'{program} COMMAND --help' says more of one."]
    if sys.argv[1:] in (["-h"], ["--help"]):
        print("\n".join(lines))
        sys.exit(0)
    found = f"unknown command '{sys.argv[1]}'" if len(sys.argv) > 1 else "no command"
    print(f"{program}: error: {found}; expected {', '.join(known)}", file=sys.stderr)
    sys.exit(2)
