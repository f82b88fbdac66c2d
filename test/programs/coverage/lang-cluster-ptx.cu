// SPDX-License-Identifier: Apache-2.0
// COVERS: clusters, clusters: distributed shared memory, inline PTX
// Short addresses of shared memory in a cluster: mapa, getctarank and the accesses of
// shared::cluster, as programs write them for the other blocks' memory.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CK(x)                                                                                      \
  do {                                                                                             \
    cudaError_t s = (x);                                                                           \
    if (s != cudaSuccess) {                                                                        \
      printf("%s: %s\nFAIL\n", #x, cudaGetErrorString(s));                                         \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

#define BLOCKS 8
#define CLUSTER 4
#define NUMBERS 11

__device__ uint32_t shortAddress(const void* p) {
  return (uint32_t)__cvta_generic_to_shared(p);
}
__device__ uint32_t mapped(uint32_t address, uint32_t rank) {
  uint32_t result;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(result) : "r"(address), "r"(rank));
  return result;
}
__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
}

__global__ void __cluster_dims__(CLUSTER, 1, 1) exchange(uint32_t* out) {
  __shared__ uint32_t box[4];
  uint32_t rank, size, asked;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(asked));
  if (threadIdx.x < 4)
    box[threadIdx.x] = 0;
  meet();
  uint32_t next = mapped(shortAddress(box), (rank + 1) % size);
  uint32_t owner, own, before = 0, seen = 0;
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(next));
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(own) : "r"(shortAddress(box)));
  if (threadIdx.x == 0)
    asm volatile("st.shared::cluster.u32 [%0], %1;" : : "r"(next), "r"(rank + 10) : "memory");
  for (uint32_t to = 0; to < size; ++to)
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0+4], %1;"
                 :
                 : "r"(mapped(shortAddress(box), to)), "r"(1u)
                 : "memory");
  if (threadIdx.x == 0)
    asm volatile("atom.relaxed.cluster.shared::cluster.add.u32 %0, [%1+8], %2;"
                 : "=r"(before)
                 : "r"(next), "r"(rank + 1)
                 : "memory");
  meet();
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(seen) : "r"(next) : "memory");
  // The same by way of a generic address.
  uint64_t far, back;
  uint32_t inCluster, inBlock, again;
  asm("mapa.u64 %0, %1, %2;" : "=l"(far) : "l"(box), "r"((rank + 1) % size));
  asm("cvta.to.shared::cluster.u64 %0, %1;" : "=l"(back) : "l"(far));
  asm volatile("ld.shared::cluster.u32 %0, [%1+4];" : "=r"(again) : "r"((uint32_t)back) : "memory");
  asm("{ .reg .pred p; isspacep.shared::cluster p, %1; selp.u32 %0, 1, 0, p; }"
      : "=r"(inCluster)
      : "l"(far));
  asm("{ .reg .pred p; isspacep.shared::cta p, %1; selp.u32 %0, 1, 0, p; }"
      : "=r"(inBlock)
      : "l"(far));
  if (threadIdx.x == 0) {
    uint32_t* to = out + blockIdx.x * NUMBERS;
    to[0] = box[0], to[1] = box[1], to[2] = box[2], to[3] = before;
    to[4] = seen, to[5] = owner, to[6] = own, to[7] = asked;
    to[8] = again, to[9] = inCluster, to[10] = inBlock;
  }
  meet();
}

int main() {
  uint32_t *out, got[BLOCKS][NUMBERS];
  CK(cudaMalloc(&out, sizeof got));
  exchange<<<BLOCKS, 64>>>(out);
  CK(cudaGetLastError());
  CK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
  bool ok = true;
  for (uint32_t b = 0; b < BLOCKS; ++b) {
    uint32_t rank = b % CLUSTER, before = (rank + CLUSTER - 1) % CLUSTER;
    uint32_t want[NUMBERS] = {before + 10, 64 * CLUSTER,         before + 1, 0,
                              rank + 10,   (rank + 1) % CLUSTER, rank,       1,
                              64 * CLUSTER, 1, 0};
    for (int i = 0; i < NUMBERS; ++i)
      if (got[b][i] != want[i]) {
        printf("block %u, number %d: %u, expected %u\n", b, i, got[b][i], want[i]);
        ok = false;
      }
  }
  CK(cudaFree(out));
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
