// SPDX-License-Identifier: Apache-2.0
#include "report/WordReport.h"

#include "report/Json.h"
#include "report/Table.h"

#include <fmt/format.h>

namespace heddle::report {
namespace {

using model::BestWord;

bool agree(const WordFindings& f) {
  return f.byEquation.word.sameSchedule(f.byChain.word);
}

std::vector<std::string> wordRow(std::string_view by, const BestWord& best) {
  return {std::string(by), best.word.text(), fmt::format("{:.4f}", best.approximateSteps),
          fmt::format("{:.4f}", best.exactSteps), fmt::format("{:.4f}", 1 / best.exactSteps)};
}

Json wordJson(const BestWord& best) {
  return {{"word", best.word.text()},
          {"stepsByEquation", best.approximateSteps},
          {"stepsExact", best.exactSteps},
          {"efficiencyExact", 1 / best.exactSteps}};
}

Json findingsJson(const WordFindings& f) {
  return {{"p", f.p},
          {"byEquation", wordJson(f.byEquation)},
          {"byChain", wordJson(f.byChain)},
          {"agree", agree(f)}};
}

} // namespace

std::string bestWordText(const WordFindings& f, const TextStyle& style) {
  Table table("llrrr");
  table.addRow({style.bold("chosen by"), style.bold("word"), style.bold("steps, eq. (1)"),
                style.bold("steps, exact"), style.bold("efficiency")});
  table.addRow(wordRow("eq. (1)", f.byEquation));
  table.addRow(wordRow("exact chain", f.byChain));
  std::string text = fmt::format("best fixed word for p(A) = {}\n", f.p) + table.print();
  if (agree(f))
    return text + "  both choose the same schedule\n";
  return text + fmt::format("  eq. (1) is approximate: the exact optimum is {:.2f} % shorter\n",
                            100 * (f.byEquation.exactSteps / f.byChain.exactSteps - 1));
}

std::string bestWordJson(const WordFindings& f) {
  Json json = startJson("schedule-best");
  json.update(findingsJson(f));
  return printJson(json);
}

std::string wordTableText(const std::vector<WordTableRow>& rows, const TextStyle& style) {
  Table table("rrllrll");
  table.addRow({style.bold("p"), style.bold("steps"), style.bold("by eq. (1)"),
                style.bold("published"), style.bold("exact"), style.bold("by exact chain"), ""});
  bool allSame = true;
  for (const WordTableRow& row : rows) {
    const WordFindings& f = row.found;
    allSame = allSame && row.sameAsPublished;
    table.addRow({fmt::format("{:.2f}", f.p), fmt::format("{:.2f}", f.byEquation.approximateSteps),
                  f.byEquation.word.text(), row.sameAsPublished ? "same" : row.published.word,
                  fmt::format("{:.3f}", f.byChain.exactSteps), f.byChain.word.text(),
                  agree(f) ? "" : style.bold("<- differs")});
  }
  std::string text = "table B.1: best fixed words of up to 3 segments, runs of up to 10\n";
  text += table.print();
  text += allSame ? "  eq. (1) gives the published schedule in every row\n"
                  : style.bad("  eq. (1) differs from the published schedule\n");
  return text + "  marked: rows where the exact Markov chain prefers another word\n";
}

std::string wordTableJson(const std::vector<WordTableRow>& rows) {
  Json json = startJson("schedule-table");
  json["rows"] = Json::array();
  for (const WordTableRow& row : rows) {
    Json item = findingsJson(row.found);
    item["published"] = {{"word", row.published.word},
                         {"steps", row.published.steps},
                         {"efficiency", row.published.efficiency}};
    item["sameAsPublished"] = row.sameAsPublished;
    json["rows"].push_back(std::move(item));
  }
  return printJson(json);
}

} // namespace heddle::report
