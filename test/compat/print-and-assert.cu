// printf and assert from the device.
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

// CHECK-LABEL: define {{.*}}@speak
// CHECK-DAG: call {{.*}}@vprintf
// CHECK-DAG: call {{.*}}@__assertfail
extern "C" __global__ void speak(int* data) {
  assert(data != nullptr && "a buffer");
  printf("thread %d of %d: %f\n", threadIdx.x, blockDim.x, 1.5);
}
