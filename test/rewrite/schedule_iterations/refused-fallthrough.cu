// RUN: %refused fix %s --only schedule-iterations --line 6 --unproven > %t
// RUN: FileCheck-19 %s < %t
__global__ void walk(unsigned* a, int n) {
  unsigned x = a[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    switch (x % 3) {
    case 0:
      x += 1;
    case 1:
      x *= 3;
      break;
    default:
      x += 5;
    }
  }
  a[threadIdx.x] = x;
}

// CHECK: :6: schedule-iterations refused: the case in line 7 falls through into the next [fallthrough]
