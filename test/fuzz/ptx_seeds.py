#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Small PTX files for the fuzzer: each function of a file alone, with the heading and without lines for debuggers.

usage: ptx_seeds.py FOLDER FILE...

libFuzzer is as fast as its inputs are small. What a function needs of the others is not there any more; that is no error before it is run.
"""

import hashlib
import pathlib
import re
import sys

MOST = 4000  # bytes; longer functions are left out
HEADING = ".version 8.7\n.target sm_90\n.address_size 64\n"
FUNCTION = re.compile(r"^(?:\.(?:visible|weak|extern) )*\.(?:entry|func)\b.*?^\}", re.MULTILINE | re.DOTALL)
VARIABLE = re.compile(r"^(?:\.(?:visible|weak|extern) )*\.(?:global|shared|const) [^;{]*(?:\{[^}]*\})?;", re.MULTILINE)


def parts(text):
    text = re.sub(r"//.*|^\s*\.loc.*", "", text, flags=re.MULTILINE)
    text = re.sub(r"\n\s*\n+", "\n", text)
    yield from (found.group() for found in FUNCTION.finditer(text))
    yield from (found.group() for found in VARIABLE.finditer(text))


def main():
    folder = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:]:
        for part in parts(pathlib.Path(name).read_text()):
            if len(part) <= MOST:
                seed = (HEADING + part + "\n").encode()
                (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


main()
