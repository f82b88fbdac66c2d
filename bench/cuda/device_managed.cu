// SPDX-License-Identifier: Apache-2.0
//
// What the first touch of managed memory costs a kernel after the host has written or read it, by
// size and by how the kernel goes through it; what a prefetch or an advice saves; what the host
// pays for the way back; and pinned memory that kernels reach over the bus. Needs nothing but nvcc:
//
//   nvcc -O3 -std=c++17 -arch=native bench/cuda/device_managed.cu -o device_managed &&
//   ./device_managed
#include "device.cuh"

#include <chrono>
#include <cstring>
#include <functional>

namespace {

__global__ void readAll(const int* data, std::size_t count, int* sink) {
  int sum = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * blockDim.x)
    sum += data[i];
  if (sum == 1234567)
    *sink = sum;
}

__global__ void changeAll(int* data, std::size_t count) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * blockDim.x)
    data[i] = data[i] * 2 + 1;
}

/// One word of each 4 KiB, in an order without a pattern.
__global__ void readPages(const int* data, std::size_t count, int* sink) {
  const std::size_t pages = count / 1024, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pages && data[(i * 7919 + 13) % pages * 1024] == 1234567)
    *sink = 1;
}

double microsecondsOf(const std::function<void()>& work) {
  CHECK(cudaDeviceSynchronize());
  const auto begin = std::chrono::steady_clock::now();
  work();
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin)
      .count();
}

/// The median of a few times, each after the host has prepared the memory.
double medianOf(const std::function<void()>& prepare, const std::function<void()>& work) {
  std::vector<double> samples;
  for (int repeat = 0; repeat < 7; ++repeat) {
    CHECK(cudaDeviceSynchronize());
    prepare();
    samples.push_back(microsecondsOf(work));
  }
  return device::median(samples);
}

void measure(std::size_t bytes, int* sink) {
  int* data = nullptr;
  CHECK(cudaMallocManaged(&data, bytes));
  const std::size_t count = bytes / sizeof(int);
  volatile int got = 0;
  const int blocks = int(std::min<std::size_t>((count + 255) / 256, 132 * 8));
  const auto hostWrites = [&] { std::memset(data, 1, bytes); };
  const auto hostReads = [&] {
    for (std::size_t i = 0; i < count; i += 1024)
      got = got + data[i];
  };
  const auto hostReadsOne = [&] { got = got + data[count / 2]; };
  const auto hostWritesOne = [&] { data[count / 2] = 1; };
  const auto nobody = [] {};
  const auto reads = [&] { readAll<<<blocks, 256>>>(data, count, sink); };
  const auto changes = [&] { changeAll<<<blocks, 256>>>(data, count); };
  const auto pages = [&] {
    readPages<<<int((count / 1024 + 255) / 256), 256>>>(data, count, sink);
  };
  const auto say = [&](const char* what, double microseconds) {
    std::printf("%9.2f MiB  %-44s %10.1f us\n", double(bytes) / (1 << 20), what, microseconds);
  };
  cudaMemLocation there{};
  there.type = cudaMemLocationTypeDevice;
  there.id = 0;
  say("reads, nobody touched it", medianOf(nobody, reads));
  say("reads, host wrote all", medianOf(hostWrites, reads));
  say("changes, nobody touched it", medianOf(nobody, changes));
  say("changes, host wrote all", medianOf(hostWrites, changes));
  say("changes, host read all after the last change", medianOf(hostReads, changes));
  say("reads, host read all", medianOf(hostReads, reads));
  say("changes, host read a word", medianOf(hostReadsOne, changes));
  say("changes, host wrote a word", medianOf(hostWritesOne, changes));
  say("reads a word of each page, host wrote all", medianOf(hostWrites, pages));
  say("prefetch, host wrote all",
      medianOf(hostWrites, [&] { CHECK(cudaMemPrefetchAsync(data, bytes, there, 0, 0)); }));
  say("changes after prefetch", medianOf(
                                    [&] {
                                      hostWrites();
                                      CHECK(cudaMemPrefetchAsync(data, bytes, there, 0, 0));
                                      CHECK(cudaDeviceSynchronize());
                                    },
                                    changes));
  changes();
  say("host reads a word of each page back", medianOf(
                                                 [&] {
                                                   changes();
                                                   CHECK(cudaDeviceSynchronize());
                                                 },
                                                 hostReads));
  say("host writes all back", medianOf(
                                  [&] {
                                    changes();
                                    CHECK(cudaDeviceSynchronize());
                                  },
                                  hostWrites));
  CHECK(cudaMemAdvise(data, bytes, cudaMemAdviseSetReadMostly, there));
  say("reads, read mostly, host wrote all", medianOf(hostWrites, reads));
  say("reads, read mostly, host read all", medianOf(hostReads, reads));
  CHECK(cudaFree(data));
  int* pinned = nullptr;
  CHECK(cudaHostAlloc(&pinned, bytes, cudaHostAllocMapped));
  std::memset(pinned, 1, bytes);
  say("reads pinned memory",
      medianOf(nobody, [&] { readAll<<<blocks, 256>>>(pinned, count, sink); }));
  say("changes pinned memory",
      medianOf(nobody, [&] { changeAll<<<blocks, 256>>>(pinned, count); }));
  CHECK(cudaFreeHost(pinned));
}

/// The first touch of memory that nobody has written.
void measureFresh(std::size_t bytes) {
  std::vector<double> samples;
  for (int repeat = 0; repeat < 5; ++repeat) {
    int* data = nullptr;
    CHECK(cudaMallocManaged(&data, bytes));
    samples.push_back(
        microsecondsOf([&] { changeAll<<<132 * 8, 256>>>(data, bytes / sizeof(int)); }));
    CHECK(cudaFree(data));
  }
  std::printf("%9.2f MiB  %-44s %10.1f us\n", double(bytes) / (1 << 20), "changes, new memory",
              device::median(samples));
}

} // namespace

int main() {
  auto* sink = device::array<int>(1);
  for (const std::size_t kilobytes : {4, 64, 256, 1024, 2048, 4096, 8192, 16384, 65536, 262144}) {
    measure(kilobytes << 10, sink);
    measureFresh(kilobytes << 10);
  }
}
