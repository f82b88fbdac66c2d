# SPDX-License-Identifier: Apache-2.0
"""The machine that is measured: its GPU, its tools, its folder in results/."""

import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def stop(message):
    """Ends the program with 2: it could not run."""
    print(f"{sys.argv[0]}: error: {message}", file=sys.stderr)
    sys.exit(2)


def tool(name):
    """A program of the CUDA toolkit; NVCC, NCU and the like name another."""
    return os.environ.get(name.upper()) or shutil.which(name) or f"/usr/local/cuda/bin/{name}"


def output_of(*command, **options):
    """What a command prints; stops where it fails."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout
    except FileNotFoundError:
        stop(f"no {pathlib.Path(command[0]).name} on the PATH or in /usr/local/cuda/bin")
    except subprocess.CalledProcessError as failed:
        stop(f"{' '.join(map(str, command))} ended with {failed.returncode}:\n{failed.stdout}{failed.stderr}")


def commit():
    """HEDDLE_COMMIT, where the tree is no git repository."""
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False)
    return os.environ.get("HEDDLE_COMMIT") or done.stdout.strip() or stop(
        "no git repository here; say with HEDDLE_COMMIT which commit this is")


def describe():
    """GPU, driver, toolkit, date and commit: the fields that every record gets."""
    toolkit = re.search(r"release ([\d.]+)", output_of(tool("nvcc"), "--version")).group(1)
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                              text=True, check=True)
        gpu, driver = done.stdout.splitlines()[0].split(", ")
    except (OSError, subprocess.CalledProcessError, IndexError, ValueError):
        stop("no GPU: nvidia-smi lists none; measurements need one")
    return {"gpu": gpu, "driver": driver, "toolkit": toolkit, "date": f"{datetime.datetime.now(datetime.timezone.utc):%F}",
            "commit": commit()}


def slug(machine):
    """The GPU's folder in results/."""
    return re.sub(r"[^a-z0-9]+", "-", machine["gpu"].lower()).strip("-")
