// SPDX-License-Identifier: Apache-2.0
//
// Registers of a kernel, and who says so.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::profile {

/// Who says how many registers a kernel has.
class RegisterSource {
public:
  enum class Kind {
    Estimate, ///< from the IR
    Ptxas,
    Given, ///< by the user
  };

  RegisterSource(Kind kind = Kind::Estimate) : kind_(kind) {}
  /// What ptxas says for another GPU ("sm_75"), where it does not know the one asked for.
  static RegisterSource ptxasFor(std::string architecture);

  Kind kind() const { return kind_; }
  bool operator==(const RegisterSource&) const = default;

  /// "estimate", "ptxas", "ptxas sm_75", "given": as reports and profiles say it.
  std::string text() const;
  /// From such a text; nothing from another one.
  static std::optional<RegisterSource> fromText(std::string_view text);

private:
  Kind kind_;
  std::string architecture_; ///< empty for the GPU asked for
};

struct RegisterUse {
  int registers = 0;  ///< 32-bit ones, of each thread
  int spillBytes = 0; ///< of each thread: what did not fit and went to local memory
  RegisterSource source;

  bool isGiven() const { return source.kind() == RegisterSource::Kind::Given; }
};

} // namespace heddle::profile
