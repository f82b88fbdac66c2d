// SPDX-License-Identifier: Apache-2.0
#include "report/CheckReport.h"

#include "report/Json.h"
#include "report/Table.h"
#include "support/Printable.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::report {
namespace {

using profile::Finding;

constexpr std::size_t sentenceColumns = 95;

const char* severityText(const Finding& finding) {
  return finding.severity == profile::Severity::Warning ? "warning" : "note";
}

/// Blanks up to a column, as wide as the line is there when it is shown: tabs stay tabs.
std::string blanksBefore(const std::string& line, int column) {
  std::string blanks =
      printableLine(line.substr(0, std::min(line.size(), std::size_t(std::max(column - 1, 0)))));
  std::ranges::replace_if(blanks, [](char letter) { return letter != '\t'; }, ' ');
  return blanks;
}

Json placeJson(const profile::SourceLocation& where) {
  if (where.file.empty())
    return nullptr;
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}};
}

} // namespace

std::string checkText(const std::vector<Finding>& findings, SourceText& source,
                      const TextStyle& style) {
  std::string text;
  for (const Finding& finding : findings) {
    const profile::SourceLocation& where = finding.where;
    const std::string severity = fmt::format("{}:", severityText(finding));
    const bool isWarning = finding.severity == profile::Severity::Warning;
    text += fmt::format(
        "{} {} {} [{}]\n",
        style.bold(fmt::format("{}:{}:{}:", printableLine(where.file), where.line, where.column)),
        isWarning ? style.bad(severity) : style.faint(severity), printable(finding.message),
        finding.id);
    const std::string line = source.wholeLine(where);
    if (!line.empty())
      text += fmt::format("{:>5} | {}\n      | {}{}\n", where.line, printableLine(line),
                          blanksBefore(line, where.column), style.good("^"));
  }
  return text;
}

std::string checkedText(std::size_t findings, bool data) {
  const std::string sentence = fmt::format(
      "{} {}; looked for branches on the thread's number, barriers that not all threads reach "
      "and tree reductions{}",
      findings == 0 ? "no" : std::to_string(findings), findings == 1 ? "finding" : "findings",
      data ? ", and for branches on what threads have read"
           : "; --data adds branches on what threads have read");
  return fmt::format(
      "{}\n", fmt::join(wrapText(sentence, std::min(mostColumns(), sentenceColumns) - 2), "\n  "));
}

std::string checkJson(const std::vector<std::string>& files, const std::vector<Finding>& findings) {
  Json json = startJson("check");
  json["files"] = files;
  json["findings"] = Json::array();
  for (const Finding& finding : findings)
    json["findings"].push_back({{"id", finding.id},
                                {"severity", severityText(finding)},
                                {"file", finding.where.file},
                                {"line", finding.where.line},
                                {"column", finding.where.column},
                                {"kernel", finding.kernel},
                                {"message", finding.message},
                                {"condition", placeJson(finding.cause)}});
  return printJson(json);
}

} // namespace heddle::report
