// SPDX-License-Identifier: Apache-2.0
//
// A published experiment as data: studies/NAME/study.json beside studies/NAME/NAME.cu.
// docs/design/studies.md describes every key.
#pragma once

#include "study/Checks.h"
#include "study/Rows.h"
#include "support/Error.h"
#include "support/JsonReader.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::study {

/// One execution: the study's own program, or a command of heddle; or rows that are there already.
struct Run {
  std::vector<std::string> arguments{}; ///< of the program
  std::vector<std::string> quick{};     ///< instead, for a quick run; of the program or of heddle
  std::vector<std::string> gpu{};       ///< instead, on a GPU
  std::vector<std::string> heddle{};    ///< words of a heddle command; empty: the program
  std::string rows{};                   ///< JSON pointer to the rows in what heddle prints
  std::string file{};                   ///< what a program printed, beside the declaration
  Row with = Row::object();             ///< fields added to each row
  bool hasQuick = false;
  bool hasGpu = false;

  bool isProgram() const { return heddle.empty() && file.empty(); }
};

struct PublishedLine {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct Figure {
  std::string title;
  std::string x;
  std::string y;
  std::string xLabel;
  std::string yLabel;
  bool logX = false;
  bool logY = false;
  Filter where = Filter::object();
  std::string by = "series"; ///< field that tells the lines apart
  double scale = 1;          ///< factor on y
  std::vector<PublishedLine> published{};
};

/// Rows as they are, a line each.
struct RowTable {
  std::string title;
  Filter where = Filter::object();
  std::vector<std::string> columns; ///< fields; rows that have none of them are left out
  std::vector<std::string> labels;  ///< as many; the fields where none are given
};

/// Reported in words, not checked.
struct Note {
  std::string says;
  std::string because;
};

struct Study {
  std::string name;
  std::filesystem::path folder;
  std::string document; ///< "000" to "999"
  std::string source;   ///< author, title
  std::string figure;
  std::string title;
  std::string device;               ///< of the document
  std::vector<std::string> devices; ///< that the full run takes; begins with the quick one
  std::map<std::string, std::map<std::string, int>> registers; ///< device -> kernel -> number
  std::vector<Run> runs;
  std::vector<Figure> figures;
  std::vector<RowTable> tables;
  std::vector<Check> checks;
  std::vector<Note> notes;

  std::filesystem::path program() const { return folder / (name + ".cu"); }
  bool hasProgramRun() const;
};

/// A declaration from its text. An error names `file`, the key, what was found and what was
/// expected.
Expected<Study> parseStudy(std::string_view text, const std::string& name, std::string_view file);

/// A figure of a declaration; complaints go to the reader.
Figure readFigure(JsonReader& reader);

/// The document, or the line where the text stops being JSON.
Expected<nlohmann::ordered_json> parseDocument(std::string_view text, std::string_view file);

/// The study in a folder; its program must be there if a run needs it.
Expected<Study> readStudy(const std::filesystem::path& folder);

/// The studies below a folder, by name.
Expected<std::vector<std::string>> studyNames(const std::filesystem::path& folder);

} // namespace heddle::study
