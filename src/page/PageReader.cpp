// SPDX-License-Identifier: Apache-2.0
#include "page/PageReader.h"

#include "profile/ProfileJson.h"

#include <nlohmann/json.hpp>

namespace heddle::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view dataStart = R"(<script type="application/json" id="data">)";

/// The JSON of a page; the text itself where it is no HTML.
std::string_view dataOf(std::string_view text) {
  const std::size_t start = text.find(dataStart);
  if (start == std::string_view::npos)
    return text;
  const std::string_view rest = text.substr(start + dataStart.size());
  return rest.substr(0, rest.find("</script>"));
}

std::string textOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

template <class Value> Value valueOf(const Json& json, const char* key) {
  const auto found = json.find(key);
  const bool fits = found != json.end() &&
                    (std::is_same_v<Value, bool> ? found->is_boolean() : found->is_number());
  return fits ? found->get<Value>() : Value{};
}

PageSource sourceOf(const Json& json) {
  return {.file = textOf(json, "file"),
          .text = textOf(json, "text"),
          .missing = textOf(json, "missing"),
          .changed = valueOf<bool>(json, "changed")};
}

advise::Candidate candidateFrom(const Json& json) {
  advise::Candidate candidate;
  candidate.rewrite = textOf(json, "rewrite");
  candidate.form = textOf(json, "form");
  candidate.kernelId = textOf(json, "kernelId");
  candidate.file = textOf(json, "file");
  candidate.line = valueOf<int>(json, "line");
  candidate.column = valueOf<int>(json, "column");
  candidate.applies = valueOf<bool>(json, "applies");
  candidate.id = textOf(json, "id");
  candidate.tried = valueOf<bool>(json, "tried");
  candidate.reason = textOf(json, "reason");
  candidate.predictedSpeedup = valueOf<double>(json, "speedup");
  candidate.low = valueOf<double>(json, "low");
  candidate.high = valueOf<double>(json, "high");
  return candidate;
}

Expected<PageRun> runOf(const Json& json, std::string_view origin) {
  if (!json.is_object() || !json.contains("profile"))
    return fail(ErrorKind::BadInput, "{}: a run of the page has no profile", origin);
  PageRun run;
  run.name = textOf(json, "name");
  run.command = textOf(json, "command");
  HEDDLE_TRY(run.profile, profile::readProfile(json["profile"].dump(), origin));
  for (const Json& each : json.value("sources", Json::array()))
    run.sources.push_back(sourceOf(each));
  for (const Json& each : json.value("advice", Json::array()))
    run.advice.push_back(candidateFrom(each));
  if (json.contains("fix") && json["fix"].is_object())
    run.fix = json["fix"].dump();
  return run;
}

} // namespace

bool isPage(std::string_view text) {
  const std::string_view data = dataOf(text);
  const std::size_t first = data.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos &&
         data.substr(first, 64).find("heddle.report/") != std::string_view::npos;
}

Expected<std::vector<PageRun>> readPage(std::string_view text, std::string_view origin) {
  const Json json = Json::parse(dataOf(text), nullptr, false);
  if (!json.is_object() || textOf(json, "schema") != "heddle.report/1")
    return fail(ErrorKind::BadInput, "{} is no page of this version of heddle", origin);
  std::vector<PageRun> runs;
  for (const Json& each : json.value("runs", Json::array())) {
    HEDDLE_TRY(PageRun run, runOf(each, origin));
    runs.push_back(std::move(run));
  }
  if (runs.empty())
    return fail(ErrorKind::BadInput, "{} holds no run", origin);
  return runs;
}

} // namespace heddle::page
