// SPDX-License-Identifier: Apache-2.0
//
// A summary for a pull request or a wiki: a table of kernels, and for each the lines that lose
// most.
#include "export/Escape.h"
#include "export/Findings.h"
#include "export/Formats.h"
#include "export/Quantities.h"
#include "report/Format.h"
#include "report/ProfileRows.h"
#include "report/SourceText.h"

#include <algorithm>

namespace heddle::exporting {
namespace {

using profile::KernelProfile;
using report::percent;

constexpr std::size_t mostLines = 10;

/// A column of its own, where a kernel knows it.
std::string switchedOffCell(const KernelProfile& kernel) {
  return kernel.switchedOff ? percent(kernel.shareOfUsed(*kernel.switchedOff)) : "";
}

std::string kernelTable(const profile::ProgramProfile& profile) {
  const bool isOffKnown = profile.knowsSwitchedOff();
  std::string text = fmt::format(
      "| kernel | launches | efficiency | {}lost to branches | estimated time | bound by "
      "| occupancy |\n|---|---:|---:|{}---:|---|---|---:|\n",
      isOffKnown ? "of it switched off | " : "", isOffKnown ? "---:|" : "");
  for (const KernelProfile& kernel : profile.kernels) {
    const auto& timing = kernel.timing;
    const double lost =
        kernel.slots() == 0 ? 0 : double(kernel.lostToBranches()) / double(kernel.slots());
    text += fmt::format("| {} | {} | {} | {}{} | {} | {} | {} |\n", markdownCode(kernel.kernel),
                        kernel.launches, percent(kernel.efficiency()),
                        isOffKnown ? switchedOffCell(kernel) + " | " : "", percent(lost),
                        timing ? shortRange(timing->seconds, timing->low, timing->high) : "",
                        timing ? profile::boundNames[std::size_t(timing->bound())] : "",
                        timing ? percent(timing->occupancy) : "");
  }
  return text;
}

std::string lineTable(const KernelProfile& kernel, const profile::LineTexts& texts) {
  const std::vector<report::BranchRow> rows = report::worstBranches(kernel);
  if (rows.empty())
    return "";
  std::string text = fmt::format("\n### {}\n\n| lost | where | line | why |\n|---:|---|---|---|\n",
                                 markdownCode(kernel.kernel));
  for (std::size_t i = 0; i < std::min(rows.size(), mostLines); ++i) {
    const std::string_view line = textAt(texts, rows[i].where);
    text += fmt::format("| {} | {} | {} | {} |\n",
                        percent(double(rows[i].lostSlots) / double(kernel.slots())),
                        markdownText(report::placeText(rows[i].where)),
                        line.empty() ? "" : markdownCode(line), markdownText(rows[i].why));
  }
  if (rows.size() > mostLines)
    text += fmt::format("\nand {} more lines\n", rows.size() - mostLines);
  return text;
}

/// What is no loss of lanes, which the tables have.
std::string otherFindings(const profile::ProgramProfile& profile, const ExportContext& context) {
  std::string text;
  for (const ProfileFinding& finding : findingsOf(profile, context.advice))
    if (std::string_view(finding.rule) != "heddle-lost-lanes")
      text += fmt::format(
          "- {}{}\n",
          finding.where.file.empty() ? "" : markdownText(report::placeText(finding.where)) + ": ",
          markdownText(finding.message));
  return text.empty() ? "" : "\n### Besides\n\n" + text;
}

} // namespace

std::string markdownOf(const profile::ProgramProfile& profile, const ExportContext& context) {
  std::string text = fmt::format("## Lanes on {}\n\n", markdownText(profile.device));
  if (profile.kernels.empty())
    text += "No kernel was launched.\n";
  else
    text += kernelTable(profile);
  const profile::LineTexts texts = lineTextsOf(profile);
  for (const KernelProfile& kernel : profile.kernels)
    text += lineTable(kernel, texts);
  return text + otherFindings(profile, context);
}

} // namespace heddle::exporting
