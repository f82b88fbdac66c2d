// SPDX-License-Identifier: Apache-2.0
// cuRAND's host API: numbers of the device API's generators, in turn of 4096 subsequences.
// FLAGS: -lcurand
#include "../check.h"
#include <curand.h>
#include <curand_kernel.h>

#define CHECK_RANDOM(call) expectEqual<int>(#call, call, CURAND_STATUS_SUCCESS)

__global__ void first(unsigned int* numbers, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  curandState state;
  curand_init(7, i % 4096, i / 4096, &state);
  numbers[i] = curand(&state);
}

int main() {
  const int count = 5000;
  curandGenerator_t generator;
  CHECK_RANDOM(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  CHECK_RANDOM(curandSetPseudoRandomGeneratorSeed(generator, 7));
  DeviceArray<unsigned int> numbers(count), wanted(count);
  CHECK_RANDOM(curandGenerate(generator, numbers, 1000));
  CHECK_RANDOM(curandGenerate(generator, numbers + 1000, count - 1000));
  first<<<(count + 255) / 256, 256>>>(wanted, count);
  CHECK_LAUNCH();
  const std::vector<unsigned int> want = wanted.read();
  expectArray("numbers", numbers.read(), [&](size_t i) { return want[i]; });

  DeviceArray<float> floats(10000);
  double sum = 0, squares = 0;
  CHECK_RANDOM(curandGenerateUniform(generator, floats, 10000));
  for (float x : floats.read()) {
    expectTrue("in (0, 1]", x > 0 && x <= 1);
    sum += x;
  }
  expectNear("uniform", sum / 10000, 0.5, 0, 0.02);
  CHECK_RANDOM(curandGenerateNormal(generator, floats, 10000, 3, 2));
  sum = 0;
  for (float x : floats.read()) {
    sum += x;
    squares += (x - 3) * (x - 3);
  }
  expectNear("mean", sum / 10000, 3, 0, 0.1);
  expectNear("deviation", std::sqrt(squares / 10000), 2, 0, 0.1);
  expectEqual<int>("an odd number of normal ones",
                   curandGenerateNormal(generator, floats, 3, 0, 1),
                   CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_RANDOM(curandDestroyGenerator(generator));
  return finish();
}
