// SPDX-License-Identifier: Apache-2.0
//
// Compares the memory records of two runs of a program: the same bytes copied to the host, in the
// same order, and the same bytes left. Reads both as streams, since a record may be larger than
// memory.
//
// What is matched with what: the n-th copy with the n-th copy; of what is left, the n-th live
// region of each kind of allocation with the n-th, and variables by name. So scratch memory that is
// freed in time is nobody's business, nor are variables that only the second program has. Pointers
// are equal when they point to the same place of the same region, wherever that lies; the host's
// heap, stack and variables are regions, too.
#pragma once

#include "profile/MemoryRecord.h"
#include "support/Error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace heddle::profile {

/// How far numbers may be apart, relative to the larger one. Bit by bit unless the program adds
/// floats by atomics, whose order is nobody's. The bound for doubles holds where memory looks like
/// doubles, the one for floats elsewhere.
struct Tolerance {
  double floats = 0;
  double doubles = 0;
};

struct RecordDifference {
  std::uint64_t copy = 0;   ///< the number of the copy to the host; 0 for what is left or freed
  std::string what;         ///< "copy 2 to the host", "what is left", "what is freed"
  std::string beforeRegion; ///< as HEDDLE_WATCH takes it; empty where there is none
  std::string afterRegion;
  std::uint64_t offset = 0; ///< of the first byte that differs, in the region
  std::string before;       ///< the value, or what there is instead
  std::string after;
  std::uint64_t words = 0; ///< of 4 bytes that differ in this copy or region; 0: no values differ

  /// One line for a person.
  std::string text() const;
};

struct RecordComparison {
  std::optional<RecordDifference> difference; ///< the first
  std::uint64_t copies = 0;                   ///< that are equal
  std::uint64_t regions = 0;                  ///< left or freed, that are equal
  std::uint64_t bytes = 0;                    ///< of both
  std::uint64_t tolerated = 0;                ///< words that differ within the tolerance
  Tolerance largest;                          ///< difference of those, relative
};

/// `reordered`: of the first program with its sums of floats in another order, if it ran so. Where
/// there is a tolerance, a number may differ as far as two orders leave it otherwise, and somewhat
/// more: sums that cancel are noise, and relative to them any difference is large.
Expected<RecordComparison> compareRecords(const std::filesystem::path& before,
                                          const std::filesystem::path& after,
                                          const Tolerance& tolerance = {},
                                          const std::filesystem::path& reordered = {});

} // namespace heddle::profile
