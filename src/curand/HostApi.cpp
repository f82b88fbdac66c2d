// SPDX-License-Identifier: Apache-2.0
//
// cuRAND's host API: arrays filled with numbers of the device API's generators. As cuRAND documents
// for its fixed ordering, a generator is 4096 subsequences that take turns, number by number; the
// real library may order them otherwise where it is free to. Normal numbers come in pairs of one
// subsequence. A Sobol generator fills the array dimension by dimension, with as many numbers of
// each.
#include "cudart/CallPlace.h"
#include "cudart/Ending.h"
#include "cudart/FirstTouches.h"
#include "curand/Distributions.h"
#include "curand/SobolTables.h"

#include <curand.h>
#include <fmt/format.h>

#include <cmath>
#include <new>
#include <variant>
#include <vector>

namespace {

namespace cudart = heddle::cudart;
using namespace heddle::curand; // the distributions

constexpr std::size_t lanes = 4096;

using States = std::variant<std::vector<curandStateXORWOW>, std::vector<curandStateMRG32k3a>,
                            std::vector<curandStatePhilox4_32_10>>;

} // namespace

struct curandGenerator_st {
  curandRngType_t type = CURAND_RNG_PSEUDO_DEFAULT;
  unsigned long long seed = 0;
  unsigned long long offset = 0; ///< of a quasi-random one also where its next call begins
  unsigned dimensions = 1;       ///< of a quasi-random one
  bool onHost = false;
  States states;
  std::size_t next = 0; ///< the subsequence whose turn it is
  bool started = false;
};

namespace {

States emptyStates(curandRngType_t type) {
  if (type == CURAND_RNG_PSEUDO_MRG32K3A)
    return std::vector<curandStateMRG32k3a>();
  if (type == CURAND_RNG_PSEUDO_PHILOX4_32_10)
    return std::vector<curandStatePhilox4_32_10>();
  return std::vector<curandStateXORWOW>();
}

bool isKnown(curandRngType_t type) {
  return type == CURAND_RNG_PSEUDO_DEFAULT || type == CURAND_RNG_PSEUDO_XORWOW ||
         type == CURAND_RNG_PSEUDO_MRG32K3A || type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
}

bool isQuasi(curandRngType_t type) {
  return type >= CURAND_RNG_QUASI_DEFAULT && type <= CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

bool isScrambled(curandRngType_t type) {
  return type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

/// The others give numbers of 32 bits.
bool has64Bits(curandRngType_t type) {
  return type == CURAND_RNG_QUASI_SOBOL64 || type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

/// All subsequences at the generator's offset: the first ones have given one number more.
void start(curandGenerator_st& generator) {
  std::visit(
      [&](auto& states) {
        states.resize(lanes);
        generator.next = generator.offset % lanes;
        for (std::size_t lane = 0; lane < lanes; ++lane)
          curand_init(generator.seed, lane,
                      generator.offset / lanes + (lane < generator.next ? 1 : 0), &states[lane]);
      },
      generator.states);
  generator.started = true;
}

void checkArray(cudart::Runtime& runtime, const curandGenerator_st& generator, const char* function,
                const void* output, std::size_t size) {
  if (size == 0 || generator.onHost ||
      runtime.memory.classify(output, size) == cudart::RangeKind::Known)
    return;
  cudart::endWithFault(
      fmt::format("{}: {} bytes at {} are not all memory of the device", function, size, output));
}

/// A Sobol state of one dimension at the generator's offset.
template <class State>
State sobolState(const curandGenerator_st& generator, std::size_t dimension) {
  using Word = decltype(State::x);
  constexpr std::size_t bits = 8 * sizeof(Word);
  const bool scrambled = isScrambled(generator.type);
  const SobolVectors& stored =
      scrambled ? scrambledSobolVectors().vectors[dimension] : sobolVectors()[dimension];
  State state = {};
  for (std::size_t i = 0; i < bits; ++i)
    state.direction_vectors[i] = Word(stored[i] >> (64 - bits));
  state.c = scrambled ? Word(scrambledSobolVectors().constants[dimension] >> (64 - bits)) : Word(0);
  skipahead(Word(generator.offset), &state);
  return state;
}

/// One dimension after the other; the next call goes on where this one ends.
template <class T, class Make>
void fillDimensions(curandGenerator_st& generator, T* output, std::size_t count, Make make) {
  const std::size_t each = count / generator.dimensions;
  for (std::size_t dimension = 0; dimension < generator.dimensions; ++dimension) {
    const auto fillOne = [&](auto state) {
      for (std::size_t i = 0; i < each; ++i)
        make(state, output + dimension * each + i);
    };
    if (has64Bits(generator.type))
      fillOne(sobolState<curandStateSobol64>(generator, dimension));
    else
      fillOne(sobolState<curandStateSobol32>(generator, dimension));
  }
  generator.offset += each;
}

/// Numbers of a quasi-random generator: `make(state, output)` makes one.
template <class T, class Make>
curandStatus_t fillQuasi(curandGenerator_t generator, const char* function, T* output,
                         std::size_t count, Make make) {
  if (count % generator->dimensions != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const cudaError_t error = cudart::call([&](cudart::Runtime& runtime) {
    checkArray(runtime, *generator, function, output, count * sizeof(T));
    const cudart::DeviceWork work(runtime);
    fillDimensions(*generator, output, count, make);
    return cudaSuccess;
  });
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/// Fills the array; `make(state, first, second)` makes one or two numbers of a subsequence.
template <class T, class Make>
curandStatus_t fill(curandGenerator_t generator, const char* function, T* output, std::size_t count,
                    std::size_t atOnce, Make make) {
  if (generator == nullptr)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (isQuasi(generator->type))
    return fillQuasi(generator, function, output, count, make);
  if (count % atOnce != 0)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const cudaError_t error = cudart::call([&](cudart::Runtime& runtime) {
    checkArray(runtime, *generator, function, output, count * sizeof(T));
    const cudart::DeviceWork work(runtime);
    if (!generator->started)
      start(*generator);
    std::visit(
        [&](auto& states) {
          for (std::size_t i = 0; i < count; i += atOnce) {
            make(states[generator->next], output + i);
            generator->next = (generator->next + 1) % lanes;
          }
        },
        generator->states);
    return cudaSuccess;
  });
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/// Normal numbers in pairs, each through `finish`.
template <class T, class Finish>
curandStatus_t fillNormal(curandGenerator_t generator, const char* function, T* output,
                          std::size_t count, Finish finish) {
  return fill(generator, function, output, count, 2, [&](auto& state, T* to) {
    if constexpr (isSobol<decltype(state)>) {
      to[0] = T(finish(double(normalOfOne<T>(curand(&state)))));
    } else {
      const auto [first, second] = normalPair(state, sizeof(T) == sizeof(double));
      to[0] = T(finish(first));
      to[1] = T(finish(second));
    }
  });
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool onHost) {
  if (generator == nullptr)
    return CURAND_STATUS_OUT_OF_RANGE;
  if (!isKnown(type) && !isQuasi(type)) {
    fmt::print(stderr,
               "heddle: error: {}curandCreateGenerator: generator {} is not supported; XORWOW, "
               "MRG32K3A, PHILOX4_32_10 and SOBOL are\n",
               cudart::callersPlace(), int(type));
    return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new (std::nothrow) curandGenerator_st;
  if (*generator == nullptr)
    return CURAND_STATUS_ALLOCATION_FAILED;
  (*generator)->type = type;
  (*generator)->onHost = onHost;
  (*generator)->states = emptyStates(type);
  return CURAND_STATUS_SUCCESS;
}

/// Sets something that the next numbers depend on.
curandStatus_t restart(curandGenerator_t generator, unsigned long long curandGenerator_st::* field,
                       unsigned long long value) {
  if (generator == nullptr)
    return CURAND_STATUS_NOT_INITIALIZED;
  generator->*field = value;
  generator->started = false;
  return CURAND_STATUS_SUCCESS;
}

} // namespace

HEDDLE_API curandStatus_t curandCreateGenerator(curandGenerator_t* generator,
                                                curandRngType_t type) {
  return create(generator, type, false);
}

HEDDLE_API curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator,
                                                    curandRngType_t type) {
  return create(generator, type, true);
}

HEDDLE_API curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr)
    return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

HEDDLE_API curandStatus_t curandGetVersion(int* version) {
  if (version == nullptr)
    return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

/// A stream is always idle.
HEDDLE_API curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

HEDDLE_API curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                             unsigned long long seed) {
  if (generator != nullptr && isQuasi(generator->type))
    return CURAND_STATUS_TYPE_ERROR;
  return restart(generator, &curandGenerator_st::seed, seed);
}

HEDDLE_API curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                                   unsigned long long offset) {
  return restart(generator, &curandGenerator_st::offset, offset);
}

HEDDLE_API curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                                  unsigned int dimensions) {
  if (generator == nullptr)
    return CURAND_STATUS_NOT_INITIALIZED;
  if (!isQuasi(generator->type))
    return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > sobolDimensions)
    return CURAND_STATUS_OUT_OF_RANGE;
  const std::size_t known = isScrambled(generator->type) ? knownScrambled : knownDimensions;
  if (dimensions > known)
    cudart::endWithFault(
        fmt::format("{}curandSetQuasiRandomGeneratorDimensions: {} dimensions are not supported of "
                    "{} Sobol numbers; the first {} are",
                    cudart::callersPlace(), dimensions,
                    isScrambled(generator->type) ? "scrambled" : "plain", known));
  generator->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}

/// There is one ordering.
HEDDLE_API curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                                     curandOrdering_t order) {
  if (generator == nullptr)
    return CURAND_STATUS_NOT_INITIALIZED;
  const bool fits = (order == CURAND_ORDERING_QUASI_DEFAULT) == isQuasi(generator->type);
  return fits ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

HEDDLE_API curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return fill(generator, __func__, static_cast<unsigned int*>(nullptr), 0, 1,
              [](auto&, unsigned int*) {});
}

HEDDLE_API curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* output,
                                         size_t count) {
  if (generator != nullptr && has64Bits(generator->type))
    return CURAND_STATUS_TYPE_ERROR;
  return fill(generator, __func__, output, count, 1,
              [](auto& state, unsigned int* one) { *one = unsigned(curand(&state)); });
}

HEDDLE_API curandStatus_t curandGenerateLongLong(curandGenerator_t generator,
                                                 unsigned long long* output, size_t count) {
  if (generator != nullptr && !has64Bits(generator->type))
    return CURAND_STATUS_TYPE_ERROR;
  return fill(generator, __func__, output, count, 1,
              [](auto& state, unsigned long long* one) { *one = curand(&state); });
}

HEDDLE_API curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output,
                                                size_t count) {
  return fill(generator, __func__, output, count, 1,
              [](auto& state, float* one) { *one = uniform(state); });
}

HEDDLE_API curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                                      size_t count) {
  return fill(generator, __func__, output, count, 1,
              [](auto& state, double* one) { *one = uniformDouble(state); });
}

HEDDLE_API curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output,
                                               size_t count, float mean, float stddev) {
  return fillNormal(generator, __func__, output, count,
                    [&](double x) { return mean + stddev * x; });
}

HEDDLE_API curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output,
                                                     size_t count, double mean, double stddev) {
  return fillNormal(generator, __func__, output, count,
                    [&](double x) { return mean + stddev * x; });
}

HEDDLE_API curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* output,
                                                size_t count, double lambda) {
  if (!(lambda > 0))
    return CURAND_STATUS_OUT_OF_RANGE;
  if (generator != nullptr && isQuasi(generator->type))
    cudart::endWithFault(
        fmt::format("{}curandGeneratePoisson of a Sobol generator is not supported yet",
                    cudart::callersPlace()));
  return fill(generator, __func__, output, count, 1,
              [&](auto& state, unsigned int* one) { *one = poisson(state, lambda); });
}

HEDDLE_API curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output,
                                                  size_t count, float mean, float stddev) {
  return fillNormal(generator, __func__, output, count,
                    [&](double x) { return std::exp(mean + stddev * x); });
}

HEDDLE_API curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                                        size_t count, double mean, double stddev) {
  return fillNormal(generator, __func__, output, count,
                    [&](double x) { return std::exp(mean + stddev * x); });
}
