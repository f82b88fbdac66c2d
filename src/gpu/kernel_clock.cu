// SPDX-License-Identifier: Apache-2.0
//
// Times every kernel that a program launches with <<<>>>, without a change to its source: link this
// file and `-Xlinker --wrap=__cudaLaunchKernel`. At the end of the program the file that
// HEDDLE_KERNEL_TIMES names holds the milliseconds of each launch, one a line.
//
// A kernel that only waits runs ahead of each: the GPU has then raised its clock, and still waits
// when the host has queued the two events and the launch between them, so that the time from event
// to event is the kernel's and not the host's.
//
// HEDDLE_BLOCKS, as in "_Z4stepPfi@0=64" or "=16x8", launches one kernel in blocks of that size, as many
// as cover the same threads.
//
// It is compiled with the program's own flags, so it needs no more than C++14.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#if CUDART_VERSION < 13000
#error "before CUDA 13 launches do not go through __cudaLaunchKernel"
#endif

extern "C" cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                                 size_t shared, cudaStream_t stream);

namespace {

constexpr long long warmUpCycles = 40'000'000, headStartCycles = 1'000'000;

__global__ void wait(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess)
    return;
  std::fprintf(stderr, "kernel_clock: %s: %s\n", what, cudaGetErrorString(status));
  std::_Exit(3);
}

/// By the public function, which the linker does not wrap.
void launchWait(long long cycles, cudaStream_t stream) {
  void* arguments[] = {&cycles};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(wait), dim3(1024), dim3(32), arguments, 0, stream),
        "the waiting kernel");
}

std::vector<std::pair<cudaEvent_t, cudaEvent_t>> launches;

void report() {
  const char* path = std::getenv("HEDDLE_KERNEL_TIMES");
  std::FILE* file = path != nullptr ? std::fopen(path, "w") : stderr;
  check(file != nullptr ? cudaSuccess : cudaErrorInvalidValue, "HEDDLE_KERNEL_TIMES");
  for (const auto& launch : launches) {
    float milliseconds = 0;
    check(cudaEventSynchronize(launch.second), "a timed kernel");
    check(cudaEventElapsedTime(&milliseconds, launch.first, launch.second), "the clock");
    std::fprintf(file, "%.6f\n", milliseconds);
  }
  std::fclose(file);
}

cudaEvent_t recordEvent(cudaStream_t stream) {
  cudaEvent_t event;
  check(cudaEventCreate(&event), "an event");
  check(cudaEventRecord(event, stream), "an event");
  return event;
}

/// Whether HEDDLE_BLOCKS names this kernel; what it wants for it.
bool otherBlock(cudaKernel_t kernel, dim3& wanted) {
  const char* text = std::getenv("HEDDLE_BLOCKS");
  if (text == nullptr || *text == '\0')
    return false;
  const char* name = nullptr;
  check(cudaFuncGetName(&name, reinterpret_cast<const void*>(kernel)), "the name of a kernel");
  const std::string given(text);
  if (given.substr(0, given.find('@')) != name)
    return false;
  wanted = dim3(1, 1, 1);
  std::sscanf(given.c_str() + given.rfind('=') + 1, "%ux%ux%u", &wanted.x, &wanted.y, &wanted.z);
  return true;
}

unsigned covering(unsigned blocks, unsigned threads, unsigned wanted) {
  return static_cast<unsigned>((static_cast<unsigned long long>(blocks) * threads + wanted - 1) / wanted);
}

} // namespace

extern "C" cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                                 size_t shared, cudaStream_t stream) {
  if (launches.empty()) {
    std::atexit(report); // now that the runtime is up, so that it ends after us
    launchWait(warmUpCycles, stream);
  }
  dim3 wanted;
  if (otherBlock(kernel, wanted)) {
    grid = dim3(covering(grid.x, block.x, wanted.x), covering(grid.y, block.y, wanted.y), covering(grid.z, block.z, wanted.z));
    block = wanted;
  }
  launchWait(headStartCycles, stream);
  const cudaEvent_t begin = recordEvent(stream);
  const cudaError_t status = __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  launches.emplace_back(begin, recordEvent(stream));
  return status;
}
