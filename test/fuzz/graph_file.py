# SPDX-License-Identifier: Apache-2.0
"""Builds a program that runs random graphs on the engine and on the host, and compares: as kernel_file.py does, but
from LLVM IR. The device code is embedded and announced as `heddle run` has clang do it (docs/design/running.md)."""

import pathlib
import struct
import subprocess

import kernel_file
import random_graph

BLOCKS, BLOCK = 2, 96  # whole warps: votes name all lanes

HEAD = """#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

constexpr unsigned WORDS = %(words)d, BLOCKS = %(blocks)d, BLOCK = %(block)d, THREADS = BLOCKS * BLOCK;
struct dim3 { unsigned x, y, z; };
enum cudaError_t { cudaSuccess };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
extern "C" {
cudaError_t cudaMalloc(void**, size_t);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
const char* cudaGetErrorName(cudaError_t);
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, void*);
void** __cudaRegisterFatBinary(void*);
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*);
extern const char container[];
}
asm(".data\\n.balign 16\\n.globl container\\ncontainer:\\n.incbin \\"%(container)s\\"\\n.text\\n");
static struct { int magic, version; const void* data; void* unused; } wrapper = {0x466243b1, 1, container, nullptr};

struct Announced {
  void** handle = __cudaRegisterFatBinary(&wrapper);
} static announced;

struct Kernel {
  explicit Kernel(const char* name) {
    __cudaRegisterFunction(announced.handle, (const char*)this, nullptr, name, -1, 0, 0, 0, 0, 0);
  }
  void operator()(unsigned* memory, unsigned n) const {
    void* arguments[] = {&memory, &n};
    cudaLaunchKernel(this, {BLOCKS, 1, 1}, {BLOCK, 1, 1}, arguments, 0, nullptr);
  }
};
#define LAUNCH(kernel, memory, n) (*kernel)(memory, n)
"""


def program_text(seeds, container):
    head = HEAD % {"words": kernel_file.WORDS, "blocks": BLOCKS, "block": BLOCK, "container": container}
    graphs = "".join(f'extern "C" void body{seed}(unsigned*, unsigned, unsigned);\n'
                     f'static const Kernel k{seed}("k{seed}");\n' for seed in seeds)
    return head + graphs + kernel_file.tail(seeds, "const Kernel*", "&")


def build(heddle, seeds, passes, folder):
    """The program, its IR in device.ll and host.ll of the folder."""
    library = pathlib.Path(heddle).parent.parent / "lib"
    device, host = random_graph.modules(seeds)
    for name, text in (("device", device), ("host", host)):
        subprocess.run(["opt-19", f"-passes={passes}", "-S", "-o", str(folder / f"{name}.ll")], input=text, text=True,
                       check=True)
    subprocess.run(["llvm-as-19", str(folder / "device.ll"), "-o", str(folder / "device.bc")], check=True)
    code = (folder / "device.bc").read_bytes()
    (folder / "container").write_bytes(b"HEDDLEFB" + struct.pack("<Q", len(code)) + code)
    (folder / "main.cpp").write_text(program_text(seeds, folder / "container"))
    subprocess.run(["clang++-19", "-O1", "-w", str(folder / "main.cpp"), str(folder / "host.ll"), "-o",
                    str(folder / "program"), f"{library}/libheddle_cudart.so", f"-Wl,-rpath,{library}"], check=True)
    return folder / "program"


def extract(module, seed, file):
    """One kernel and what it calls, as `heddle profile` takes it."""
    subprocess.run(["llvm-extract-19", "-S", "--recursive", f"--func=k{seed}", str(module), "-o", str(file)],
                   check=True)
