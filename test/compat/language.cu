// Templates, lambdas, structs, static and dynamic shared memory, constant and device variables, launches.
#include <cuda_runtime.h>

__constant__ float coefficients[16];
__device__ int counter;
__device__ float table[64];

struct Particle {
  float3 position;
  int alive;
  __host__ __device__ bool isAlive() const { return alive != 0; }
};

template <class F> __device__ float apply(F f, float x) { return f(x); }

// CHECK-DAG: define {{.*}}@_Z9transformIfLi32EEvPT_PKS0_i
template <class T, int Block> __global__ void transform(T* out, const T* in, int n) {
  __shared__ T tile[Block];
  extern __shared__ unsigned char dynamic[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-DAG: llvm.nvvm.barrier0
  tile[threadIdx.x] = i < n ? in[i] : T(0);
  dynamic[threadIdx.x] = 1;
  __syncthreads();
  const float scale = coefficients[threadIdx.y];
  if (i < n)
    out[i] = apply([=](float x) { return x * scale; }, tile[Block - 1 - threadIdx.x]) +
             dynamic[threadIdx.x] + table[i % 64];
}

// CHECK-DAG: define {{.*}}@move
extern "C" __global__ void __launch_bounds__(256, 2) move(Particle* particles, int n, dim3 extent) {
  const dim3 block = blockDim;
  const uint3 thread = threadIdx;
  const int i = blockIdx.x * block.x + thread.x;
  if (i < n && particles[i].isAlive())
    particles[i].position.x += float(extent.x) + warpSize;
}

int main() {
  float* data = nullptr;
  cudaMalloc(&data, 1024);
  transform<float, 32><<<dim3(4, 1, 1), 32, 128>>>(data, data, 100);
  move<<<1, 2>>>(nullptr, 0, dim3(1));
  return cudaDeviceSynchronize();
}
