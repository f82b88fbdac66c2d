// SPDX-License-Identifier: Apache-2.0
// cuRAND's device API: the numbers of each generator at several seeds, subsequences and offsets, as
// the real header gives them; then uniform, normal and log-normal numbers made of them.
#include "../check.h"
#include <curand_kernel.h>

struct Case {
  unsigned long long subsequence, offset;
  unsigned int xorwow[2], mrg[2], philox[2];
};

const std::vector<Case> cases = {
    {0ull, 0ull, {0x253d5e15u, 0x6f558604u}, {0xc96891f0u, 0x9650c684u}, {0x2090b348u, 0xda7cf0abu}},
    {1ull, 0ull, {0xd1f7605au, 0xed29ae49u}, {0x26f0d612u, 0xac5068d7u}, {0xd115a128u, 0x52fc7c75u}},
    {5ull, 3ull, {0x615a80aau, 0x51410e03u}, {0x6932a3f4u, 0x469dd3a1u}, {0xbd95acc8u, 0x5c5cf6f4u}},
    {1000ull, 77ull, {0xa06f8c43u, 0x8f72d6fdu}, {0xfcc7014bu, 0xc2770837u}, {0x1b1cbfc5u, 0xb3c47efbu}},
    {123456789ull, 1ull, {0xb007722eu, 0x62785cccu}, {0xae7754aeu, 0x613aec73u}, {0x8bb010cau, 0xa7592cedu}},
    {281474976710655ull, 100000007ull, {0xccfc7167u, 0xfe5e4db2u}, {0x39f9b085u, 0xb72d2213u}, {0x0fc428bbu, 0x280534c2u}},
};

template <class State> __global__ void first(const Case* cases, unsigned int* numbers) {
  const Case each = cases[threadIdx.x];
  State state;
  curand_init(1234, each.subsequence, each.offset, &state);
  numbers[2 * threadIdx.x] = curand(&state);
  numbers[2 * threadIdx.x + 1] = curand(&state);
}

template <class State>
__global__ void __launch_bounds__(1024) distributions(float* floats, double* doubles) {
  State state, again;
  curand_init(42, threadIdx.x, 5, &state);
  again = state;
  skipahead(2, &again);
  curand(&state);
  curand(&state);
  float* f = floats + 4 * threadIdx.x;
  double* d = doubles + 4 * threadIdx.x;
  f[0] = curand(&state) == curand(&again) ? 1 : 0;
  f[1] = curand_uniform(&state);
  f[2] = curand_normal(&state);
  f[3] = curand_log_normal(&state, 0.0f, 0.5f);
  d[0] = curand_uniform_double(&state);
  d[1] = curand_normal_double(&state);
  d[2] = curand_log_normal_double(&state, 0.0, 0.5);
  d[3] = curand_normal2_double(&state).x;
}

// Of many numbers: those of (0, 1] have mean 1/2, normal ones 0 and a deviation of 1.
template <class State> void checkDistributions(const std::string& name) {
  const int threads = 1024;
  DeviceArray<float> floats(4 * threads);
  DeviceArray<double> doubles(4 * threads);
  distributions<State><<<1, threads>>>(floats, doubles);
  CHECK_LAUNCH();
  const std::vector<float> f = floats.read();
  const std::vector<double> d = doubles.read();
  double uniform = 0, normal = 0, squares = 0, logs = 0;
  for (int i = 0; i < threads; ++i) {
    expectEqual(name + " skipahead", f[4 * i], 1.0f);
    expectTrue(name + " in (0, 1]", f[4 * i + 1] > 0 && f[4 * i + 1] <= 1 && d[4 * i] > 0 &&
                                        d[4 * i] <= 1);
    uniform += f[4 * i + 1] + d[4 * i];
    normal += f[4 * i + 2] + d[4 * i + 1] + d[4 * i + 3];
    squares += f[4 * i + 2] * f[4 * i + 2] + d[4 * i + 1] * d[4 * i + 1];
    logs += std::log(f[4 * i + 3]) + std::log(d[4 * i + 2]);
  }
  expectNear(name + " uniform", uniform / (2 * threads), 0.5, 0, 0.03);
  expectNear(name + " normal", normal / (3 * threads), 0, 0, 0.07);
  expectNear(name + " deviation", squares / (2 * threads), 1, 0, 0.15);
  expectNear(name + " log-normal", logs / (2 * threads), 0, 0, 0.05);
}

template <class State> void checkNumbers(const std::string& name, unsigned int (Case::*want)[2]) {
  DeviceArray<Case> given(cases);
  DeviceArray<unsigned int> numbers(2 * cases.size());
  first<State><<<1, cases.size()>>>(given, numbers);
  CHECK_LAUNCH();
  expectArray(name, numbers.read(), [&](size_t i) { return (cases[i / 2].*want)[i % 2]; });
  checkDistributions<State>(name);
}

int main() {
  checkNumbers<curandStateXORWOW_t>("XORWOW", &Case::xorwow);
  checkNumbers<curandStateMRG32k3a_t>("MRG32k3a", &Case::mrg);
  checkNumbers<curandStatePhilox4_32_10_t>("Philox", &Case::philox);
  return finish();
}
