// RUN: %refused fix %s --only schedule-iterations --line 6 --unproven > %t
// RUN: FileCheck-19 %s < %t
__global__ void walk(unsigned* a, int n) {
  unsigned x = a[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    switch (x % 9) {
    case 0: x += 1; break;
    case 1: x += 3; break;
    case 2: x += 5; break;
    case 3: x += 7; break;
    case 4: x += 9; break;
    case 5: x += 11; break;
    case 6: x += 13; break;
    case 7: x += 15; break;
    }
  }
  a[threadIdx.x] = x;
}

// CHECK: :6: schedule-iterations refused: the switch takes more than 8 ways [too-many-ways]
