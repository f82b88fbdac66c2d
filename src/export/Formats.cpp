// SPDX-License-Identifier: Apache-2.0
#include "export/Formats.h"

#include <algorithm>

namespace heddle::exporting {

std::optional<Format> formatNamed(std::string_view name) {
  const auto found = std::ranges::find(formatNames, name);
  return found == formatNames.end() ? std::nullopt
                                    : std::optional(Format(found - formatNames.begin()));
}

std::string exported(const profile::ProgramProfile& profile, Format format,
                     const ExportContext& context) {
  switch (format) {
  case Format::Sarif:
    return sarifOf(profile, context);
  case Format::Trace:
    return traceOf(profile);
  case Format::Csv:
    return csvOf(profile);
  case Format::Markdown:
    return markdownOf(profile, context);
  case Format::Callgrind:
    return callgrindOf(profile, context);
  }
  return "";
}

} // namespace heddle::exporting
