// SPDX-License-Identifier: Apache-2.0
// Trap 7: the C++ library's headers belong to the host and stand beside device overloads of the
// same names. A program that includes many of them must still find abs, min, max, pow and sqrt on
// the device.
#include <algorithm>
#include <array>
#include <chrono>
#include <complex>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "../check.h"

constexpr float largest = std::numeric_limits<float>::max();
constexpr int least = std::numeric_limits<int>::min();

__global__ void run(double* out, float x, int i) {
  out[0] = abs(-i) + abs(-x) + min(i, 3) + max(x, 0.5f) + std::abs(-x);
  out[1] = pow(x, 2.0f) + sqrt(x) + exp(x) + floor(x) + std::sqrt(x);
  out[2] = x < largest && i > least ? 1.0 : 0.0;
  out[3] = isnan(x) + isinf(x) + fabs(-x) + fmod(x, 2.0f);
}

int main() {
  std::mt19937 random(7);
  std::map<std::string, std::complex<double>> named{{"one", {1, 0}}, {"turn", {0, 1}}};
  std::vector<int> order(10);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  const double x = 2.25;
  DeviceArray<double> out(4);
  run<<<1, 1>>>(out, float(x), 7);
  CHECK_LAUNCH();
  const double want[4] = {7 + x + 3 + x + x, x * x + 1.5 + std::exp(x) + 2 + 1.5, 1, x + 0.25};
  const std::vector<double> got = out.read();
  for (int k = 0; k < 4; ++k)
    expectNear("value", got[k], want[k], 1e-6);
  expectEqual("the host's own library", std::accumulate(order.begin(), order.end(), 0), 45);
  expectEqual("complex numbers", (named["turn"] * named["turn"]).real(), -1.0);
  return finish();
}
