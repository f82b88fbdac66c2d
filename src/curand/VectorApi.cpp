// SPDX-License-Identifier: Apache-2.0
//
// The tables that a program gives to its own Sobol states. Of cuRAND's 20,000 dimensions the first
// ones are there; a program that reads on is stopped with a message.
#include "cudart/CallPlace.h"
#include "cudart/ClosedTables.h"
#include "cudart/Runtime.h"
#include "curand/SobolTables.h"

#include <curand.h>
#include <fmt/format.h>

namespace {

namespace cudart = heddle::cudart;
using heddle::curand::SobolVectors;

/// `take(dimension)` writes the entries of one dimension.
template <class Entry, class Take>
Entry* makeTable(const char* function, std::size_t known, Take take) {
  std::string message =
      fmt::format("{}{}: the program reads dimension {} or a later one; the first {} are supported",
                  cudart::callersPlace(), function, known + 1, known);
  void* const memory = cudart::makeClosedTable(
      known * sizeof(Entry), (heddle::curand::sobolDimensions - known) * sizeof(Entry),
      std::move(message));
  auto* const table = static_cast<Entry*>(memory);
  for (std::size_t dimension = 0; table != nullptr && dimension < known; ++dimension)
    take(dimension, table[dimension]);
  return table;
}

template <class Vectors>
Vectors* makeVectorTable(const char* function, const std::vector<SobolVectors>& dimensions) {
  constexpr std::size_t bits = std::extent_v<Vectors>;
  return makeTable<Vectors>(function, dimensions.size(), [&](std::size_t d, Vectors& vectors) {
    for (std::size_t i = 0; i < bits; ++i)
      vectors[i] = std::remove_extent_t<Vectors>(dimensions[d][i] >> (64 - bits));
  });
}

/// A table is made once. Each set has its own pointer for it.
template <class Table, class Make> curandStatus_t give(Table*& table, Table** result, Make make) {
  if (result == nullptr)
    return CURAND_STATUS_OUT_OF_RANGE;
  const std::lock_guard lock(cudart::apiMutex());
  if (table == nullptr)
    table = make();
  *result = table;
  return table != nullptr ? CURAND_STATUS_SUCCESS : CURAND_STATUS_ALLOCATION_FAILED;
}

template <class Vectors>
curandStatus_t giveVectors(const char* function, Vectors** result, bool isPlain, bool isScrambled) {
  static Vectors *plain = nullptr, *scrambled = nullptr;
  if (isPlain)
    return give(plain, result,
                [&] { return makeVectorTable<Vectors>(function, heddle::curand::sobolVectors()); });
  if (isScrambled)
    return give(scrambled, result, [&] {
      return makeVectorTable<Vectors>(function, heddle::curand::scrambledSobolVectors().vectors);
    });
  return CURAND_STATUS_OUT_OF_RANGE;
}

template <class Word> curandStatus_t giveConstants(const char* function, Word** result) {
  static Word* table = nullptr;
  return give(table, result, [&] {
    const std::vector<std::uint64_t>& constants = heddle::curand::scrambledSobolVectors().constants;
    return makeTable<Word>(function, constants.size(), [&](std::size_t d, Word& constant) {
      constant = Word(constants[d] >> (64 - 8 * sizeof(Word)));
    });
  });
}

} // namespace

HEDDLE_API curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[],
                                                      curandDirectionVectorSet_t set) {
  return giveVectors(__func__, vectors, set == CURAND_DIRECTION_VECTORS_32_JOEKUO6,
                     set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6);
}

HEDDLE_API curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[],
                                                      curandDirectionVectorSet_t set) {
  return giveVectors(__func__, vectors, set == CURAND_DIRECTION_VECTORS_64_JOEKUO6,
                     set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6);
}

HEDDLE_API curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
  return giveConstants(__func__, constants);
}

HEDDLE_API curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
  return giveConstants(__func__, constants);
}
