// SPDX-License-Identifier: Apache-2.0
#include "report/SweepPointsReport.h"

#include "report/Format.h"
#include "report/Json.h"
#include "report/StudyFigures.h"
#include "report/Table.h"
#include "support/NearestName.h"
#include "support/Printable.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace heddle::report {
namespace {

using sweep::PointRow;
using sweep::Row;
using sweep::Value;
using sweep::valueText;

constexpr std::size_t mostListed = 20; ///< failures in the text; --json and CSV have all

std::int64_t countOf(const SweepPoints& points, std::string_view status) {
  return std::ranges::count(points.rows, status, &PointRow::status);
}

std::vector<std::string> namesIn(const SweepPoints& points, Row PointRow::* fields) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const PointRow& row : points.rows)
    for (const auto& field : (row.*fields).items())
      if (known.insert(field.key()).second)
        names.push_back(field.key());
  return names;
}

/// "policy aging, p 0.1"
std::string inputsText(const Row& inputs) {
  std::vector<std::string> parts;
  for (const auto& field : inputs.items())
    parts.push_back(fmt::format("{} {}", field.key(), valueText(field.value())));
  return printableLine(fmt::format("{}", fmt::join(parts, ", ")));
}

/// A number as a reader wants it in a table; the files have all digits.
std::string shortText(const Row& row, const std::string& name) {
  const auto field = row.find(name);
  if (field == row.end())
    return "-";
  if (field->is_number_float())
    return fmt::format("{:.5g}", field->get<double>());
  return printableLine(valueText(*field));
}

std::string failureList(const SweepPoints& points, const TextStyle& style) {
  Table table("rll");
  std::size_t left = 0, listed = 0;
  for (const PointRow& row : points.rows) {
    if (row.status != "failed")
      continue;
    if (listed == mostListed) {
      ++left;
      continue;
    }
    ++listed;
    table.addRow(
        {std::to_string(row.number), inputsText(row.inputs), printableLine(row.result.message)});
  }
  if (listed == 0)
    return "";
  return fmt::format(
      "\n{}\n{}{}", style.bad("failed"), table.print(),
      left == 0 ? "" : fmt::format("  and {} more: 'heddle sweep show --failed'\n", left));
}

std::string versionNote(const SweepPoints& points) {
  std::set<std::string> versions;
  for (const PointRow& row : points.rows)
    if (row.status == "done")
      versions.insert(row.result.version);
  return versions.size() < 2 ? ""
                             : fmt::format("points are of different versions of heddle: {}",
                                           fmt::join(versions, "; "));
}

std::string problemList(const SweepPoints& points) {
  std::vector<std::string> problems = points.problems;
  if (std::string note = versionNote(points); !note.empty())
    problems.push_back(std::move(note));
  std::string text = problems.empty() ? "" : "\nto note\n";
  for (const std::string& problem : problems)
    text += fmt::format("  {}\n", printableLine(problem));
  return text;
}

std::string runText(const SweepSession& run) {
  if (run.ended == 0)
    return "nothing was left to do\n";
  return fmt::format("{} of them in {} s, {} points/s\n", run.ended, rounded(run.seconds, 3),
                     rounded(run.seconds > 0 ? double(run.ended) / run.seconds : 0, 3));
}

std::string csvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (const char letter : text)
    quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + '"';
}

std::string csvField(const Row& row, const std::string& name) {
  const auto field = row.find(name);
  return field == row.end() ? "" : csvCell(valueText(*field));
}

Row jsonOf(const PointRow& row) {
  const bool ran = row.runs > 0;
  return {{"number", row.number},
          {"status", row.status},
          {"inputs", row.inputs},
          {"outputs", row.result.outputs},
          {"seconds", ran ? Json(row.result.seconds) : Json(nullptr)},
          {"started", row.result.started},
          {"version", row.result.version},
          {"host", row.result.host},
          {"runs", row.runs},
          {"message", row.result.message},
          {"log", row.result.log},
          {"command", row.command}};
}

/// The first input besides x that tells points apart; lines are named by it.
std::string lineField(const SweepPoints& points, const study::Figure& figure) {
  const std::vector<Row> rows = pointsRows(points);
  for (const std::string& name : namesIn(points, &PointRow::inputs)) {
    std::set<std::string> values;
    for (const Row& row : rows)
      if (row.contains(name) && study::matches(row, figure.where))
        values.insert(row[name].dump());
    if (name != figure.x && values.size() > 1)
      return name;
  }
  return figure.by;
}

std::string noPointText(const study::Figure& figure, const std::vector<Row>& rows) {
  std::set<std::string> names;
  for (const Row& row : rows)
    for (const auto& field : row.items())
      if (field.value().is_number())
        names.insert(field.key());
  const std::vector<std::string> known(names.begin(), names.end());
  for (const std::string& name : {figure.x, figure.y})
    if (!names.contains(name))
      return fmt::format("no point that is done has a number '{}'{}", name,
                         didYouMean(name, known));
  return fmt::format("figure '{}': no point that is done belongs to it", figure.title);
}

} // namespace

std::string pointsSummary(const SweepPoints& points, const std::optional<SweepSession>& run,
                          const TextStyle& style) {
  const auto done = countOf(points, "done"), failed = countOf(points, "failed");
  const auto left = countOf(points, "waiting");
  std::string text =
      fmt::format("{}   {} points: {} done, {}, {} left   {}\n",
                  style.bold(printableLine(points.title)), points.rows.size(), done,
                  failed == 0 ? "0 failed" : style.bad(fmt::format("{} failed", failed)), left,
                  printableLine(points.database));
  if (run)
    text += runText(*run);
  return text + problemList(points) + failureList(points, style);
}

std::vector<std::string> pointsOutputs(const SweepPoints& points, bool onlyVarying) {
  std::vector<std::string> names;
  std::map<std::string, std::set<std::string>> values;
  for (const PointRow& row : points.rows)
    for (const auto& field : row.result.outputs.items()) {
      if (!values.contains(field.key()))
        names.push_back(field.key());
      if (auto& known = values[field.key()]; known.size() < 2)
        known.insert(field.value().dump());
    }
  std::erase_if(names,
                [&](const std::string& name) { return onlyVarying && values[name].size() < 2; });
  return names;
}

std::string pointsTable(const SweepPoints& points, const std::vector<std::string>& outputs,
                        const TextStyle& style) {
  const std::vector<std::string> inputs = namesIn(points, &PointRow::inputs);
  Table table("r" + std::string(inputs.size(), 'r') + "lr" + std::string(outputs.size(), 'r') +
              "l");
  std::vector<std::string> head = {"#"};
  head.insert(head.end(), inputs.begin(), inputs.end());
  head.insert(head.end(), {"status", "seconds"});
  head.insert(head.end(), outputs.begin(), outputs.end());
  head.emplace_back("");
  std::ranges::for_each(head, [](std::string& cell) { cell = printableLine(cell); });
  table.addRow(std::move(head));
  for (const PointRow& row : points.rows) {
    std::vector<std::string> cells = {std::to_string(row.number)};
    for (const std::string& name : inputs)
      cells.push_back(shortText(row.inputs, name));
    cells.push_back(row.status == "failed" ? style.bad(row.status) : row.status);
    cells.push_back(row.runs == 0 ? "-" : rounded(row.result.seconds, 3));
    for (const std::string& name : outputs)
      cells.push_back(shortText(row.result.outputs, name));
    cells.push_back(printableLine(row.result.message));
    table.addRow(std::move(cells));
  }
  return table.print();
}

std::string pointsJson(const SweepPoints& points) {
  Json json = startJson("sweep-report");
  json["title"] = points.title;
  json["database"] = points.database;
  json["points"] = points.rows.size();
  for (const char* const status : {"done", "failed", "waiting"})
    json[status] = countOf(points, status);
  json["problems"] = points.problems;
  json["rows"] = Json::array();
  for (const PointRow& row : points.rows)
    json["rows"].push_back(jsonOf(row));
  return printJson(json);
}

std::string pointsCsv(const SweepPoints& points) {
  const std::vector<std::string> inputs = namesIn(points, &PointRow::inputs);
  const std::vector<std::string> outputs = pointsOutputs(points, false);
  std::vector<std::string> cells = {"number"};
  for (const std::string& name : inputs)
    cells.push_back(csvCell(name));
  cells.insert(cells.end(), {"status", "seconds", "started", "version", "host", "message"});
  for (const std::string& name : outputs) // many commands repeat what they were given
    cells.push_back(std::ranges::find(cells, csvCell(name)) == cells.end()
                        ? csvCell(name)
                        : csvCell("output." + name));
  std::string text = fmt::format("{}\r\n", fmt::join(cells, ","));
  for (const PointRow& row : points.rows) {
    cells = {std::to_string(row.number)};
    for (const std::string& name : inputs)
      cells.push_back(csvField(row.inputs, name));
    const sweep::PointResult& result = row.result;
    cells.insert(cells.end(), {row.status, row.runs == 0 ? "" : fmt::format("{}", result.seconds),
                               result.started, csvCell(result.version), csvCell(result.host),
                               csvCell(result.message)});
    for (const std::string& name : outputs)
      cells.push_back(csvField(result.outputs, name));
    text += fmt::format("{}\r\n", fmt::join(cells, ","));
  }
  return text;
}

std::vector<Row> pointsRows(const SweepPoints& points) {
  std::vector<Row> rows;
  for (const PointRow& point : points.rows) {
    if (point.status != "done")
      continue;
    Row row = point.result.outputs;
    for (const auto& field : point.inputs.items())
      row[field.key()] = field.value().is_array() ? Value(valueText(field.value())) : field.value();
    row["seconds"] = point.result.seconds;
    rows.push_back(std::move(row));
  }
  return rows;
}

Expected<std::string> pointsPicture(const SweepPoints& points,
                                    const std::vector<study::Figure>& figures) {
  const std::vector<Row> rows = pointsRows(points);
  std::vector<Chart> charts;
  for (study::Figure figure : figures) {
    if (figure.by == study::Figure{}.by)
      figure.by = lineField(points, figure);
    auto chart = studyChart(figure, rows, "");
    if (!chart)
      return fail(ErrorKind::BadInput, "{}", noPointText(figure, rows));
    charts.push_back(std::move(*chart));
  }
  return drawSvg(charts);
}

} // namespace heddle::report
