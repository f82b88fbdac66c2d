// SPDX-License-Identifier: Apache-2.0
// COVERS: device properties, cudaDeviceGetAttribute, cudaDriverGetVersion, cudaMemGetInfo
// Prints what a device query prints, and checks that properties and attributes agree.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

static int wrong = 0;
static void expect(bool ok, const char* what) {
  if (!ok) {
    printf("unexpected: %s\n", what);
    ++wrong;
  }
}
static int attribute(cudaDeviceAttr a, int device) {
  int v = -1;
  if (cudaDeviceGetAttribute(&v, a, device) != cudaSuccess)
    ++wrong;
  return v;
}

int main() {
  int count = 0, driver = 0, runtime = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    puts("There are no available device(s) that support CUDA\nFAIL");
    return 1;
  }
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  expect(runtime == CUDART_VERSION || runtime >= 11000, "runtime version");
  expect(driver >= 11000, "driver version");
  for (int d = 0; d < count; ++d) {
    expect(cudaSetDevice(d) == cudaSuccess, "cudaSetDevice");
    cudaDeviceProp p;
    expect(cudaGetDeviceProperties(&p, d) == cudaSuccess, "cudaGetDeviceProperties");
    size_t freeBytes = 0, total = 0;
    expect(cudaMemGetInfo(&freeBytes, &total) == cudaSuccess, "cudaMemGetInfo");
    printf("Device %d: \"%s\"\n", d, p.name);
    printf("  CUDA Driver Version / Runtime Version          %d.%d / %d.%d\n", driver / 1000,
           driver % 100 / 10, runtime / 1000, runtime % 100 / 10);
    printf("  CUDA Capability Major/Minor version number:    %d.%d\n", p.major, p.minor);
    printf("  Total amount of global memory:                 %.0f MBytes (%zu bytes)\n",
           p.totalGlobalMem / 1048576.0, p.totalGlobalMem);
    printf("  (%03d) Multiprocessors\n", p.multiProcessorCount);
    printf("  GPU Max Clock rate:                            %.0f MHz\n",
           attribute(cudaDevAttrClockRate, d) * 1e-3);
    printf("  Memory Bus Width:                              %d-bit\n", p.memoryBusWidth);
    printf("  L2 Cache Size:                                 %d bytes\n", p.l2CacheSize);
    printf(
        "  Maximum Texture Dimension Size (x,y,z)         1D=(%d), 2D=(%d, %d), 3D=(%d, %d, %d)\n",
        p.maxTexture1D, p.maxTexture2D[0], p.maxTexture2D[1], p.maxTexture3D[0], p.maxTexture3D[1],
        p.maxTexture3D[2]);
    printf("  Total amount of constant memory:               %zu bytes\n", p.totalConstMem);
    printf("  Total amount of shared memory per block:       %zu bytes\n", p.sharedMemPerBlock);
    printf("  Total number of registers available per block: %d\n", p.regsPerBlock);
    printf("  Warp size:                                     %d\n", p.warpSize);
    printf("  Max dimension size of a thread block (x,y,z): (%d, %d, %d)\n", p.maxThreadsDim[0],
           p.maxThreadsDim[1], p.maxThreadsDim[2]);
    printf("  Max dimension size of a grid size    (x,y,z): (%d, %d, %d)\n", p.maxGridSize[0],
           p.maxGridSize[1], p.maxGridSize[2]);
    printf("  Concurrent copy and kernel execution:          %s with %d copy engine(s)\n",
           p.asyncEngineCount ? "Yes" : "No", p.asyncEngineCount);
    printf("  Device supports Unified Addressing (UVA):      %s\n",
           p.unifiedAddressing ? "Yes" : "No");
    printf("  Device PCI Domain ID / Bus ID / location ID:   %d / %d / %d\n", p.pciDomainID,
           p.pciBusID, p.pciDeviceID);
    expect(p.major >= 3 && p.name[0] != 0 && strlen(p.name) < sizeof p.name, "name and capability");
    expect(p.warpSize == 32 && attribute(cudaDevAttrWarpSize, d) == 32, "warp size");
    expect(p.multiProcessorCount > 0 &&
               p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount, d),
           "multiprocessors");
    expect(p.maxThreadsPerBlock == 1024 &&
               p.maxThreadsPerBlock == attribute(cudaDevAttrMaxThreadsPerBlock, d),
           "threads of a block");
    expect((int)p.sharedMemPerBlock == attribute(cudaDevAttrMaxSharedMemoryPerBlock, d) &&
               p.sharedMemPerBlock >= 48 * 1024,
           "shared memory");
    expect(p.maxGridSize[0] == 2147483647 && p.maxGridSize[1] == 65535 && p.maxThreadsDim[2] == 64,
           "dimensions");
    expect(p.major == attribute(cudaDevAttrComputeCapabilityMajor, d) &&
               p.minor == attribute(cudaDevAttrComputeCapabilityMinor, d),
           "capability");
    expect(p.regsPerBlock >= 32768 && p.totalConstMem == 65536 &&
               p.maxThreadsPerMultiProcessor >= 1024,
           "limits");
    expect(freeBytes > 0 && freeBytes <= total && total >= p.totalGlobalMem / 2, "memory");
    expect(attribute(cudaDevAttrClockRate, d) > 0 && p.l2CacheSize > 0, "clock and cache");
    char bus[32] = "";
    expect(cudaDeviceGetPCIBusId(bus, sizeof bus, d) == cudaSuccess && strchr(bus, ':') != nullptr,
           "bus id");
    int again = -1;
    expect(cudaDeviceGetByPCIBusId(&again, bus) == cudaSuccess && again == d, "device by bus id");
  }
  puts(wrong ? "FAIL" : "PASS");
  return wrong ? 1 : 0;
}
