// RUN: %heddle fix %s --only split-loop --line 8 --unproven | FileCheck-19 %s
//
// What both groups compute is copied, comments and pragmas go with their statements.

__global__ void sums(const float* a, const float* b, const float* c, float* out, int n, int stride) {
  float x = 0, y = 0;
#pragma unroll 1
  for (int i = 0, place = threadIdx.x; i < n; ++i, place += stride) {
    const int left = place + 1;
    // products
    x += a[left] * b[place];
    const float divisor = b[left]; // of the quotients
    y += c[place] / divisor;
  }
  out[threadIdx.x] = x - y;
}

// CHECK:          const int left = place + 1;
// CHECK-NEXT:      // products
// CHECK-NEXT:      x += a[left] * b[place];
// CHECK-NEXT: +  }
// CHECK-NEXT: +#pragma unroll 1
// CHECK-NEXT: +  for (int i = 0, place = threadIdx.x; i < n; ++i, place += stride) {
// CHECK-NEXT: +    const int left = place + 1;
// CHECK-NEXT:      const float divisor = b[left]; // of the quotients
// CHECK-NEXT:      y += c[place] / divisor;
// CHECK-NEXT:    }
