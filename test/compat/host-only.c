/* A plain C file that uses the runtime API. */
#include <cuda_runtime_api.h>
#include <vector_types.h>

int allocate(void** out) {
  float4 sample = {1, 2, 3, 4};
  dim3 grid = {1, 1, 1};
  return cudaMalloc(out, sizeof sample * grid.x) == cudaSuccess ? 0 : 1;
}
