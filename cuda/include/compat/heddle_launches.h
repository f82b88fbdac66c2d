// SPDX-License-Identifier: Apache-2.0
//
// What CUDA 12's device code can ask of the runtime: launches of kernels, and what belongs to them.
// A child begins when the grid that launches it has ended; src/cudart/DeviceLaunches.h has the
// order. Names with CDP2 are those that nvcc's code calls, too.
#ifndef HEDDLE_COMPAT_LAUNCHES_H
#define HEDDLE_COMPAT_LAUNCHES_H

extern "C" {
__device__ void* __cudaCDP2GetParameterBufferV2(void* kernel, dim3 grid, dim3 block,
                                                unsigned int shared);
__device__ cudaError_t __cudaCDP2LaunchDeviceV2(void* parameters, cudaStream_t stream);
__device__ cudaError_t __cudaCDP2GetLastError(void);
__device__ cudaError_t __cudaCDP2PeekAtLastError(void);
}

static __inline__ __device__ void* cudaGetParameterBufferV2(void* kernel, dim3 grid, dim3 block,
                                                            unsigned int shared) {
  return __cudaCDP2GetParameterBufferV2(kernel, grid, block, shared);
}
static __inline__ __device__ cudaError_t cudaLaunchDeviceV2(void* parameters, cudaStream_t stream) {
  return __cudaCDP2LaunchDeviceV2(parameters, stream);
}

// The last error is the thread's own.
static __inline__ __device__ cudaError_t cudaGetLastError(void) {
  return __cudaCDP2GetLastError();
}
static __inline__ __device__ cudaError_t cudaPeekAtLastError(void) {
  return __cudaCDP2PeekAtLastError();
}
static __inline__ __device__ const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess                     ? "no error"
         : error == cudaErrorInvalidConfiguration ? "invalid configuration argument"
                                                  : "unrecognized error code";
}
static __inline__ __device__ const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaSuccess                     ? "cudaSuccess"
         : error == cudaErrorInvalidConfiguration ? "cudaErrorInvalidConfiguration"
                                                  : "unrecognized error code";
}

// Children run one after the other, in the order of their launches: no stream or event has more to
// say than that.
static __inline__ __device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream,
                                                                   unsigned int) {
  *stream = (cudaStream_t)0x100;
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t,
                                                             unsigned int = 0) {
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event,
                                                                  unsigned int) {
  *event = (cudaEvent_t)0x100;
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr) {
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}

static __inline__ __device__ cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
static __inline__ __device__ cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

// No thread waits for its children: what is to come behind them is a tail launch.
// The engine refuses this one where a kernel needs it.
extern "C" __device__ cudaError_t cudaDeviceSynchronize(void);

// Of the heap of device code.
static __inline__ __device__ cudaError_t cudaMalloc(void** memory, size_t size) {
  *memory = malloc(size);
  return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
template <class T> static __inline__ __device__ cudaError_t cudaMalloc(T** memory, size_t size) {
  return cudaMalloc((void**)memory, size);
}
static __inline__ __device__ cudaError_t cudaFree(void* memory) {
  free(memory);
  return cudaSuccess;
}

#if __cplusplus >= 201703L
template <class... Parameters> struct __heddle_launch {
  void (*kernel)(Parameters...);
  dim3 grid, block;
  unsigned int shared;
  cudaStream_t stream;

  // As CUDA lays parameters out: each at the next multiple of its alignment.
  __device__ __attribute__((always_inline)) void operator()(Parameters... arguments) const {
    char* buffer =
        (char*)__cudaCDP2GetParameterBufferV2((void*)kernel, grid, block, (unsigned int)shared);
    if (buffer == nullptr)
      return;
    size_t at = 0;
    ((at = (at + alignof(Parameters) - 1) / alignof(Parameters) * alignof(Parameters),
      __builtin_memcpy(buffer + at, &arguments, sizeof(Parameters)), at += sizeof(Parameters)),
     ...);
    __cudaCDP2LaunchDeviceV2(buffer, stream);
  }
};

template <class... Parameters>
__device__ __attribute__((always_inline)) __heddle_launch<Parameters...>
__heddle_launch_of(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared,
                   cudaStream_t stream) {
  return {kernel, grid, block, (unsigned int)shared, stream};
}

// Clang refuses a kernel's name in a device function, but not here.
template <auto Kernel> struct __heddle_kernel {
  static constexpr auto value = Kernel;
};

// `k<<<grid, block>>>(a)` of device code, which clang does not take, is __heddle_child<k>(grid,
// block)(a) for it: src/frontend/TextEdits.h.
template <auto Kernel>
__device__ __attribute__((always_inline)) auto
__heddle_child(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = nullptr) {
  return __heddle_launch_of(__heddle_kernel<Kernel>::value, grid, block, shared, stream);
}

// Where template arguments of the kernel follow from those of the launch: `pick` returns the kernel
// for them.
template <class Pick> struct __heddle_deduced_launch {
  Pick pick;
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;

  template <class... Arguments>
  __device__ __attribute__((always_inline)) void operator()(Arguments&&... arguments) const {
    __heddle_launch_of(pick(arguments...), grid, block, shared, stream)(arguments...);
  }
};

template <class Pick>
__device__ __attribute__((always_inline)) __heddle_deduced_launch<Pick>
__heddle_deduced(Pick pick, dim3 grid, dim3 block, size_t shared = 0,
                 cudaStream_t stream = nullptr) {
  return {pick, grid, block, shared, stream};
}
#endif

#endif
