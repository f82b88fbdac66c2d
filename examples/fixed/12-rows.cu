// SPDX-License-Identifier: Apache-2.0
//
// A thread for each row of a sparse matrix. Most rows are short and a few are long: a warp takes
// as many turns as its longest row has entries, and its lanes read from 32 places at once.
//
//   heddle fix examples/12-rows/rows.cu
#include "../common.h"
#include <heddle/rows.cuh>

__global__ void multiply(const int* start, const int* column, const int* weight, const int* x,
                         int* y, int rows) {
  const int row = blockIdx.x * (blockDim.x / 16) + threadIdx.x / 16;
  if (row >= rows)
    return;
  int sum = 0;
  heddle::team_rows<16>(start[row], start[row + 1], heddle::sum(sum), [&](int k, int& sum) {
    sum += weight[k] * x[column[k]];
  });
  if (threadIdx.x % 16 == 0)
    y[row] = sum;
}

int main(int argc, char** argv) {
  const int rows = argc > 1 ? std::atoi(argv[1]) : 1 << 16;
  const int threads = 128;
  std::vector<int> start(1), column, weight, x(rows);
  unsigned state = 1;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
  };
  for (int row = 0; row < rows; ++row) {
    int length = 4;
    while (length < 1024 && next() % 2 == 0) // each length is half as frequent as half of it
      length *= 2;
    for (int k = 0; k < length; ++k) {
      column.push_back(static_cast<int>(next() % static_cast<unsigned>(rows)));
      weight.push_back(static_cast<int>(next() % 9));
    }
    start.push_back(static_cast<int>(column.size()));
    x[row] = static_cast<int>(next() % 100);
  }
  int* y = toDevice(std::vector<int>(rows));
  multiply<<<16 * ((rows + threads - 1) / threads), threads>>>(toDevice(start), toDevice(column),
                                                        toDevice(weight), toDevice(x), y, rows);
  CHECK(cudaGetLastError());
  printMean("rows", toHost(y, rows));
}
