// SPDX-License-Identifier: Apache-2.0
//
// A run, or several, as one HTML file that needs nothing beside itself: the page that web/ holds,
// with what it shows as JSON inside. docs/schema/report.schema.json describes that JSON,
// docs/design/page.md the page.
#pragma once

#include "advise/Verdict.h"
#include "page/PageSources.h"
#include "profile/ProgramProfile.h"
#include "support/Error.h"

#include <string>
#include <vector>

namespace heddle::page {

struct PageRun {
  std::string name; ///< by which the page calls it: "photon"
  profile::ProgramProfile profile;
  std::vector<PageSource> sources;
  std::vector<advise::Candidate> advice{}; ///< what would help, by kernel and line
  std::string fix{};     ///< what heddle fix --json printed of the program; empty: nothing
  std::string command{}; ///< that tries the advice: "heddle fix photon.cu"
};

/// The JSON that the page shows; `version` is Heddle's.
std::string pageData(const std::vector<PageRun>& runs, std::string_view version);

/// Fails where the program was built without the page.
Expected<std::string> pageHtml(const std::vector<PageRun>& runs, std::string_view version);

/// The page around JSON of another kind, as `heddle serve` needs it.
Expected<std::string> pageAround(std::string_view json);

} // namespace heddle::page
