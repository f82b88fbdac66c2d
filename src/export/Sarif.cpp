// SPDX-License-Identifier: Apache-2.0
//
// SARIF 2.1.0, as code scanning takes it: https://docs.oasis-open.org/sarif/sarif/v2.1.0
#include "export/Escape.h"
#include "export/Findings.h"
#include "export/Formats.h"
#include "report/Json.h"
#include "support/Printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle::exporting {
namespace {

using report::Json;

const char* levelName(Level level) {
  switch (level) {
  case Level::Error:
    return "error";
  case Level::Warning:
    return "warning";
  case Level::Note:
    break;
  }
  return "note";
}

Json ruleJson(const Rule& rule) {
  return {{"id", rule.id},
          {"name", rule.name},
          {"shortDescription", {{"text", rule.text}}},
          {"help", {{"text", rule.help}}},
          {"defaultConfiguration", {{"level", levelName(rule.level)}}}};
}

/// Relative paths are those of the folder in which the program was built: its root, for most.
Json placeJsonOf(const ProfileFinding& finding, const profile::LineTexts& texts) {
  Json artifact{{"uri", fileUri(finding.where.file)}};
  if (!finding.where.file.starts_with('/'))
    artifact["uriBaseId"] = "%SRCROOT%";
  Json physical{{"artifactLocation", std::move(artifact)}};
  if (finding.where.line > 0) {
    Json region{{"startLine", finding.where.line}};
    if (finding.where.column > 0)
      region["startColumn"] = finding.where.column;
    if (const std::string_view text = textAt(texts, finding.where); !text.empty())
      region["snippet"] = {{"text", std::string(text)}};
    physical["region"] = std::move(region);
  }
  Json place{{"physicalLocation", std::move(physical)}};
  if (!finding.kernel.empty())
    place["logicalLocations"] = Json::array({{{"name", finding.kernel}, {"kind", "function"}}});
  return place;
}

/// What stays the same when lines move: kind, kernel, and the text of the line, counted where there
/// are several.
std::string fingerprint(const ProfileFinding& finding, const profile::LineTexts& texts,
                        std::map<std::string, int>& seen) {
  const std::string_view text = textAt(texts, finding.where);
  const std::string line = text.empty() ? fmt::format("{}", finding.where.line) : std::string(text);
  const std::string all =
      fmt::format("{}/{}/{}/{}", finding.rule, finding.kernel, finding.where.file, line);
  std::uint64_t hash = 0xcbf29ce484222325u; // FNV-1a
  for (const char letter : all)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  return fmt::format("{:016x}:{}", hash, ++seen[all]);
}

Json resultJson(const ProfileFinding& finding, const profile::LineTexts& texts,
                std::map<std::string, int>& seen) {
  const auto rule = std::ranges::find(rules(), std::string_view(finding.rule),
                                      [](const Rule& each) { return std::string_view(each.id); });
  Json result{{"ruleId", finding.rule},
              {"ruleIndex", rule - rules().begin()},
              {"level", levelName(finding.level)},
              {"message", {{"text", sarifText(printableLine(finding.message))}}}};
  result["locations"] = Json::array();
  if (!finding.where.file.empty())
    result["locations"].push_back(placeJsonOf(finding, texts));
  result["partialFingerprints"] = {{"heddle/v1", fingerprint(finding, texts, seen)}};
  if (finding.share > 0)
    result["properties"] = {{"lostShare", finding.share}};
  return result;
}

} // namespace

std::string sarifOf(const profile::ProgramProfile& profile, const ExportContext& context) {
  const profile::LineTexts texts = lineTextsOf(profile);
  Json ruleList = Json::array();
  for (const Rule& rule : rules()) // the last one where a run of machine code may break it
    if (profile.knowsSwitchedOff() || &rule != &rules().back())
      ruleList.push_back(ruleJson(rule));
  Json results = Json::array();
  std::map<std::string, int> seen;
  for (const ProfileFinding& finding : findingsOf(profile, context.advice))
    results.push_back(resultJson(finding, texts, seen));
  Json run{{"tool",
            {{"driver",
              {{"name", "Heddle"},
               {"semanticVersion", context.version},
               {"rules", std::move(ruleList)}}}}},
           {"invocations",
            Json::array({{{"executionSuccessful", profile.ending == profile::Ending::Complete}}})},
           {"columnKind", "unicodeCodePoints"},
           {"results", std::move(results)},
           {"properties", {{"device", profile.device}}}};
  const Json document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({std::move(run)})}};
  return report::printJson(document);
}

} // namespace heddle::exporting
