// SPDX-License-Identifier: Apache-2.0
//
// A profile in the formats of other tools. docs/formats.md says what each holds.
#pragma once

#include "advise/Verdict.h"
#include "profile/ProgramProfile.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::exporting {

enum class Format { Sarif, Trace, Csv, Markdown, Callgrind };
inline constexpr std::array formatNames = {"sarif", "trace", "csv", "md", "callgrind"};

std::optional<Format> formatNamed(std::string_view name);

struct ExportContext {
  std::string version;                        ///< of heddle
  std::vector<advise::Candidate> advice = {}; ///< where the sources were looked at
};

std::string exported(const profile::ProgramProfile& profile, Format format,
                     const ExportContext& context);

// One of them each.
std::string sarifOf(const profile::ProgramProfile& profile, const ExportContext& context);
std::string traceOf(const profile::ProgramProfile& profile);
std::string csvOf(const profile::ProgramProfile& profile);
std::string markdownOf(const profile::ProgramProfile& profile, const ExportContext& context);
std::string callgrindOf(const profile::ProgramProfile& profile, const ExportContext& context);

} // namespace heddle::exporting
