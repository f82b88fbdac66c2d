# SPDX-License-Identifier: Apache-2.0
"""Times of every configuration of the programs of bench/cuda/tune, all that `heddle tune` could pick.

usage: measure tune [FOLDER] OUTPUT.json [--only NAME]... [--seconds N]       needs nvcc and a GPU, no heddle
       measure tune [FOLDER] --check                                         builds only: needs nvcc, no GPU

FOLDER has the programs (default bench/cuda/tune, with its list programs.txt). Each becomes one program that has its kernel once for
each configuration (tune_space.py), built by nvcc -O3, all cores at a time. It times all of them in turns by events, ROUNDS times
some launches, so that a GPU that grows slower spares none; what a kernel needs of registers and local memory comes with it. Each program
is written as it ends, and those that OUTPUT.json has are not measured again. After N seconds (default 220) no further program starts.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from measuring import machine, tune_space
from measuring.machine import ROOT, tool

ROUNDS, LAUNCHES, LONGEST = 9, 4, 60
CLOCK = ROOT / "bench/cuda/tune/every_configuration.cuh"


def device_code(chunks, configuration):
    """The device functions of a program in one configuration."""
    threads = 1
    for part in str(configuration.get("block", configuration.get("set:BLOCK", 1))).split("x"):
        threads *= int(part)
    lines = []
    for number, line in chunks:
        if factor := configuration.get(f"unroll:{number}"):
            lines.append(f"#pragma unroll {factor}")
        if "bounds" in configuration:
            line = line.replace("__global__ void ", f"__global__ void __launch_bounds__({threads}, {configuration['bounds']}) ")
        if policy := configuration.get(f"policy:{number}"):
            line = re.sub(r"scheduled_loop<heddle::.*, (\d)>\(", rf"scheduled_loop<heddle::{policy}, \1>(", line)
        if when := configuration.get(f"regroup:{number}"):
            line = re.sub(r"regroup_when::\w+", f"regroup_when::{when}", line)
        lines.append(with_macros(line, configuration))
    return "\n".join(lines)


def with_macros(line, configuration):
    for word, value in configuration.items():
        if word.startswith("set:"):
            line = re.sub(rf"\b{word[4:]}\b", str(value), line)
    return line


def parts_of(text):
    """What comes before main: shared lines, and (number, line) of device functions; then main."""
    before, main = text.split("\nint main(", 1)
    shared, device, number = [], [], 1
    for chunk in before.split("\n\n"):
        lines = list(enumerate(chunk.splitlines(), number))
        (device if "__device__" in chunk or "__global__" in chunk else shared).extend(lines)
        number += len(lines) + 1
    return [line for _, line in shared], device, "int main(" + main


def at_comma(text):
    """Parts a list at its comma outside brackets."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter in "(<") - (letter in ")>")
        if letter == "," and depth == 0:
            return text[:at], text[at + 1:].strip()
    machine.stop(f"no two parts in a launch: {text}")


def expand(text, configurations):
    """The program that times all configurations."""
    shared, device, main = parts_of(text)
    head, launch = re.search(r"\n( *\w+<<<.*>>>\(.*\);)\n", main), None
    if not head:
        machine.stop("no launch of one line")
    kernel, shape, arguments = re.match(r" *(\w+)<<<(.*)>>>\((.*)\);", head[1]).groups()
    spaces, entries = {}, []
    for configuration in configurations:
        code = device_code(device, configuration)
        space = spaces.setdefault(code, f"c{len(spaces)}")
        grid, block = at_comma(with_macros(shape, configuration))
        wanted = f"dim3({configuration['block'].replace('x', ', ')})" if "block" in configuration else block
        entries.append(f'      {{"{tune_space.key_of(configuration)}", (const void*){space}::{kernel}, dim3({grid}), dim3({block}), '
                       f"dim3({wanted}), [&](dim3 g, dim3 b) {{ {space}::{kernel}<<<g, b>>>({arguments}); }}}},")
    launch = "  everyConfiguration({\n" + "\n".join(entries) + "\n  });\n" + head[1].replace(kernel, f"plain::{kernel}", 1)
    copies = [f"namespace {space} {{\n{code}\n}}" for code, space in spaces.items()]
    plain = "namespace plain {\n" + "\n".join(line for _, line in device) + "\n}\nusing namespace plain;"
    return "\n".join([*shared, '#include "every_configuration.cuh"', *copies, plain, main.replace(head[1], launch)]) + "\n"


def build(name, text, folder):
    """Why it does not compile; None: it does."""
    source = folder / f"{name}.cu"
    source.write_text(text)
    done = subprocess.run([tool("nvcc"), "-O3", "-arch=sm_90", "-std=c++17", "-w", "-I", CLOCK.parent, "-I",
                           ROOT / "cuda/include", "-o", folder / name, source], capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else (done.stderr + done.stdout)[-2000:]


def run(name, folder):
    """[{key, registers, local, blocks, nanoseconds}] and whether the program passed."""
    try:
        done = subprocess.run([folder / name], capture_output=True, text=True, check=False, timeout=LONGEST,
                              env={**os.environ, "TUNE_ROUNDS": str(ROUNDS), "TUNE_LAUNCHES": str(LAUNCHES)})
    except subprocess.TimeoutExpired:
        print(f"{name} does not end", file=sys.stderr)
        return [], False
    records = []
    for line in done.stdout.splitlines():
        if line.startswith("#"):
            key, registers, local, blocks, times = line[1:].split("\t")
            records.append({"key": key, "registers": int(registers), "local": int(local), "blocks": int(blocks),
                            "nanoseconds": [float(each) for each in times.split()]})
    return records, "PASS" in done.stdout.splitlines()


def measure(programs, output, folder, seconds, began):
    about = machine.describe()
    results = json.loads(output.read_text()) if output.exists() else {"machine": about, "programs": {}}
    wanted = {name: text for name, text in programs.items() if name not in results["programs"]}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, concurrent.futures.ThreadPoolExecutor(1) as gpu:
        def run_built(name, complaint):
            if complaint:
                print(f"{name} does not compile:\n{complaint}", file=sys.stderr)
            elif time.monotonic() - began < seconds:
                records, passed = run(name, folder)
                results["programs"][name] = {"passed": passed, "configurations": records}
                output.write_text(json.dumps(results) + "\n")
                print(f"{name}: {len(records)} configurations, {'passed' if passed else 'FAILED'}, "
                      f"{time.monotonic() - began:.0f} s", flush=True)
        built = {pool.submit(build, name, text, folder): name for name, text in wanted.items()}
        runs = [gpu.submit(run_built, built[each], each.result()) for each in concurrent.futures.as_completed(built)]
        for each in runs:
            each.result()
    missing = [name for name in programs if not results["programs"].get(name, {}).get("passed")]
    print(f"{sys.argv[0]}: {len(programs) - len(missing)} programs, wrote {output}" + (f"; not: {', '.join(missing)}" if missing else ""))
    return 1 if missing else 0


def check(programs, folder):
    """Builds each, one after the other, and says how long."""
    for name, text in programs.items():
        began = time.monotonic()
        complaint = build(name, text, folder)
        print(f"{name}: {complaint or f'{time.monotonic() - began:.0f} s'}", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition("\n\n")[0])
    parser.add_argument("paths", type=pathlib.Path, nargs="*")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=220)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    folders = options.paths if options.check else options.paths[:-1]
    if len(folders) > 1 or not options.check and not options.paths:
        parser.error("say where the times go")
    sources = folders[0] if folders else tune_space.FOLDER
    began = time.monotonic()
    programs = {}
    for name, _, macros in tune_space.listed(sources):
        if not options.only or name in options.only:
            text = (sources / f"{name}.cu").read_text()
            programs[name] = expand(text, list(tune_space.configurations(text, macros)))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        return check(programs, folder) if options.check else measure(programs, options.paths[-1], folder, options.seconds, began)
