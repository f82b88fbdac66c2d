// SPDX-License-Identifier: Apache-2.0
#include "driver/WordCommands.h"

#include "report/WordReport.h"

namespace heddle::driver {
namespace {

Expected<report::WordFindings> findWords(const model::WordSearch& search) {
  HEDDLE_TRY(model::BestWord byEquation, model::findBestWord(search, model::Measure::Approximate));
  HEDDLE_TRY(model::BestWord byChain, model::findBestWord(search, model::Measure::Exact));
  return report::WordFindings{search.p, std::move(byEquation), std::move(byChain)};
}

} // namespace

Expected<std::string> runBestWord(const model::WordSearch& search, const Output& output) {
  HEDDLE_TRY(const report::WordFindings findings, findWords(search));
  return output.json ? report::bestWordJson(findings)
                     : report::bestWordText(findings, output.style);
}

Expected<std::string> runWordTable(const Output& output) {
  std::vector<report::WordTableRow> rows;
  for (const model::PublishedWord& published : model::publishedWords()) {
    HEDDLE_TRY(const model::Branching branching, model::Branching::twoWay(published.p));
    HEDDLE_TRY(const model::Word word, model::Word::parse(published.word, branching));
    HEDDLE_TRY(report::WordFindings findings,
               findWords({.p = published.p, .segments = 3, .longestRun = 10}));
    const bool same = findings.byEquation.word.sameSchedule(word);
    rows.push_back({published, std::move(findings), same});
  }
  return output.json ? report::wordTableJson(rows) : report::wordTableText(rows, output.style);
}

} // namespace heddle::driver
