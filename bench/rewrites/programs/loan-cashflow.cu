// SPDX-License-Identifier: Apache-2.0
// Present value of the remaining payments of a loan book; closed and defaulted loans are worth 0.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum Status { CLOSED = 0, ACTIVE = 1, DEFAULTED = 2 };

struct Book {
  int* status;
  int* monthsLeft;
  float* balance;
  float* rate;
};

__global__ void presentValue(Book book, const float* discount, float* value, int loans) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id < loans) {
    if (book.status[id] != ACTIVE) {
      value[id] = 0.0f;
    } else {
      int months = book.monthsLeft[id];
      float balance = book.balance[id];
      float r = book.rate[id] / 12.0f;
      float payment = balance * r / (1.0f - powf(1.0f + r, -float(months)));
      float pv = 0.0f;
      for (int m = 0; m < months; ++m) {
        float interest = balance * r;
        float prepaid = 0.004f * balance;
        float paid = fminf(payment + prepaid, balance + interest);
        balance = balance + interest - paid;
        pv += paid * discount[m];
      }
      value[id] = pv;
    }
  }
}

template <typename T>
T* upload(const std::vector<T>& v) {
  T* p;
  cudaMalloc(&p, v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

int main(int argc, char** argv) {
  int loans = argc > 1 ? std::atoi(argv[1]) : 600000;
  unsigned s = 1;
  auto rnd = [&s]() {
    s = s * 1664525u + 1013904223u;
    return s >> 8;
  };
  std::vector<int> status(loans), months(loans);
  std::vector<float> balance(loans), rate(loans), discount(361), value(loans);
  for (int i = 0; i < loans; ++i) {
    unsigned k = rnd() % 100;
    status[i] = k < 60 ? ACTIVE : (k < 92 ? CLOSED : DEFAULTED);
    months[i] = 6 + static_cast<int>(rnd() % 235);
    balance[i] = 10000.0f + static_cast<float>(rnd() % 300000);
    rate[i] = 0.02f + 0.0001f * static_cast<float>(rnd() % 500);
  }
  float d = 1.0f;
  for (float& x : discount) {
    d *= 0.9975f;
    x = d;
  }
  Book book{upload(status), upload(months), upload(balance), upload(rate)};
  float* dDiscount = upload(discount);
  float* dValue = upload(value);
  presentValue<<<(loans + 255) / 256, 256>>>(book, dDiscount, dValue, loans);
  cudaMemcpy(value.data(), dValue, loans * sizeof(float), cudaMemcpyDeviceToHost);
  double total = 0;
  for (float v : value) total += v;
  std::printf("book value %.5e\n", total);
  return 0;
}
