// SPDX-License-Identifier: Apache-2.0
//
// How a kernel is built and launched: what `heddle tune` searches, keeps and gives back.
#pragma once

#include "profile/GivenBlocks.h"
#include "support/Error.h"

#include <map>
#include <string>
#include <string_view>

namespace heddle::tune {

struct Configuration {
  profile::Extent block = {0, 0, 0};           ///< zeros: as the program launches it
  int bounds = 0;                              ///< blocks of __launch_bounds__; 0: none of ours
  std::map<std::string, std::string> values{}; ///< of the source, by name: "unroll:12" is "4"
  std::map<std::string, std::string> macros{};

  bool hasBlock() const { return block[0] > 0; }
  /// "block=128 bounds=8 unroll:12=4 set:N=2"; empty: the program as it is.
  std::string key() const;
  /// The same without the block, for which nothing is compiled anew; of bounds the threads too.
  std::string codeKey(const profile::Extent& own) const;
  /// What stands in the brackets of __launch_bounds__; empty: none.
  std::string boundsText(const profile::Extent& own) const;

  bool operator==(const Configuration&) const = default;
};

/// As `key` writes it.
Expected<Configuration> parseConfiguration(std::string_view key);

} // namespace heddle::tune
