// SPDX-License-Identifier: Apache-2.0
//
// The reduction of an array in device memory, by one kernel:
//
//   1. Blocks take tiles of the input in turn. Each thread reduces vectors of 16 bytes, a block
//      apart, all of a tile in flight at once. What lies before the first and behind the last whole
//      vector is read by single elements.
//   2. Each block reduces its threads' results and leaves one in the workspace.
//   3. The block that takes the last ticket reduces the blocks' results, in the order of blocks.
//
// Who adds what to what depends on the sizes alone, never on timing: equal input, equal bits.
#pragma once

#include "block_reduce.cuh"

#include <cstddef>

namespace heddle {

/// How the kernel of a device_reduce is cut.
template <int Threads, int Loads> struct reduce_tuning {
  static_assert(Threads % 32 == 0 && Threads >= 32 && Threads <= 1024,
                "heddle: reduce_tuning takes blocks of 1 to 32 whole warps");
  static_assert(Loads >= 1 && Loads <= 8, "heddle: reduce_tuning takes 1 to 8 loads");
  static constexpr int threads = Threads;
  static constexpr int loads = Loads;             // of each thread for a tile
  static constexpr int tile = Threads * Loads;    // vectors
  static constexpr int resident = 1024 / Threads; // blocks of a multiprocessor: 64 registers each
};

namespace detail {

constexpr int most_blocks = 8192; // results that a workspace has room for
constexpr int vector_bytes = 16;
constexpr int line_bytes = 128; // vectors begin on a line, so that no warp reads a line too many

template <class A> struct reduce_scratch {
  unsigned ticket; // 0 between calls
  alignas(vector_bytes) A results[most_blocks];
};

/// What one load brings: 16 bytes, or one element where elements do not fill them.
template <class T> struct vector_of {
  static constexpr int items = vector_bytes % sizeof(T) == 0 ? vector_bytes / sizeof(T) : 1;
  static constexpr bool is_wide = items * sizeof(T) == vector_bytes;
  T item[items];
};

/// The input: `scalars` single elements, of which `head` lie before the vectors and the rest
/// behind.
template <class T> struct reduce_input {
  const T* data;
  std::size_t head;
  std::size_t vectors;
  std::size_t scalars;
};

/// Finds the vectors. An array none of whose elements begins a line has no vectors.
template <class T> reduce_input<T> split_input(const T* data, std::size_t count) {
  std::size_t head = 0;
  if constexpr (vector_of<T>::is_wide) {
    const std::size_t past = reinterpret_cast<std::uintptr_t>(data) % line_bytes;
    const std::size_t missing = (line_bytes - past) % line_bytes;
    head = missing / sizeof(T);
    if (head > count || missing % sizeof(T) != 0)
      return {data, count, 0, count};
  }
  const std::size_t vectors = (count - head) / vector_of<T>::items;
  return {data, head, vectors, count - vectors * vector_of<T>::items};
}

#if defined(__CUDACC__) && !(defined(__clang__) && defined(__CUDA__))
/// What is read once should be the first to leave the caches.
__device__ inline uint4 load_streaming(const uint4* from) {
  return __ldcs(from);
}
/// Takes a number, 0 to last; the last one sets the ticket back to 0. What the block wrote before
/// is seen by who takes a later number.
__device__ inline unsigned take_ticket(unsigned* ticket, unsigned last) {
  unsigned number;
  asm volatile("atom.acq_rel.gpu.inc.u32 %0, [%1], %2;"
               : "=r"(number)
               : "l"(ticket), "r"(last)
               : "memory");
  return number;
}
#else // the same for compilers other than nvcc, by what they have: the hint changes no result
__device__ inline uint4 load_streaming(const uint4* from) {
  return *from;
}
__device__ inline unsigned take_ticket(unsigned* ticket, unsigned last) {
  __threadfence();
  const unsigned number = atomicInc(ticket, last);
  __threadfence();
  return number;
}
#endif

template <class T>
__device__ vector_of<T> load_vector(const T* __restrict__ vectors, std::size_t index) {
  vector_of<T> loaded;
  if constexpr (vector_of<T>::is_wide) {
    const uint4 bits = load_streaming(reinterpret_cast<const uint4*>(vectors) + index);
    memcpy(&loaded, &bits, vector_bytes);
  } else {
    loaded.item[0] = vectors[index];
  }
  return loaded;
}

/// Reduces the elements of a vector as a tree.
template <class T, class Op>
__device__ accumulator<T, Op> reduce_vector(const vector_of<T>& vector, Op op) {
  constexpr int items = vector_of<T>::items;
  accumulator<T, Op> results[items];
#pragma unroll
  for (int i = 0; i < items; ++i)
    results[i] = accumulation<T, Op>::widen(vector.item[i]);
#pragma unroll
  for (int width = items / 2; width > 0; width /= 2)
#pragma unroll
    for (int i = 0; i < width; ++i)
      results[i] = op(results[i], results[i + width]);
  return results[0];
}

/// Reduces a thread's vectors of a tile, as a tree: all of them, or those before `end`, the first
/// always.
template <class Tuning, bool Whole, class T, class Op>
__device__ accumulator<T, Op> reduce_tile(const T* at, std::size_t end, Op op) {
  constexpr int loads = Tuning::loads;
  const auto has = [end](int load) { return Whole || load * Tuning::threads < end; };
  vector_of<T> loaded[loads];
  accumulator<T, Op> results[loads];
#pragma unroll
  for (int i = 0; i < loads; ++i)
    if (has(i))
      loaded[i] = load_vector(at, i * Tuning::threads);
#pragma unroll
  for (int i = 0; i < loads; ++i)
    if (has(i))
      results[i] = reduce_vector(loaded[i], op);
#pragma unroll
  for (int width = 1; width < loads; width *= 2)
#pragma unroll
    for (int i = 0; i + width < loads; i += 2 * width)
      if (has(i + width))
        results[i] = op(results[i], results[i + width]);
  return results[0];
}

/// The single elements: threads of the grid take one each, rarely more.
template <class T> __device__ T load_scalar(const reduce_input<T>& in, std::size_t index) {
  constexpr std::size_t items = vector_of<T>::items;
  return in.data[index < in.head ? index : index + in.vectors * items];
}

/// Step 1: what this thread reads of the input. A thread that reads nothing returns a value that
/// nobody uses.
template <class Tuning, class T, class Op>
__device__ accumulator<T, Op> reduce_thread(const reduce_input<T>& in, Op op) {
  using A = accumulator<T, Op>;
  const std::size_t blocks = gridDim.x, block = blockIdx.x, thread = threadIdx.x;
  const T* vectors = in.data + in.head;
  A result{};
  bool any = false;
  const auto join = [&](A value) {
    result = any ? op(result, value) : value;
    any = true;
  };
  for (std::size_t i = block * Tuning::threads + thread; i < in.scalars;
       i += blocks * Tuning::threads)
    join(accumulation<T, Op>::widen(load_scalar(in, i)));
  std::size_t i = block * Tuning::tile + thread;
#pragma unroll 1
  for (; i + (Tuning::tile - Tuning::threads) < in.vectors; i += blocks * Tuning::tile)
    join(reduce_tile<Tuning, true>(vectors + i * vector_of<T>::items, 0, op));
  if (i < in.vectors)
    join(reduce_tile<Tuning, false>(vectors + i * vector_of<T>::items, in.vectors - i, op));
  return result;
}

/// How many threads of this block read anything: always the first ones.
template <class Tuning, class T> __device__ int valid_threads(const reduce_input<T>& in) {
  const auto behind = [](std::size_t count, std::size_t before) {
    const std::size_t most = Tuning::threads;
    return count <= before ? 0 : count - before < most ? count - before : most;
  };
  const std::size_t before = std::size_t{blockIdx.x} * Tuning::threads;
  const std::size_t vectors = behind(in.vectors, before * Tuning::loads);
  const std::size_t scalars = behind(in.scalars, before);
  return static_cast<int>(vectors > scalars ? vectors : scalars);
}

/// Step 2: leaves the block's result and takes a ticket. True for all threads of the last block.
template <class A> __device__ bool leave_result(A result, reduce_scratch<A>& scratch) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    scratch.results[blockIdx.x] = result;
    is_last = take_ticket(&scratch.ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  return is_last;
}

/// Step 3: the results of all blocks, each thread those a block's width apart.
template <int Threads, class A, class Op>
__device__ A reduce_blocks(const reduce_scratch<A>& scratch,
                           block_reduce_storage<A, Threads>& storage, Op op) {
  const int blocks = static_cast<int>(gridDim.x);
  const int thread = static_cast<int>(threadIdx.x);
  A result{};
  if (thread < blocks)
    result = scratch.results[thread];
  for (int i = thread + Threads; i < blocks; i += Threads)
    result = op(result, scratch.results[i]);
  return block_reduce(result, storage, op, blocks < Threads ? blocks : Threads);
}

/// How many blocks must find registers. Elements larger than a vector take as many as they need.
template <class Tuning, class T>
constexpr int resident_blocks = sizeof(vector_of<T>) <= vector_bytes ? Tuning::resident : 1;

template <class Tuning, class T, class Op>
__global__ void __launch_bounds__(Tuning::threads, resident_blocks<Tuning, T>)
    reduce_kernel(reduce_input<T> in, T* out, Op op, T init,
                  reduce_scratch<accumulator<T, Op>>* scratch) {
  using wide = accumulation<T, Op>;
  using A = accumulator<T, Op>;
  __shared__ block_reduce_storage<A, Tuning::threads> storage;
  const int valid = valid_threads<Tuning>(in);
  A result = block_reduce(reduce_thread<Tuning>(in, op), storage, op, valid);
  if (gridDim.x > 1) {
    if (!leave_result(result, *scratch))
      return;
    result = reduce_blocks(*scratch, storage, op);
  }
  if (threadIdx.x == 0)
    *out = valid == 0 ? init : wide::narrow(op(wide::widen(init), result));
}

/// The most blocks of which each has something to read.
template <class Tuning, class T> std::size_t useful_blocks(const reduce_input<T>& in) {
  const std::size_t forVectors = (in.vectors + Tuning::tile - 1) / Tuning::tile;
  const std::size_t forScalars = (in.scalars + Tuning::threads - 1) / Tuning::threads;
  return forVectors > forScalars ? forVectors : forScalars;
}

/// Launches with `blocks` blocks, or fewer where so many have nothing to do.
template <class Tuning, class T, class Op>
cudaError_t launch_reduce(const reduce_input<T>& in, T* out, Op op, T init, void* workspace,
                          std::size_t blocks, cudaStream_t stream) {
  std::size_t grid = useful_blocks<Tuning>(in);
  grid = blocks < grid ? blocks : grid;
  grid = most_blocks < grid ? most_blocks : grid;
  grid = grid == 0 ? 1 : grid;
  auto* scratch = static_cast<reduce_scratch<accumulator<T, Op>>*>(workspace);
  reduce_kernel<Tuning>
      <<<static_cast<unsigned>(grid), Tuning::threads, 0, stream>>>(in, out, op, init, scratch);
  return cudaPeekAtLastError();
}

/// Tiles of 32 KiB, four on a multiprocessor at a time: several times what bandwidth times latency
/// asks for, so that blocks may end at different times. More blocks than are resident only add
/// starts and results to join.
using default_tuning = reduce_tuning<256, 8>;

inline cudaError_t multiprocessors(int& count) {
  int device = 0;
  const cudaError_t status = cudaGetDevice(&device);
  return status != cudaSuccess
             ? status
             : cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
}

} // namespace detail

/// Bytes of device memory that device_reduce over elements of type T works in, whatever their
/// number.
template <class T> constexpr std::size_t reduce_workspace_bytes() {
  const std::size_t plain = sizeof(detail::reduce_scratch<T>);
  const std::size_t wide = sizeof(detail::reduce_scratch<typename detail::wide<T>::type>);
  return plain > wide ? plain : wide;
}

/// Owns a workspace for device_reduce over elements of type T: memory of the stream, ready for use.
/// Reductions that share it must follow one another, as those of one stream do.
template <class T> class reduce_workspace {
public:
  explicit reduce_workspace(cudaStream_t stream = nullptr) : stream_(stream) {
    status_ = cudaMallocAsync(&data_, reduce_workspace_bytes<T>(), stream);
    if (status_ == cudaSuccess)
      status_ = cudaMemsetAsync(data_, 0, sizeof(unsigned), stream);
  }
  reduce_workspace(const reduce_workspace&) = delete;
  reduce_workspace& operator=(const reduce_workspace&) = delete;
  ~reduce_workspace() {
    if (data_ != nullptr)
      static_cast<void>(cudaFreeAsync(data_, stream_));
  }
  [[nodiscard]] cudaError_t status() const { return status_; }
  [[nodiscard]] void* data() const { return data_; }

private:
  cudaStream_t stream_;
  void* data_ = nullptr;
  cudaError_t status_;
};

/// Sets *out to init joined with all `count` elements from `in` on; to init if count is 0.
/// Needs: `in` and `out` in device memory, apart from each other, aligned as T is; op associative
/// and commutative; `workspace` as made by reduce_workspace<T>, or device memory of
/// reduce_workspace_bytes<T>() bytes, aligned to 16, whose first word is 0 (each call leaves it
/// so), used by one reduction at a time. Guarantees: ordered as a kernel launch in `stream`; no
/// synchronisation, no allocation. half and bfloat16 are reduced in float by plus, minimum and
/// maximum, and rounded once. The bits of the result depend on the elements, their number, the
/// position of `in` in its line of 128 bytes, and the device's multiprocessors; they are the same
/// in every run.
template <class T, class Op>
[[nodiscard]] cudaError_t device_reduce(const T* in, std::size_t count, T* out, Op op, T init,
                                        void* workspace, cudaStream_t stream) {
  static_assert(detail::is_plain<T>,
                "heddle: device_reduce takes types that are trivial to copy and to construct");
  int processors = 0;
  const cudaError_t status = detail::multiprocessors(processors);
  if (status != cudaSuccess)
    return status;
  const std::size_t blocks = std::size_t(processors) * detail::default_tuning::resident;
  return detail::launch_reduce<detail::default_tuning>(detail::split_input(in, count), out, op,
                                                       init, workspace, blocks, stream);
}

/// The same with a workspace of its own, allocated and freed in the order of the stream.
template <class T, class Op>
[[nodiscard]] cudaError_t device_reduce(const T* in, std::size_t count, T* out, Op op, T init,
                                        cudaStream_t stream = nullptr) {
  const reduce_workspace<T> workspace(stream);
  return workspace.status() != cudaSuccess
             ? workspace.status()
             : device_reduce(in, count, out, op, init, workspace.data(), stream);
}

} // namespace heddle
