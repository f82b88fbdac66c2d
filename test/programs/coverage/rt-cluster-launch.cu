// SPDX-License-Identifier: Apache-2.0
// COVERS: clusters, clusters: distributed shared memory, cudaLaunchKernelEx
// COVERS: clusters: occupancy
// Launches that ask for clusters by an attribute: of one block to sixteen, in a captured graph, and
// those that are refused. Each block hands its number to the next one of its cluster.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define CK(x)                                                                                      \
  do {                                                                                             \
    cudaError_t s = (x);                                                                           \
    if (s != cudaSuccess) {                                                                        \
      printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(s));                                         \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define BLOCKS 48

__global__ void hand(int* out) {
  extern __shared__ int box[];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), size = cluster.num_blocks();
  cluster.sync();
  if (threadIdx.x == 0)
    *cluster.map_shared_rank(box, (rank + 1) % size) = (int)blockIdx.x;
  cluster.sync();
  if (threadIdx.x == 0)
    out[blockIdx.x] = box[0] * 100 + (int)size;
}

__global__ void __cluster_dims__(2) fixed(int* out) {
  if (threadIdx.x == 0)
    out[blockIdx.x] = (int)cg::this_cluster().num_blocks();
}

static bool ok = true;

void check(bool fine, const char* what, int number) {
  if (!fine) {
    printf("%s: %d\n", what, number);
    ok = false;
  }
}

struct Asked {
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute[1];

  Asked(int blocks, int x, int y, cudaStream_t stream = nullptr) {
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(64);
    config.dynamicSmemBytes = 64;
    config.stream = stream;
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = x;
    attribute[0].val.clusterDim.y = y;
    attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
  }
};

void compare(const int* device, int size) {
  std::vector<int> got(BLOCKS);
  CK(cudaMemcpy(got.data(), device, BLOCKS * sizeof(int), cudaMemcpyDeviceToHost));
  for (int b = 0; b < BLOCKS; ++b)
    check(got[b] == (b / size * size + (b + size - 1) % size) * 100 + size, "hand", got[b]);
  CK(cudaMemset((void*)device, 0, BLOCKS * sizeof(int)));
}

int main() {
  int* out;
  CK(cudaMalloc(&out, BLOCKS * sizeof(int)));
  const int sizes[] = {1, 2, 3, 4, 6, 8, 16};
  CK(cudaFuncSetAttribute(hand, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  for (int size : sizes) {
    Asked asked(BLOCKS, size, 1);
    if (size > 8) {
      check(cudaLaunchKernelEx(&asked.config, hand, out) == cudaErrorInvalidClusterSize,
            "more than eight blocks without a word", size);
      (void)cudaGetLastError();
      CK(cudaFuncSetAttribute(hand, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    }
    int active = 0;
    CK(cudaOccupancyMaxActiveClusters(&active, hand, &asked.config));
    check(active > 0, "active clusters", active);
    CK(cudaLaunchKernelEx(&asked.config, hand, out));
    compare(out, size);
  }
  Asked any(BLOCKS, 1, 1);
  int most = 0;
  CK(cudaOccupancyMaxPotentialClusterSize(&most, hand, &any.config));
  check(most == 16, "largest cluster", most);

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CK(cudaStreamCreate(&stream));
  CK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  Asked captured(BLOCKS, 4, 1, stream);
  CK(cudaLaunchKernelEx(&captured.config, hand, out));
  CK(cudaStreamEndCapture(stream, &graph));
  CK(cudaGraphInstantiate(&ready, graph, 0));
  CK(cudaGraphLaunch(ready, stream));
  CK(cudaStreamSynchronize(stream));
  compare(out, 4);

  fixed<<<4, 32>>>(out);
  CK(cudaGetLastError());
  int two = 0;
  CK(cudaMemcpy(&two, out, sizeof two, cudaMemcpyDeviceToHost));
  check(two == 2, "clusters of the kernel", two);
  cudaFuncAttributes attributes;
  CK(cudaFuncGetAttributes(&attributes, fixed));
  check(attributes.requiredClusterWidth == 2 && attributes.requiredClusterHeight == 1 &&
            attributes.requiredClusterDepth == 1,
        "required width", attributes.requiredClusterWidth);
  int has = 0;
  CK(cudaDeviceGetAttribute(&has, cudaDevAttrClusterLaunch, 0));
  check(has == 1, "cudaDevAttrClusterLaunch", has);

  Asked uneven(BLOCKS, 5, 1), large(BLOCKS * 2, 32, 1), flat(BLOCKS, 2, 2);
  for (Asked* asked : {&uneven, &large, &flat}) {
    cudaError_t status = cudaLaunchKernelEx(&asked->config, hand, out);
    check(status == cudaErrorInvalidClusterSize, "an impossible cluster", (int)status);
    (void)cudaGetLastError();
  }
  fixed<<<3, 32>>>(out);
  cudaError_t status = cudaGetLastError();
  check(status == cudaErrorInvalidClusterSize, "half a cluster", (int)status);
  CK(cudaDeviceSynchronize());
  CK(cudaGraphExecDestroy(ready));
  CK(cudaGraphDestroy(graph));
  CK(cudaStreamDestroy(stream));
  CK(cudaFree(out));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
