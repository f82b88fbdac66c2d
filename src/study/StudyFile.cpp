// SPDX-License-Identifier: Apache-2.0
#include "study/StudyFile.h"

#include "study/CheckReader.h"
#include "support/Files.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <system_error>

namespace heddle::study {
namespace {

namespace fs = std::filesystem;

constexpr const char* schemaName = "heddle.study/1";
constexpr JsonWording wording{
    .missing = "key '{path}': it is missing, expected {expected}",
    .unlike = "key '{path}': found {short}, expected {expected}",
    .unknown = "key '{path}': it is unknown here{hint}",
    .about = "key '{path}': {what}",
    .list = "an array of {what}",
};
constexpr const char* fileName = "study.json";
constexpr int mostRegisters = 255;

std::string readDocument(JsonReader& reader) {
  std::string number = reader.text("document");
  const bool digits = number.size() == 3 && std::ranges::all_of(number, [](unsigned char letter) {
                        return std::isdigit(letter) != 0;
                      });
  if (!number.empty() && !digits)
    reader.complainOf("document",
                      fmt::format("found \"{}\", expected three digits such as \"001\"", number));
  return number;
}

std::map<std::string, std::map<std::string, int>> readRegisters(JsonReader& reader) {
  std::map<std::string, std::map<std::string, int>> registers;
  for (auto& [device, kernels] : reader.namedObjects("registers"))
    for (const std::string& kernel : kernels.keys()) {
      const double number = kernels.number(kernel);
      if (number < 1 || number > mostRegisters || number != double(int(number)))
        kernels.complainOf(kernel, fmt::format("found {}, expected a whole number from 1 to {}",
                                               number, mostRegisters));
      registers[device][kernel] = int(number);
    }
  return registers;
}

/// A JSON pointer is empty, or parts that each begin with a slash; '~' stands for an escape.
bool isPointer(const std::string& text) {
  for (std::size_t at = text.find('~'); at != std::string::npos; at = text.find('~', at + 1))
    if (at + 1 >= text.size() || (text[at + 1] != '0' && text[at + 1] != '1'))
      return false;
  return text.empty() || text.front() == '/';
}

void readModelRun(JsonReader& reader, Run& run) {
  run.heddle = reader.textsIfAny("heddle");
  if (run.heddle.empty() || run.heddle.front() == "study")
    reader.complainOf("heddle", "expected the words of a heddle command other than study, such as "
                                "[\"schedule\", \"table\", \"--json\"]");
  run.rows = reader.textOrEmpty("rows");
  if (!isPointer(run.rows))
    reader.complainOf(
        "rows", fmt::format("found \"{}\", expected a JSON pointer such as \"/rows\"", run.rows));
}

Run readRun(JsonReader& reader) {
  Run run;
  if (reader.has("file"))
    run.file = reader.text("file");
  else if (reader.has("heddle"))
    readModelRun(reader, run);
  else {
    run.arguments = reader.textsIfAny("arguments");
    run.hasGpu = reader.has("gpu");
    run.gpu = reader.textsIfAny("gpu");
  }
  if (run.file.empty()) {
    run.hasQuick = reader.has("quick");
    run.quick = reader.textsIfAny("quick");
  }
  run.with = reader.flatObject("with");
  reader.refuseUnread();
  return run;
}

RowTable readTable(JsonReader& reader) {
  RowTable table;
  table.title = reader.text("title");
  table.where = reader.flatObject("where");
  table.columns = reader.textsIfAny("columns");
  if (table.columns.empty())
    reader.complainOf("columns", "expected the names of fields, such as [\"series\", \"speedup\"]");
  table.labels = reader.textsIfAny("labels");
  if (table.labels.empty())
    table.labels = table.columns;
  if (table.labels.size() != table.columns.size())
    reader.complainOf("labels", fmt::format("found {}, expected one for each of the {} columns",
                                            table.labels.size(), table.columns.size()));
  reader.refuseUnread();
  return table;
}

std::vector<Check> readChecks(JsonReader& reader) {
  std::vector<Check> checks;
  std::set<std::string> ids;
  for (JsonReader& item : reader.objects("checks")) {
    checks.push_back(readCheck(item));
    if (!ids.insert(checks.back().id).second)
      item.complainOf(
          "id", fmt::format("found \"{}\" a second time, expected another name", checks.back().id));
  }
  return checks;
}

std::vector<Note> readNotes(JsonReader& reader) {
  std::vector<Note> notes;
  for (JsonReader& item : reader.objects("notes")) {
    notes.push_back({item.text("says"), item.textOr("because", "")});
    item.refuseUnread();
  }
  return notes;
}

Study read(JsonReader& reader, const std::string& name) {
  Study study;
  reader.checkSchema(schemaName);
  study.name = name;
  study.document = readDocument(reader);
  study.source = reader.text("source");
  study.figure = reader.text("figure");
  study.title = reader.text("title");
  study.device = reader.text("device");
  study.devices = reader.textsIfAny("devices");
  if (study.devices.empty())
    study.devices = {study.device};
  study.registers = readRegisters(reader);
  for (JsonReader& run : reader.objects("runs"))
    study.runs.push_back(readRun(run));
  if (study.runs.empty())
    reader.complainOf("runs", "it is missing or empty, expected at least one execution");
  for (JsonReader& figure : reader.objects("figures"))
    study.figures.push_back(readFigure(figure));
  for (JsonReader& table : reader.objects("tables"))
    study.tables.push_back(readTable(table));
  study.checks = readChecks(reader);
  if (study.figures.empty() && study.checks.empty())
    reader.complainOf("checks", "there are neither checks nor 'figures', expected one of them");
  study.notes = readNotes(reader);
  reader.refuseUnread();
  return study;
}

} // namespace

Figure readFigure(JsonReader& reader) {
  Figure figure;
  figure.title = reader.text("title");
  figure.x = reader.text("x");
  figure.y = reader.text("y");
  figure.xLabel = reader.textOr("xLabel", figure.x);
  figure.yLabel = reader.textOr("yLabel", figure.y);
  figure.logX = reader.flagOr("logX", false);
  figure.logY = reader.flagOr("logY", false);
  figure.where = reader.flatObject("where");
  figure.by = reader.textOr("by", "series");
  figure.scale = reader.numberOr("scale", 1);
  if (figure.scale == 0)
    reader.complainOf("scale", "found 0, expected another number");
  for (JsonReader& line : reader.objects("published")) {
    figure.published.push_back({line.text("name"), line.pairs("points")});
    if (figure.published.back().points.empty())
      line.complainOf("points", "expected pairs of numbers such as [[0, 1.5], [32, 33]]");
    line.refuseUnread();
  }
  reader.refuseUnread();
  return figure;
}

Expected<nlohmann::ordered_json> parseDocument(std::string_view text, std::string_view file) {
  try {
    return nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::string_view before = text.substr(0, error.byte == 0 ? 0 : error.byte - 1);
    const std::size_t begin = before.find_last_of('\n') + 1; // 0 when there is none
    return fail(ErrorKind::BadInput, "{}: line {} is no JSON behind '{}'", file,
                1 + std::ranges::count(before, '\n'), before.substr(begin));
  }
}

bool Study::hasProgramRun() const {
  return std::ranges::any_of(runs, [](const Run& run) { return run.isProgram(); });
}

Expected<Study> parseStudy(std::string_view text, const std::string& name, std::string_view file) {
  HEDDLE_TRY(const nlohmann::ordered_json document, parseDocument(text, file));
  if (!document.is_object())
    return fail(ErrorKind::BadInput, "{}: found {}, expected a JSON object", file,
                document.type_name());
  std::optional<Error> error;
  JsonReader reader(document, "", error, wording);
  Study study = read(reader, name);
  if (error)
    return tl::unexpected(within(file, *std::move(error)));
  return study;
}

Expected<Study> readStudy(const fs::path& folder) {
  const fs::path file = folder / fileName;
  HEDDLE_TRY(const std::string text, readFile(file));
  HEDDLE_TRY(Study study, parseStudy(text, folder.filename().string(), file.string()));
  study.folder = folder;
  std::error_code error;
  if (study.hasProgramRun() && !fs::is_regular_file(study.program(), error))
    return fail(ErrorKind::NotFound, "{}: key 'runs': the program {} is missing", file.string(),
                study.program().string());
  return study;
}

Expected<std::vector<std::string>> studyNames(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (fs::is_regular_file(entry->path() / fileName, ignored))
      names.push_back(entry->path().filename().string());
  }
  if (error)
    return fail(ErrorKind::Io, "cannot list the studies in {}: {}", folder.string(),
                error.message());
  std::ranges::sort(names);
  return names;
}

} // namespace heddle::study
