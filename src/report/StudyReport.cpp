// SPDX-License-Identifier: Apache-2.0
#include "report/StudyReport.h"

#include "report/Json.h"
#include "report/StudyFigures.h"
#include "report/Table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace heddle::report {
namespace {

using study::Check;
using study::Study;

constexpr std::size_t fewestClaimColumns = 24;
constexpr std::size_t mostFigureColumns = 24;

std::size_t widest(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const std::string& text : texts)
    width = std::max(width, displayWidth(text));
  return width;
}

/// Columns that are left for sentences beside `taken` others.
std::size_t textColumns(std::size_t taken) {
  return std::max(fewestClaimColumns, taken < mostColumns() ? mostColumns() - taken : 0);
}

/// A row whose last cell is a sentence: it goes on below itself.
void addWrapped(Table& table, std::vector<std::string> cells, std::string_view sentence,
                std::size_t width) {
  for (const std::string& line : wrapText(sentence, width)) {
    cells.push_back(line);
    table.addRow(cells);
    cells.pop_back();
    cells.assign(cells.size(), "");
  }
}

std::string foundText(const StudyCheck& item) {
  if (!item.result->found)
    return "-";
  const double found = *item.result->found;
  const bool whole = std::abs(found) < 1e15 && found == std::floor(found);
  return whole ? fmt::format("{:.0f}", found + 0.0) : fmt::format("{:.5g}", found);
}

std::string verdictText(const StudyCheck& item, const TextStyle& style) {
  return item.result->holds ? style.good("holds") : style.bad("FAILS");
}

std::string checkTable(const std::vector<StudyCheck>& checks, const TextStyle& style) {
  std::vector<std::string> found{"found"}, expected{"expected"};
  for (const StudyCheck& item : checks)
    if (item.result) {
      found.push_back(foundText(item));
      expected.push_back(study::boundText(item.check));
    }
  if (found.size() == 1)
    return "";
  const std::size_t width = textColumns(4 + 5 + 2 + widest(found) + 2 + widest(expected) + 2);
  Table table("lrll");
  table.addRow({"", style.bold("found"), style.bold("expected"), style.bold("claim")});
  for (const StudyCheck& item : checks) {
    if (!item.result)
      continue;
    addWrapped(table, {verdictText(item, style), foundText(item), study::boundText(item.check)},
               item.check.says, width);
    if (!item.result->holds)
      addWrapped(table, {"", "", ""},
                 item.check.id + (item.result->reason.empty() ? "" : ": " + item.result->reason),
                 width);
  }
  return table.print(4);
}

std::string cellText(const study::Row& row, const std::string& field) {
  const auto found = row.find(field);
  if (found == row.end())
    return "-";
  if (found->is_string())
    return found->get<std::string>();
  if (found->is_number_float())
    return fmt::format("{:.4g}", found->get<double>());
  return found->dump();
}

/// The rows that a table is about, numbers at the right.
std::string rowTable(const study::RowTable& table, const std::vector<study::Row>& rows,
                     const TextStyle& style) {
  std::vector<study::Row> shown;
  for (const study::Row& row : rows)
    if (study::matches(row, table.where) &&
        std::ranges::any_of(table.columns, [&](const auto& field) { return row.contains(field); }))
      shown.push_back(row);
  if (shown.empty())
    return "";
  std::string alignment;
  std::vector<std::string> head;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto isText = [&](const study::Row& row) {
      return row.contains(table.columns[i]) && row[table.columns[i]].is_string();
    };
    alignment += std::ranges::any_of(shown, isText) ? 'l' : 'r';
    head.push_back(style.bold(table.labels[i]));
  }
  Table text(alignment);
  text.addRow(head);
  for (const study::Row& row : shown) {
    std::vector<std::string> cells;
    for (const std::string& field : table.columns)
      cells.push_back(cellText(row, field));
    text.addRow(std::move(cells));
  }
  return fmt::format("\n    {}\n", table.title) + text.print(4);
}

/// A sentence behind a label; further lines are indented as far.
std::string hanging(std::string_view label, std::string_view sentence) {
  std::string text;
  for (const std::string& line : wrapText(sentence, textColumns(label.size())))
    text += (text.empty() ? std::string(label) : std::string(label.size(), ' ')) + line + "\n";
  return text;
}

std::string skippedText(const std::vector<StudyCheck>& checks) {
  std::string ids;
  for (const StudyCheck& item : checks)
    if (!item.result)
      ids += fmt::format("{}{} ({})", ids.empty() ? "" : ", ", item.check.id, item.skipped);
  return ids.empty() ? "" : hanging("    not asked here: ", ids);
}

std::string deviceText(const Study& study, const StudyOnDevice& on, const StudySession& session,
                       const TextStyle& style) {
  std::string tables;
  for (const study::RowTable& table : study.tables)
    tables += rowTable(table, on.rows, style);
  return fmt::format("  {}{}{}   {} rows in {:.3g} s\n", style.bold(on.name),
                     session.onGpu ? "" : ", modelled", session.quick ? ", quick" : "",
                     on.rows.size(), on.seconds) +
         checkTable(on.checks, style) + skippedText(on.checks) + tables;
}

std::string notesText(const Study& study) {
  std::string text;
  for (const study::Note& note : study.notes)
    text += hanging("  not checked: ",
                    note.says + (note.because.empty() ? "" : " (" + note.because + ")"));
  return text;
}

std::string headText(const Study& study, const TextStyle& style) {
  std::string text = hanging(study.name + "   ", study.title);
  text.replace(0, study.name.size(), style.bold(study.name));
  const std::string source =
      fmt::format("{}, {} (document {})", study.source, study.figure, study.document);
  for (const std::string& line : wrapText(source, mostColumns() - 2))
    text += "  " + style.faint(line) + "\n";
  return text;
}

std::string emptyFigures(const StudyFindings& findings) {
  std::string text;
  for (std::size_t index = 0; index < findings.study.figures.size(); ++index)
    for (const StudyOnDevice& on : findings.devices)
      if (!studyChart(findings.study.figures[index], on.rows, on.name))
        text += fmt::format("  figure {} has no rows on {}\n", index + 1, on.name);
  return text;
}

std::string oneText(const StudyFindings& findings, const StudySession& session,
                    const TextStyle& style) {
  std::string text = headText(findings.study, style);
  if (!findings.error.empty())
    return text + fmt::format("  {} {}\n", style.bad("error:"), findings.error);
  for (const StudyOnDevice& on : findings.devices)
    text += "\n" + deviceText(findings.study, on, session, style);
  const std::string rest = emptyFigures(findings) + notesText(findings.study);
  return text + (rest.empty() ? "" : "\n" + rest);
}

std::string summaryText(const StudySession& session, const TextStyle& style) {
  const CheckCounts counts = countChecks(session);
  const std::size_t all = counts.hold + counts.fail;
  if (all == 0)
    return "no checks\n";
  if (counts.fail == 0)
    return style.good(fmt::format("{} of {} checks hold", counts.hold, all)) + "\n";
  return style.bad(fmt::format("{} of {} checks FAIL", counts.fail, all)) + "\n";
}

Json checkJson(const StudyCheck& item) {
  const Check& check = item.check;
  Json json{{"id", check.id}, {"says", check.says}, {"kind", study::kindName(check.kind)}};
  json["verdict"] = !item.result ? "skipped" : item.result->holds ? "holds" : "fails";
  json["found"] = item.result ? orNull(item.result->found) : Json(nullptr);
  json["atLeast"] = orNull(check.atLeast);
  json["atMost"] = orNull(check.atMost);
  json["rows"] = item.result ? item.result->rows : 0;
  const std::string reason = item.result ? item.result->reason : item.skipped;
  json["reason"] = reason.empty() ? Json(nullptr) : Json(reason);
  return json;
}

Json onDeviceJson(const StudyOnDevice& on) {
  Json json{{"device", on.device}, {"name", on.name}, {"seconds", on.seconds}};
  json["checks"] = Json::array();
  for (const StudyCheck& item : on.checks)
    json["checks"].push_back(checkJson(item));
  json["rows"] = on.rows;
  return json;
}

Json aboutJson(const Study& study) {
  return {{"name", study.name},     {"document", study.document}, {"source", study.source},
          {"figure", study.figure}, {"title", study.title},       {"device", study.device}};
}

Json findingsJson(const StudyFindings& findings) {
  Json json = aboutJson(findings.study);
  json["error"] = findings.error.empty() ? Json(nullptr) : Json(findings.error);
  json["notes"] = Json::array();
  for (const study::Note& note : findings.study.notes)
    json["notes"].push_back({{"says", note.says}, {"because", note.because}});
  json["devices"] = Json::array();
  for (const StudyOnDevice& on : findings.devices)
    json["devices"].push_back(onDeviceJson(on));
  return json;
}

} // namespace

CheckCounts countChecks(const StudySession& session) {
  CheckCounts counts;
  for (const StudyFindings& findings : session.studies)
    for (const StudyOnDevice& on : findings.devices)
      for (const StudyCheck& item : on.checks)
        if (item.result)
          ++(item.result->holds ? counts.hold : counts.fail);
  return counts;
}

std::string studyText(const StudySession& session, const TextStyle& style) {
  std::string text;
  for (const StudyFindings& findings : session.studies)
    text += oneText(findings, session, style) + "\n";
  return text + summaryText(session, style);
}

std::string studyJson(const StudySession& session) {
  Json json = startJson("study-report");
  json["on"] = session.onGpu ? "gpu" : "engine";
  json["quick"] = session.quick;
  const CheckCounts counts = countChecks(session);
  json["holding"] = counts.hold;
  json["failing"] = counts.fail;
  json["studies"] = Json::array();
  for (const StudyFindings& findings : session.studies)
    json["studies"].push_back(findingsJson(findings));
  return printJson(json);
}

std::vector<Picture> studyPictures(const StudyFindings& findings) {
  std::vector<Picture> pictures;
  for (std::size_t index = 0; index < findings.study.figures.size(); ++index) {
    std::vector<Chart> charts;
    for (const StudyOnDevice& on : findings.devices)
      if (auto chart = studyChart(findings.study.figures[index], on.rows, on.name))
        charts.push_back(*std::move(chart));
    if (!charts.empty())
      pictures.push_back(
          {fmt::format("{}-{}.svg", findings.study.name, index + 1), drawSvg(charts)});
  }
  return pictures;
}

std::string studyListText(const std::vector<Study>& studies, const TextStyle& style) {
  std::vector<std::string> names{"name"}, figures{"figure"}, devices{"device"};
  for (const Study& study : studies) {
    names.push_back(study.name);
    devices.push_back(study.device);
    for (std::string& line : wrapText(study.figure, mostFigureColumns))
      figures.push_back(std::move(line));
  }
  const std::size_t width =
      textColumns(2 + widest(names) + 2 + 8 + 2 + widest(figures) + 2 + widest(devices) + 2);
  Table table("lllll");
  table.addRow({style.bold("name"), style.bold("document"), style.bold("figure"),
                style.bold("device"), style.bold("title")});
  for (const Study& study : studies) {
    std::vector<std::string> figure = wrapText(study.figure, mostFigureColumns);
    std::vector<std::string> title = wrapText(study.title, width);
    const std::size_t lines = std::max(figure.size(), title.size());
    figure.resize(lines);
    title.resize(lines);
    table.addRow({study.name, study.document, figure[0], study.device, title[0]});
    for (std::size_t line = 1; line < lines; ++line)
      table.addRow({"", "", figure[line], "", title[line]});
  }
  return table.print();
}

std::string studyListJson(const std::vector<Study>& studies) {
  Json json = startJson("studies");
  json["studies"] = Json::array();
  for (const Study& study : studies) {
    Json item = aboutJson(study);
    item["devices"] = study.devices;
    item["checks"] = study.checks.size();
    json["studies"].push_back(std::move(item));
  }
  return printJson(json);
}

} // namespace heddle::report
