# SPDX-License-Identifier: Apache-2.0
"""One CUDA program of many kernels, each checked against a loop over its threads on the host.

It runs on the engine and, built by nvcc, on a GPU. Without arguments it runs all kernels; `FROM TO` names a part. It
prints a line for each kernel whose memory is not the host's, byte for byte, and PASS or FAIL at the end.
"""

WORDS = 8  # of memory, a thread

INCLUDES = """// Random kernels of Heddle's test/fuzz; they work on memory of each thread's own.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define BOTH __host__ __device__
"""

MACROS = """#ifdef __CUDA_ARCH__
#define LANES (blockDim.x - (threadIdx.x & ~31u) >= 32 ? ~0u : (1u << (blockDim.x & 31)) - 1)
#define BARRIER() __syncthreads()
#define WARP_BARRIER() __syncwarp(LANES)
#define ALWAYS() (__any_sync(LANES, true) && __all_sync(LANES, true) && __ballot_sync(LANES, true) == LANES)
#define SAME(value) __shfl_xor_sync(LANES, __shfl_xor_sync(LANES, value, 5), 5)
#define OWN(value) __shfl_sync(LANES, value, threadIdx.x & 31)
#else
#define BARRIER()
#define WARP_BARRIER()
#define ALWAYS() true
#define SAME(value) (value)
#define OWN(value) (value)
#endif
"""

KERNEL = """#define KERNEL(name) \\
  extern "C" __global__ void k##name(unsigned* memory, unsigned n) { \\
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x; \\
    body##name(memory + t * WORDS, t, n); \\
  }
"""

LAUNCH = """using Kernel = void (*)(unsigned*, unsigned);
#define LAUNCH(kernel, memory, n) kernel<<<BLOCKS, BLOCK>>>(memory, n)

constexpr unsigned WORDS = %(words)d, BLOCKS = %(blocks)d, BLOCK = %(block)d, THREADS = BLOCKS * BLOCK;
"""

TOUCH = """
BOTH __noinline__ inline bool touch(unsigned* m, unsigned x) {
  m[x & 7] += x | 1;
  return ((m[(x >> 3) & 7] >> 1) & 3) != 0;
}
"""

TAIL = """
struct Case {
  unsigned seed;
  Kernel kernel;
  void (*body)(unsigned*, unsigned, unsigned);
};

#define CASE(name) {name, k##name, body##name}
static const Case cases[] = {%(cases)s};

int main(int count, char** words) {
  constexpr unsigned size = THREADS * WORDS;
  static unsigned expected[size], found[size];
  unsigned* memory = nullptr;
  cudaMalloc((void**)&memory, sizeof found);
  const unsigned from = count > 2 ? atoi(words[1]) : 0, to = count > 2 ? atoi(words[2]) : %(count)d;
  unsigned failures = 0;
  for (unsigned i = from; i < to; ++i) {
    const unsigned n = cases[i].seed %% 31;
    for (unsigned k = 0; k < size; ++k) expected[k] = k %% 3 ? k * 2654435761u >> 9 : k;
    cudaMemcpy(memory, expected, sizeof expected, cudaMemcpyHostToDevice);
    LAUNCH(cases[i].kernel, memory, n);
    for (unsigned t = 0; t < THREADS; ++t) cases[i].body(expected + t * WORDS, t, n);
    const cudaError_t status = cudaMemcpy(found, memory, sizeof found, cudaMemcpyDeviceToHost);
    if (status == cudaSuccess && memcmp(found, expected, sizeof found) == 0) continue;
    ++failures;
    unsigned k = 0;
    while (k + 1 < size && found[k] == expected[k]) ++k;
    printf("k%%u: %%s, thread %%u, word %%u: %%08x, expected %%08x\\n", cases[i].seed, cudaGetErrorName(status),
           k / WORDS, k %% WORDS, found[k], expected[k]);
  }
  printf("%%s\\n", failures ? "FAIL" : "PASS");
  return failures ? 1 : 0;
}
"""


def functions(bodies):
    """`bodies`: code by seed; that of seed 7 defines `body7(unsigned* m, unsigned t, unsigned n)` for a thread."""
    return TOUCH + "".join(f"\n{code}KERNEL({seed})\n" for seed, code in bodies.items())


def text(bodies, blocks, block):
    """The whole program."""
    cases = ", ".join(f"CASE({seed})" for seed in bodies)
    return (INCLUDES + MACROS + KERNEL + LAUNCH % {"words": WORDS, "blocks": blocks, "block": block} +
            functions(bodies) + TAIL % {"cases": cases, "count": len(bodies)})


def device_text(bodies):
    """The kernels alone."""
    return (f"#define BOTH __device__\n{MACROS}{KERNEL}constexpr unsigned WORDS = {WORDS};\n" + functions(bodies))


def host_text(bodies):
    """What each thread of a kernel does, in plain C++."""
    names = "".join(f'extern "C" void body{seed}(unsigned*, unsigned, unsigned);\n' for seed in bodies)
    return ("#define BOTH\n#define __noinline__ __attribute__((noinline))\n#define KERNEL(name)\n" + MACROS + names +
            functions(bodies))
