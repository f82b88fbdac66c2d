// SPDX-License-Identifier: Apache-2.0
// Total price of each order over its one to seven lines.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_OK(x)                                                      \
  if ((x) != cudaSuccess) {                                             \
    std::fprintf(stderr, "cuda failure at line %d\n", __LINE__);        \
    return 1;                                                           \
  }

__global__ void orderTotals(const int* firstLine, const double* price, const float* discount,
                            const short* quantity, double* total, int orders) {
  int o = blockIdx.x * blockDim.x + threadIdx.x;
  if (o < orders) {
    double sum = 0.0;
    for (int l = firstLine[o]; l < firstLine[o + 1]; ++l) {
      sum += price[l] * quantity[l] * (1.0f - discount[l]);
    }
    total[o] = sum;
  }
}

int main(int argc, char** argv) {
  int orders = argc > 1 ? std::atoi(argv[1]) : 1000000;
  unsigned s = 9;
  auto rnd = [&s](unsigned m) {
    s = s * 22695477u + 1u;
    return (s >> 8) % m;
  };
  std::vector<int> firstLine(orders + 1, 0);
  for (int o = 0; o < orders; ++o) firstLine[o + 1] = firstLine[o] + 1 + rnd(7);
  int lines = firstLine[orders];
  std::vector<double> price(lines), total(orders);
  std::vector<float> discount(lines);
  std::vector<short> quantity(lines);
  for (int l = 0; l < lines; ++l) {
    price[l] = 1.0 + rnd(100000) / 100.0;
    discount[l] = rnd(11) * 0.01f;
    quantity[l] = static_cast<short>(1 + rnd(50));
  }
  int* dFirst;
  double *dPrice, *dTotal;
  float* dDiscount;
  short* dQuantity;
  CUDA_OK(cudaMalloc(&dFirst, firstLine.size() * sizeof(int)));
  CUDA_OK(cudaMalloc(&dPrice, lines * sizeof(double)));
  CUDA_OK(cudaMalloc(&dTotal, orders * sizeof(double)));
  CUDA_OK(cudaMalloc(&dDiscount, lines * sizeof(float)));
  CUDA_OK(cudaMalloc(&dQuantity, lines * sizeof(short)));
  cudaMemcpy(dFirst, firstLine.data(), firstLine.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dPrice, price.data(), lines * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(dDiscount, discount.data(), lines * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dQuantity, quantity.data(), lines * sizeof(short), cudaMemcpyHostToDevice);
  orderTotals<<<(orders + 255) / 256, 256>>>(dFirst, dPrice, dDiscount, dQuantity, dTotal,
                                             orders);
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaMemcpy(total.data(), dTotal, orders * sizeof(double), cudaMemcpyDeviceToHost));
  double sum = 0;
  for (double t : total) sum += t;
  std::printf("revenue %.6e\n", sum);
  cudaFree(dFirst);
  cudaFree(dPrice);
  cudaFree(dTotal);
  cudaFree(dDiscount);
  cudaFree(dQuantity);
  return 0;
}
