// RUN: %heddle fix %s --only regroup --line 16 --block 128,1,1 --unproven > %t.diff && FileCheck-19 %s < %t.diff
// RUN: cp %s %t.cu && patch -s %t.cu %t.diff
// RUN: %heddle run %s | grep result: > %t.before
// RUN: %heddle run %t.cu | grep result: > %t.after && diff %t.before %t.after
// SPDX-License-Identifier: Apache-2.0
//
// Threads differ in how often they go around. `continue` stays one, its step included; break and return end the
// loop for good.
#include <cstdio>

__global__ void collatz(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long value = i + 1;
  for (int turn = i % 3; value != 1 || turn < 2; ++turn) {
    if (value % 2 == 0) {
      value /= 2; // half
      continue;
    }
    if (turn == 300)
      break;
    if (value % 1001 == 999)
      return;
    value = 3 * value + 1;
    out[i] = turn;
  }
  out[i] += int(value);
}

int main() {
  const int n = 5000; // the last block is not full
  int* out;
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    out[i] = -1;
  collatz<<<(n + 127) / 128, 128>>>(out, n);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  unsigned hash = 0;
  int most = 0;
  for (int i = 0; i < n; ++i) {
    hash = hash * 31 + out[i];
    most = out[i] > most ? out[i] : most;
  }
  printf("result: %08x %d\n", hash, most);
}

// CHECK: +  const bool hasReturned = i >= n;
// CHECK-NEXT: +  unsigned long long value{};
// CHECK-NEXT: +  int turn{};
// CHECK-NEXT: +  if (!hasReturned) {
// CHECK-NEXT: +    value = i + 1;
// CHECK-NEXT: +    turn = i % 3;
// CHECK: +  struct State { int i; unsigned long long value; int turn; bool hasReturned; };
// CHECK-NEXT: +  State state{i, value, turn, hasReturned};
// CHECK-NEXT: +  heddle::regrouped_loop<128, 1, State, heddle::regroup_when::mixed, {{[0-9]+}}>(
// CHECK-NEXT: +      state,
// CHECK-NEXT: +      [&](State& state) {
// CHECK-NEXT: +        auto& [i, value, turn, hasReturned] = state;
// CHECK-NEXT: +        if (hasReturned)
// CHECK-NEXT: +          return heddle::done;
// CHECK-NEXT: +        return value != 1 || turn < 2 ? 0 : heddle::done;
// CHECK-NEXT: +      },
// CHECK-NEXT: +      [&](State& state) {
// CHECK-NEXT: +        auto& [i, value, turn, hasReturned] = state;
// CHECK-NEXT: +        for (int turn2 = 0; turn2 < [[STRIP:[0-9]+]] && (value != 1 || turn < 2); ++turn2, ++turn) {
// CHECK-NEXT: +          if (value % 2 == 0) {
// CHECK-NEXT: +            value /= 2; // half
// CHECK-NEXT: +            continue;
// CHECK-NEXT: +          }
// CHECK-NEXT: +          if (turn == 300)
// CHECK-NEXT: +            return heddle::flow::leave;
// CHECK-NEXT: +          if (value % 1001 == 999)
// CHECK-NEXT: +            { hasReturned = true; return heddle::flow::leave; }
// CHECK-NEXT: +          value = 3 * value + 1;
// CHECK-NEXT: +          out[i] = turn;
// CHECK-NEXT: +        }
// CHECK-NEXT: +        return heddle::flow::proceed;
// CHECK-NEXT: +      });
// CHECK-NEXT: +  if (state.hasReturned)
// CHECK-NEXT: +    return;
// CHECK-NEXT: +  i = state.i;
// CHECK-NEXT: +  value = state.value;
