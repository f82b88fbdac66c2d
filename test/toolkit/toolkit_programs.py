# SPDX-License-Identifier: Apache-2.0
"""The programs of this folder: their files, their flags, and the tools that compile them."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess

FOLDER = pathlib.Path(__file__).resolve().parent
SOURCE = FOLDER.parent.parent
STORED = FOLDER / "stored.tar.xz"
ARCHITECTURE = "sm_90"
# What a run may say of memory that lies beside a variable; whole programs of another folder.
CHECKS = ["checks/variable-out-of-bounds", "checks/variable-far-out-of-bounds", "checks/variable-passed-out-of-bounds"]


def names():
    """Of all programs: a file of programs/, a folder of it, or a check of test/programs."""
    found = [file.stem for file in (FOLDER / "programs").glob("*.cu")]
    found += [file.parent.name for file in (FOLDER / "programs").glob("*/main.cu")]
    return sorted(found) + CHECKS


def files_of(name):
    if name in CHECKS:
        return [SOURCE / "test" / "programs" / f"{name}.cu"]
    one = FOLDER / "programs" / f"{name}.cu"
    return [one] if one.exists() else sorted((FOLDER / "programs" / name).glob("*.cu"))


def flags_of(name):
    found = re.search(r"^// FLAGS: (.*)$", files_of(name)[0].read_text(), re.MULTILINE)
    return found.group(1).split() if found else []


def name_of_source(text):
    """As test/toolkit/nvcc has it."""
    return hashlib.sha256(text).hexdigest()


def name_of_ptx(text):
    """As test/toolkit/ptxas has it."""
    return hashlib.sha256(f"-arch={ARCHITECTURE}".encode() + text).hexdigest()


def find_tool(name):
    """As heddle looks for it; nothing where there is none."""
    places = [os.environ[each] + "/bin" for each in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(each)]
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join([*places, "/usr/local/cuda/bin"]))
    return pathlib.Path(found).resolve() if found else None


def version_of(ptxas):
    """"release 13.0, V13.0.88": what the machine code depends on. Nothing where it does not run."""
    said = subprocess.run([ptxas, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"release .*", said)
    return found.group(0).strip() if found else ""
