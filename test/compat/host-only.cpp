// A plain C++ file that uses the runtime API.
#include <cuda_runtime.h>

#include <memory> // after ours: our macros must not meet libstdc++'s attributes

int allocate(float4** out) {
  return cudaMalloc(out, sizeof(float4)) == cudaSuccess ? 0 : 1;
}
