// SPDX-License-Identifier: Apache-2.0
//
// heddle report: profiles as one HTML file to look at
#pragma once

#include "driver/Output.h"
#include "frontend/CompilerFlags.h"
#include "page/Page.h"
#include "support/Error.h"

#include <string>
#include <vector>

namespace heddle::driver {

struct ReportOptions {
  /// Profiles, pages, and what heddle fix --json printed of the one before.
  std::vector<std::string> files;
  frontend::CompilerFlags flags; ///< of the program, for the advice
  std::string reportFile = "report.html";
  bool open = false; ///< in the user's browser
  bool advice = true;
  bool useCache = true;
};

Expected<Answer> writeReport(const ReportOptions& options, const Output& output);

/// Writes the page and says what is on it: "wrote report.html (120 kB): ...".
Expected<std::string> writePage(const std::string& file, const std::vector<page::PageRun>& runs);

/// By the first of the programs that open files which is there.
Expected<void> openInBrowser(const std::string& address);

/// "heddle fix photon.cu", or nothing where there is no file to fix.
std::string fixCommandFor(const std::vector<std::string>& files);

} // namespace heddle::driver
