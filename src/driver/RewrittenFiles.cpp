// SPDX-License-Identifier: Apache-2.0
#include "driver/RewrittenFiles.h"

#include "driver/SourceTexts.h"
#include "rewrite/code/UnifiedDiff.h"

namespace heddle::driver {

ChangedFiles edited(const Sources& sources, const FileEdits& edits) {
  ChangedFiles files;
  for (const auto& [file, these] : edits) {
    const std::string& original = sources.at(file)->text();
    files[file] = withLineEndsOf(original, these.apply(original));
  }
  return files;
}

std::string diffOf(const Sources& sources, const ChangedFiles& files) {
  std::string diff;
  for (const auto& [file, text] : files)
    diff += rewrite::unifiedDiff(diffName(file), sources.at(file)->text(), text);
  return diff;
}

} // namespace heddle::driver
