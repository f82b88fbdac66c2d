// SPDX-License-Identifier: Apache-2.0
//
// The groups that a launch makes: a block, a cluster and the grid, and the type that all groups
// become when a function takes any of them. Part of cooperative_groups.h.
#ifndef HEDDLE_COMPAT_GROUPS_H
#define HEDDLE_COMPAT_GROUPS_H

#define HEDDLE_GROUP static __inline__ __attribute__((always_inline, device))
#define HEDDLE_MEMBER __inline__ __attribute__((always_inline, device))
// A special register that clang has no builtin for on all architectures.
#define HEDDLE_REGISTER(name)                                                                      \
  ({                                                                                               \
    unsigned heddle_value;                                                                         \
    asm("mov.u32 %0, %%" name ";" : "=r"(heddle_value));                                           \
    heddle_value;                                                                                  \
  })

namespace cooperative_groups {
inline namespace __v1 {
namespace heddle {

HEDDLE_GROUP unsigned lane() {
  return __nvvm_read_ptx_sreg_laneid();
}
HEDDLE_GROUP unsigned blockThreads() {
  return blockDim.x * blockDim.y * blockDim.z;
}
HEDDLE_GROUP unsigned blockRank() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
HEDDLE_GROUP unsigned long long gridBlocks() {
  return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
}
HEDDLE_GROUP unsigned long long gridBlockRank() {
  return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

// All blocks of the grid. The counter's top bit turns over when the last one came: of n blocks one
// adds 2^31 - (n - 1) and each other 1. So it is ready for the next time, and the next launch.
HEDDLE_GROUP void syncGrid() {
  static __device__ unsigned arrived;
  __syncthreads();
  if (blockRank() == 0) {
    const unsigned others = (unsigned)gridBlocks() - 1;
    __threadfence();
    const unsigned before = atomicAdd(&arrived, gridBlockRank() == 0 ? 0x80000000u - others : 1u);
    while (((*(volatile unsigned*)&arrived ^ before) & 0x80000000u) == 0)
      ;
    __threadfence();
  }
  __syncthreads();
}

// A part of a block of more than a warp; each of its warps comes. Barrier 0 is the block's.
HEDDLE_GROUP void syncWarps(unsigned part, unsigned threads) {
  if (part > 14) {
    printf("cooperative_groups: a block has 16 tiles of 64 threads; Heddle has barriers for 15\n");
    __trap();
  }
  asm volatile("bar.sync %0, %1;" : : "r"(part + 1), "r"(threads) : "memory");
}

enum Kind { Block, Grid, Cluster, Lanes };

} // namespace heddle

// Any group. Those of lanes know which ones; mask_ is 0 for others.
class thread_group {
public:
  HEDDLE_MEMBER void sync() const {
    if (kind_ == heddle::Lanes)
      __syncwarp(mask_);
    else if (kind_ == heddle::Grid)
      heddle::syncGrid();
    else if (kind_ == heddle::Cluster)
      asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" : : : "memory");
    else
      __syncthreads();
  }
  HEDDLE_MEMBER unsigned long long num_threads() const {
    return kind_ == heddle::Lanes     ? __popc(mask_)
           : kind_ == heddle::Grid    ? heddle::gridBlocks() * heddle::blockThreads()
           : kind_ == heddle::Cluster ? HEDDLE_REGISTER("cluster_nctarank") * heddle::blockThreads()
                                      : heddle::blockThreads();
  }
  HEDDLE_MEMBER unsigned long long size() const { return num_threads(); }
  HEDDLE_MEMBER unsigned long long thread_rank() const {
    return kind_ == heddle::Lanes ? __popc(mask_ & ((1u << heddle::lane()) - 1))
           : kind_ == heddle::Grid
               ? heddle::gridBlockRank() * heddle::blockThreads() + heddle::blockRank()
           : kind_ == heddle::Cluster
               ? HEDDLE_REGISTER("cluster_ctarank") * heddle::blockThreads() + heddle::blockRank()
               : heddle::blockRank();
  }
  HEDDLE_MEMBER unsigned get_type() const { return kind_; }
  HEDDLE_MEMBER bool is_valid() const { return true; }

protected:
  HEDDLE_MEMBER thread_group(heddle::Kind kind, unsigned mask) : kind_(kind), mask_(mask) {}
  HEDDLE_MEMBER unsigned mask() const { return mask_; }

private:
  friend HEDDLE_MEMBER thread_group tiled_partition(const thread_group& parent, unsigned size);
  heddle::Kind kind_;
  unsigned mask_;
};

// Scratch that tiles of several warps are given; ours bring their own.
template <unsigned MaxBlockSize = 1024> struct block_tile_memory {
  unsigned char unused;
};

// What is arrived at is waited for by the barrier itself.
struct heddle_arrival {};

class thread_block : public thread_group {
public:
  typedef heddle_arrival arrival_token;
  HEDDLE_MEMBER thread_block() : thread_group(heddle::Block, 0) {}
  HEDDLE_GROUP void sync() { __syncthreads(); }
  HEDDLE_GROUP arrival_token barrier_arrive() { return {}; }
  HEDDLE_GROUP void barrier_wait(arrival_token&&) { __syncthreads(); }
  HEDDLE_GROUP unsigned thread_rank() { return heddle::blockRank(); }
  HEDDLE_GROUP unsigned num_threads() { return heddle::blockThreads(); }
  HEDDLE_GROUP unsigned size() { return heddle::blockThreads(); }
  HEDDLE_GROUP dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  HEDDLE_GROUP dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  HEDDLE_GROUP dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  HEDDLE_GROUP dim3 dim_threads() { return group_dim(); }
};

HEDDLE_GROUP thread_block this_thread_block() {
  return thread_block();
}
template <unsigned MaxBlockSize>
HEDDLE_GROUP thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return thread_block();
}

class grid_group : public thread_group {
public:
  typedef heddle_arrival arrival_token;
  HEDDLE_MEMBER grid_group() : thread_group(heddle::Grid, 0) {}
  HEDDLE_GROUP bool is_valid() { return true; }
  HEDDLE_GROUP void sync() { heddle::syncGrid(); }
  HEDDLE_GROUP arrival_token barrier_arrive() { return {}; }
  HEDDLE_GROUP void barrier_wait(arrival_token&&) { heddle::syncGrid(); }
  HEDDLE_GROUP unsigned long long thread_rank() {
    return heddle::gridBlockRank() * heddle::blockThreads() + heddle::blockRank();
  }
  HEDDLE_GROUP unsigned long long num_threads() {
    return heddle::gridBlocks() * heddle::blockThreads();
  }
  HEDDLE_GROUP unsigned long long size() { return num_threads(); }
  HEDDLE_GROUP unsigned long long block_rank() { return heddle::gridBlockRank(); }
  HEDDLE_GROUP unsigned long long num_blocks() { return heddle::gridBlocks(); }
  HEDDLE_GROUP dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  HEDDLE_GROUP dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  HEDDLE_GROUP dim3 group_dim() { return dim_blocks(); }
  HEDDLE_GROUP dim3 cluster_index() {
    return dim3(HEDDLE_REGISTER("clusterid.x"), HEDDLE_REGISTER("clusterid.y"),
                HEDDLE_REGISTER("clusterid.z"));
  }
  HEDDLE_GROUP dim3 dim_clusters() {
    return dim3(HEDDLE_REGISTER("nclusterid.x"), HEDDLE_REGISTER("nclusterid.y"),
                HEDDLE_REGISTER("nclusterid.z"));
  }
  HEDDLE_GROUP unsigned long long num_clusters() {
    const dim3 all = dim_clusters();
    return (unsigned long long)all.x * all.y * all.z;
  }
  HEDDLE_GROUP unsigned long long cluster_rank() {
    const dim3 index = cluster_index(), all = dim_clusters();
    return ((unsigned long long)index.z * all.y + index.y) * all.x + index.x;
  }
};

HEDDLE_GROUP grid_group this_grid() {
  return grid_group();
}

// The blocks of a cluster. A launch without clusters has clusters of one block.
class cluster_group : public thread_group {
public:
  typedef heddle_arrival arrival_token;
  HEDDLE_MEMBER cluster_group() : thread_group(heddle::Cluster, 0) {}
  HEDDLE_GROUP void sync() {
    asm volatile("barrier.cluster.arrive;" : : : "memory");
    asm volatile("barrier.cluster.wait;" : : : "memory");
  }
  HEDDLE_GROUP arrival_token barrier_arrive() {
    asm volatile("barrier.cluster.arrive;" : : : "memory");
    return {};
  }
  HEDDLE_GROUP void barrier_wait() { asm volatile("barrier.cluster.wait;" : : : "memory"); }
  HEDDLE_GROUP void barrier_wait(arrival_token&&) { barrier_wait(); }
  HEDDLE_GROUP unsigned query_shared_rank(const void* address) {
    unsigned rank;
    asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"((unsigned long long)address));
    return rank;
  }
  template <class T> HEDDLE_GROUP T* map_shared_rank(T* address, int rank) {
    unsigned long long mapped;
    asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"((unsigned long long)address), "r"(rank));
    return (T*)mapped;
  }
  HEDDLE_GROUP dim3 block_index() {
    return dim3(HEDDLE_REGISTER("cluster_ctaid.x"), HEDDLE_REGISTER("cluster_ctaid.y"),
                HEDDLE_REGISTER("cluster_ctaid.z"));
  }
  HEDDLE_GROUP unsigned block_rank() { return HEDDLE_REGISTER("cluster_ctarank"); }
  HEDDLE_GROUP dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  HEDDLE_GROUP unsigned thread_rank() {
    return block_rank() * heddle::blockThreads() + heddle::blockRank();
  }
  HEDDLE_GROUP dim3 dim_blocks() {
    return dim3(HEDDLE_REGISTER("cluster_nctaid.x"), HEDDLE_REGISTER("cluster_nctaid.y"),
                HEDDLE_REGISTER("cluster_nctaid.z"));
  }
  HEDDLE_GROUP unsigned num_blocks() { return HEDDLE_REGISTER("cluster_nctarank"); }
  HEDDLE_GROUP dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  HEDDLE_GROUP unsigned num_threads() { return num_blocks() * heddle::blockThreads(); }
  HEDDLE_GROUP unsigned size() { return num_threads(); }
};

HEDDLE_GROUP cluster_group this_cluster() {
  return cluster_group();
}

} // namespace __v1
} // namespace cooperative_groups

#endif
