// SPDX-License-Identifier: Apache-2.0
//
// The reading half of ProfileJson: takes a document apart and keeps the first complaint, with the
// place in the document, so that it reads as a list of fields.
#pragma once

#include "profile/ProgramProfile.h"
#include "support/Error.h"

#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::profile {

/// The words of the document, in the order of the enumerators.
inline constexpr const char* endingNames[] = {"complete", "fault", "interrupted"};
inline constexpr const char* accessKindNames[] = {"load", "store", "atomic"};
inline constexpr const char* memorySpaceNames[] = {"global", "shared", "local"};

class ProfileReader {
public:
  ProgramProfile program(const nlohmann::json& json);

  const std::optional<Error>& error() const { return error_; }

private:
  using Json = nlohmann::json;

  KernelProfile kernel(const Json& json);
  LaunchRecord launch(const Json& json);
  BranchProfile branch(const Json& json);
  LoopProfile loop(const Json& json);
  MemoryProfile access(const Json& json);
  KernelTiming timing(const Json& json);
  Site site(const Json& json);
  SourceLocation location(const Json& json);
  void owners(const Json& json, KernelProfile& kernel);

  const Json& field(const Json& json, const char* name);
  std::uint64_t count(const Json& json, const char* name);
  int integer(const Json& json, const char* name);
  double number(const Json& json, const char* name);
  std::string text(const Json& json, const char* name);
  std::size_t word(const Json& json, const char* name, std::span<const char* const> words);
  template <class Number, std::size_t size>
  std::array<Number, size> numbers(const Json& json, const char* name);

  /// Reads every member of a list, each under its own place.
  template <class Read> void list(const Json& json, const char* name, Read read);

  void complain(const std::string& message);

  std::string place_; ///< "kernels[0].branches[3]"
  std::optional<Error> error_;
};

} // namespace heddle::profile
