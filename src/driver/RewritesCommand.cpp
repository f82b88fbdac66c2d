// SPDX-License-Identifier: Apache-2.0
#include "driver/RewritesCommand.h"

#include "driver/RunRefusals.h"
#include "report/Json.h"
#include "rewrite/Rewrite.h"
#include "rewrite/code/CommonRefusals.h"

namespace heddle::driver {
namespace {

using report::Json;
using rewrite::RefusalKind;
using rewrite::Rewrite;

std::vector<const RefusalKind*> refusalsOf(const Rewrite& rewrite) {
  std::vector<const RefusalKind*> kinds;
  for (const RefusalKind& kind : rewrite.refusals)
    kinds.push_back(&kind);
  if (rewrite.refusesCommunication)
    for (const RefusalKind& kind : rewrite::communication.rows)
      kinds.push_back(&kind);
  return kinds;
}

Json kindJson(const RefusalKind& kind) {
  return {{"id", kind.id},
          {"meaning", kind.meaning},
          {"action", kind.action},
          {"fits", kind.fit == rewrite::Fit::Meant}};
}

Json tableJson(std::span<const RefusalKind> table) {
  Json rows = Json::array();
  for (const RefusalKind& kind : table)
    rows.push_back(kindJson(kind));
  return rows;
}

/// The tables as they are written: what a text says twice stands in one place.
std::string allJson() {
  Json document = report::startJson("rewrites");
  for (const Rewrite* each : rewrite::allRewrites()) {
    Json ids = Json::array();
    for (const RefusalKind* kind : refusalsOf(*each))
      ids.push_back(kind->id);
    Json own = Json::array();
    for (const RefusalKind& kind : each->refusals) {
      const auto isCommon = [&](const RefusalKind& other) { return other.id == kind.id; };
      if (std::ranges::none_of(rewrite::common.rows, isCommon))
        own.push_back(kindJson(kind));
    }
    document["rewrites"].push_back({{"name", each->name},
                                    {"summary", each->summary},
                                    {"forms", Json(each->forms)},
                                    {"formsAreAlike", each->formsAreAlike},
                                    {"refuses", ids},
                                    {"refusals", own}});
  }
  document["run"] = tableJson(runRefusals);
  document["communication"] = tableJson(rewrite::communication);
  document["common"] = tableJson(rewrite::common);
  return document.dump(2) + "\n";
}

std::string allText() {
  std::size_t width = 0;
  for (const Rewrite* each : rewrite::allRewrites())
    width = std::max(width, each->name.size());
  std::string text;
  for (const Rewrite* each : rewrite::allRewrites())
    text += fmt::format("{:{}}  {}\n", each->name, width, each->summary);
  return text;
}

std::string oneText(const Rewrite& rewrite) {
  std::string text = fmt::format("{}: {}\n\nIt is refused with\n", rewrite.name, rewrite.summary);
  for (const RefusalKind* kind : refusalsOf(rewrite))
    text += fmt::format("  {}\n    {}{}{}\n", kind->id, kind->meaning,
                        kind->action.empty() ? "" : " ", kind->action);
  return text;
}

} // namespace

std::vector<std::string> rewriteNames() {
  std::vector<std::string> names;
  for (const Rewrite* each : rewrite::allRewrites())
    names.emplace_back(each->name);
  return names;
}

Expected<std::string> listRewrites(const std::string& name, const Output& output) {
  if (output.json)
    return allJson();
  if (name.empty())
    return allText();
  const Rewrite* found = rewrite::findRewrite(name);
  if (found == nullptr)
    return fail(ErrorKind::NotFound, "there is no rewrite '{}'; known: {}", name,
                fmt::join(rewriteNames(), ", "));
  return oneText(*found);
}

} // namespace heddle::driver
