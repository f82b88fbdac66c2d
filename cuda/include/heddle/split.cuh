// SPDX-License-Identifier: Apache-2.0
//
// Branch splitting: one kernel for each branch instead of one kernel in which every thread takes
// one of k branches. The kernel of a branch needs only that branch's registers, so that a lean
// branch is not held at the occupancy of a fat one; and after a partition no warp has threads of
// two branches.
//
//   for each i, one thread:      split_by_test        for each i: if (decide(i) == 0) first(i);
//     if (decide(i) == 0)                             for each i: if (decide(i) == 1) second(i);
//       first(i);           ==>
//     else                       split_by_partition   for each i of way 0: first(i);
//       second(i);                                    for each i of way 1: second(i);
//
//   heddle::split_by_partition(stream, n, Decide{mask}, First{in, out}, Second{in, out});
//
// `decide(i)` returns the number of a way, 0 to k - 1 for k branches, 2 to 8; i is a std::uint32_t.
// `decide` and the branches are functors, or device lambdas where nvcc is given --extended-lambda.
//
// Same results as the one kernel when the work on an index reads nothing that the work on another
// index writes: all of branch 0 runs before branch 1. All calls only add work to the stream: the
// host waits for nothing.
//
// split_by_test is Carrillo, Siegel and Li's form, "Impact analysis of conditional and loop
// statements for the NVIDIA G80 architecture", 2010. It makes no warp whole: a mixed warp runs in
// both kernels.
#pragma once

#include "partition.cuh"

namespace heddle {
namespace detail::splitting {

using std::uint32_t;

inline constexpr int threads = 256;
/// Four times what can be resident: enough to even out branches of unequal length, and few to start
/// in vain when a way has few indices.
inline constexpr uint32_t blocks_per_processor = 32;

template <class Decide, class Branch>
__global__ __launch_bounds__(threads) void run_if(Decide decide, Branch branch, uint32_t way,
                                                  uint32_t n) {
  const uint32_t index = blockIdx.x * threads + threadIdx.x;
  if (index < n && partitioning::way_of(decide, index) == way)
    branch(index);
}

/// How many indices there are is known only on the device, so the grid is as large as the GPU, and
/// strides.
template <class Branch>
__global__ __launch_bounds__(threads) void run_way(Branch branch, const uint32_t* indices,
                                                   const uint32_t* bounds) {
  const uint32_t end = bounds[1];
#pragma unroll 1 // the registers are those of one turn
  for (uint32_t at = bounds[0] + blockIdx.x * threads + threadIdx.x; at < end;
       at += gridDim.x * threads)
    branch(indices[at]);
}

inline uint32_t blocks_for(std::size_t n) {
  return static_cast<uint32_t>((n + threads - 1) / threads);
}

inline cudaError_t grid_for(std::size_t n, uint32_t& blocks) {
  int device = 0, processors = 0;
  cudaError_t status = cudaGetDevice(&device);
  if (status == cudaSuccess)
    status = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const uint32_t most = static_cast<uint32_t>(processors) * blocks_per_processor;
  blocks = blocks_for(n) < most ? blocks_for(n) : most;
  return status;
}

} // namespace detail::splitting

/// Runs branch k for every index i below n with decide(i) == k: one kernel a branch over all
/// indices, in which the threads of other ways leave.
///
/// Needs a `decide` that answers the same each time, also after earlier branches have run: it is
/// called once a branch for every index. An index of no way is run by none.
/// Returns cudaErrorInvalidValue for n > max_indices, or what a launch returned.
template <class Decide, class... Branches>
cudaError_t split_by_test(cudaStream_t stream, std::size_t n, Decide decide, Branches... branches) {
  static_assert(2 <= sizeof...(Branches) && sizeof...(Branches) <= max_ways,
                "heddle: split_by_test takes 2 to 8 branches");
  namespace splitting = detail::splitting;
  if (n > max_indices)
    return cudaErrorInvalidValue;
  if (n == 0)
    return cudaSuccess;
  std::uint32_t way = 0;
  (splitting::run_if<<<splitting::blocks_for(n), splitting::threads, 0, stream>>>(
       decide, branches, way++, static_cast<std::uint32_t>(n)),
   ...);
  return cudaGetLastError();
}

/// Runs branch k for every index of way k: one kernel a branch, whose warps are full but for the
/// last.
///
/// Needs a partition whose workspace is alive until the kernels have run.
/// Guarantees each index to one thread; threads of a warp have neighbouring indices of one way, in
/// rising order.
template <int Ways, class... Branches>
cudaError_t for_each_way(cudaStream_t stream, const partition<Ways>& parts, Branches... branches) {
  static_assert(sizeof...(Branches) == Ways,
                "heddle: for_each_way takes one branch for each way of the partition");
  namespace splitting = detail::splitting;
  if (parts.n == 0)
    return cudaSuccess;
  std::uint32_t blocks = 0;
  if (const cudaError_t status = splitting::grid_for(parts.n, blocks); status != cudaSuccess)
    return status;
  int way = 0;
  (splitting::run_way<<<blocks, splitting::threads, 0, stream>>>(branches, parts.indices,
                                                                 parts.bounds + way++),
   ...);
  return cudaGetLastError();
}

/// Runs branch k for every index i below n with decide(i) == k: partitions the indices, then runs
/// each way. The workspace comes from the stream's memory pool (cudaMallocAsync); make_partition
/// and for_each_way do the same with a workspace of yours, and a partition used more than once.
///
/// Needs decisions below the number of branches.
/// Guarantees that `decide` is called once for every index, before any branch runs.
/// Returns cudaErrorInvalidValue for n > max_indices, or what an allocation or launch returned.
template <class Decide, class... Branches>
cudaError_t split_by_partition(cudaStream_t stream, std::size_t n, Decide decide,
                               Branches... branches) {
  constexpr int ways = sizeof...(Branches);
  static_assert(2 <= ways && ways <= max_ways, "heddle: split_by_partition takes 2 to 8 branches");
  if (n > max_indices)
    return cudaErrorInvalidValue;
  void* workspace = nullptr;
  cudaError_t status = cudaMallocAsync(&workspace, partition_bytes<ways>(n), stream);
  if (status != cudaSuccess)
    return status;
  partition<ways> parts;
  status = make_partition(stream, n, decide, workspace, parts);
  if (status == cudaSuccess)
    status = for_each_way(stream, parts, branches...);
  const cudaError_t freed = cudaFreeAsync(workspace, stream);
  return status != cudaSuccess ? status : freed;
}

} // namespace heddle
