// SPDX-License-Identifier: Apache-2.0
//
// The files that a program writes, but for what it writes otherwise in each run. Of a text, the
// words in which two runs of the same program differ are set aside (driver/VaryingText.h); of any
// other file, all of it.
#pragma once

#include "driver/VaryingText.h"
#include "profile/WrittenFiles.h"
#include "support/Error.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle::driver {

class VaryingFiles {
public:
  Expected<void> learn(const profile::WrittenFiles& first, const profile::WrittenFiles& second);

  /// The first difference that was not set aside, in words; nothing: there is none. `tolerance`: of
  /// fractions in texts.
  Expected<std::optional<std::string>> difference(const profile::WrittenFiles& before,
                                                  const profile::WrittenFiles& after,
                                                  double tolerance = 0) const;

  /// "file times.txt: line 3 ('0.52')".
  std::vector<std::string> setAside() const;

private:
  std::map<std::string, VaryingText> texts_; ///< by name
  std::set<std::string> whole_;              ///< other files
  std::set<std::string> sometimes_;          ///< not every run writes them
};

} // namespace heddle::driver
