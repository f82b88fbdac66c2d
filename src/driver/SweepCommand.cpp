// SPDX-License-Identifier: Apache-2.0
#include "driver/SweepCommand.h"

#include "driver/SweepMacros.h"
#include "report/SweepPointsReport.h"
#include "report/Table.h"
#include "support/Files.h"
#include "support/NearestName.h"
#include "support/Printable.h"
#include "support/Progress.h"
#include "support/TemporaryFolder.h"
#include "sweep/Foreman.h"
#include "sweep/SweepLock.h"
#include "sweep/Worker.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

constexpr int failedStatus = 1;
constexpr std::size_t shownOutputs = 4;
constexpr std::chrono::seconds lineInterval{60}; ///< between lines where there is no terminal

fs::path databaseOf(const std::string& file, const std::string& given) {
  if (!given.empty())
    return given;
  fs::path path = file;
  return path.extension() == ".json" ? path.replace_extension(".db") : path;
}

struct Prepared {
  std::string text;
  sweep::Spec spec;
  sweep::Points points;
};

/// A command that no point could be run with is refused before anything is written.
Expected<void> checkCommands(const Prepared& prepared, const SweepOptions& options) {
  std::optional<Error> first;
  for (const sweep::Point& point : prepared.points.points) {
    if (!point.refusal.empty())
      continue;
    const auto checked = options.check(point.command);
    if (checked)
      return {};
    if (!first)
      first = checked.error();
  }
  return first ? Expected<void>(tl::unexpected(*first)) : Expected<void>();
}

Expected<Prepared> prepareSweep(const SweepOptions& options) {
  HEDDLE_TRY(std::string text, readFile(options.spec));
  HEDDLE_TRY(sweep::Spec spec, sweep::parseSpec(text, options.spec));
  auto points = sweep::expandPoints(spec);
  if (!points)
    return tl::unexpected(within(options.spec, points.error()));
  Prepared prepared{std::move(text), std::move(spec), std::move(*points)};
  if (const auto checked = checkCommands(prepared, options); !checked)
    return tl::unexpected(within(options.spec + ": command", checked.error()));
  return prepared;
}

/// What the sweep says while it runs: a bar on a terminal; in a job, whose output is no terminal,
/// a line a minute.
class SweepProgress {
public:
  SweepProgress(std::size_t points, bool lines)
      : bar_("sweep"), points_(points), lines_(lines && !bar_.isVisible()) {
    bar_.expect(points);
  }

  void operator()(std::size_t ended, std::size_t failed) {
    bar_.advance(ended - std::exchange(shown_, ended));
    if (bar_.isVisible())
      bar_.say(text(ended, failed));
    else if (lines_ && line_.isDue())
      fmt::print(stderr, "heddle: sweep: {}\n", text(ended, failed));
  }

private:
  std::string text(std::size_t ended, std::size_t failed) const {
    const double passed = std::chrono::duration<double>(begin_.silence()).count();
    std::string result = fmt::format("{} of {}", ended, points_);
    if (failed > 0)
      result += fmt::format(", {} failed", failed);
    if (ended > 0)
      result += fmt::format(", {:.3g}/s, {} left", double(ended) / passed,
                            duration(passed / double(ended) * double(points_ - ended)));
    return result;
  }

  static std::string duration(double seconds) {
    const auto whole = std::int64_t(seconds + 0.5);
    if (whole < 100)
      return fmt::format("{} s", whole);
    if (whole < 6000)
      return fmt::format("{} min", (whole + 30) / 60);
    return fmt::format("{:.1f} h", double(whole) / 3600);
  }

  Progress bar_;
  std::size_t points_;
  bool lines_;
  std::size_t shown_ = 0;
  sweep::Heard begin_;
  sweep::Beat line_{lineInterval};
};

/// Outputs that were asked for and that no point had.
std::vector<std::string> missedOutputs(const sweep::Spec& spec, const report::SweepPoints& points) {
  std::vector<std::string> problems;
  const std::vector<std::string> known = report::pointsOutputs(points, false);
  const bool anyDone = std::ranges::any_of(
      points.rows, [](const sweep::PointRow& row) { return row.status == "done"; });
  for (const std::string& wanted : spec.outputs) {
    const bool found = std::ranges::any_of(known, [&](const std::string& name) {
      return name == wanted || name.starts_with(wanted + ".");
    });
    if (anyDone && !found)
      problems.push_back(fmt::format("no point has an output '{}'", wanted));
  }
  return problems;
}

/// Rank 0, or the only process there is.
class SweepRunner {
public:
  SweepRunner(const SweepOptions& options, sweep::Crew& crew) : options_(options), crew_(crew) {}

  Expected<report::SweepPoints> run(std::optional<report::SweepSession>& ran) {
    HEDDLE_TRY(const Prepared prepared, prepareSweep(options_));
    const fs::path file = databaseOf(options_.spec, options_.database);
    HEDDLE_TRY(sweep::PointTable table, sweep::PointTable::open(file));
    HEDDLE_TRY(const sweep::SweepLock lock, sweep::SweepLock::take(file));
    HEDDLE_CHECK(table.admit(prepared.points.points, prepared.text, options_.version));
    if (options_.retry)
      HEDDLE_CHECK(table.retryFailed());
    report::SweepPoints points{.title = prepared.spec.title,
                               .database = file.string(),
                               .rows = {},
                               .problems = prepared.points.problems};
    HEDDLE_TRY(ran, runWaiting(prepared, table, points.problems));
    HEDDLE_TRY(points.rows, table.rows());
    for (std::string& problem : missedOutputs(prepared.spec, points))
      points.problems.push_back(std::move(problem));
    return points;
  }

private:
  Expected<report::SweepSession> runWaiting(const Prepared& prepared, sweep::PointTable& table,
                                            std::vector<std::string>& problems) {
    HEDDLE_TRY(std::vector<sweep::Task> tasks, table.waiting());
    for (sweep::Task& task : tasks)
      task.limit = prepared.spec.limit;
    if (!tasks.empty())
      for (std::string& text : idleMacros(prepared.spec, prepared.points.points))
        problems.push_back(std::move(text));
    HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
    const sweep::PointSettings settings{prepared.spec.outputs, options_.version, folder.path()};
    SweepProgress progress(tasks.size(), !crew_.isEmpty());
    const sweep::ForemanOptions foreman{
        .slots = options_.atOnce,
        .progress = [&](std::size_t ended, std::size_t failed) { progress(ended, failed); }};
    HEDDLE_TRY(sweep::ForemanReport report,
               sweep::runPoints(table, tasks, crew_, settings, foreman));
    for (std::string& text : report.problems)
      problems.push_back(std::move(text));
    return report::SweepSession{report.ended, report.seconds};
  }

  const SweepOptions& options_;
  sweep::Crew& crew_;
};

Expected<Answer> work(sweep::Ranks& ranks, const SweepOptions& options) {
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  HEDDLE_CHECK(sweep::runWorker(
      ranks, {{}, options.version, folder.path()},
      {.slots = options.atOnce, .silence = std::chrono::seconds(3 * options.silence)}));
  return Answer();
}

/// A figure of the two axes that were asked for.
study::Figure askedFigure(const SweepPlotOptions& options, const std::string& title) {
  study::Figure figure{.title = title,
                       .x = options.x,
                       .y = options.y,
                       .xLabel = options.x,
                       .yLabel = options.y,
                       .logX = options.logX,
                       .logY = options.logY};
  if (!options.by.empty())
    figure.by = options.by;
  return figure;
}

struct ReadSweep {
  sweep::Spec spec;
  report::SweepPoints points;
};

Expected<ReadSweep> readSweep(const SweepFile& sweep) {
  const fs::path file = databaseOf(sweep.file, sweep.database);
  HEDDLE_TRY(const sweep::PointTable table, sweep::PointTable::openToRead(file));
  HEDDLE_TRY(const std::string text, table.specText());
  HEDDLE_TRY(sweep::Spec spec, sweep::parseSpec(text, file.string()));
  HEDDLE_TRY(std::vector<sweep::PointRow> rows, table.rows());
  std::string title = spec.title;
  return ReadSweep{std::move(spec), {std::move(title), file.string(), std::move(rows)}};
}

/// Those of the spec and its figures, else the first that differ.
std::vector<std::string> shownColumns(const ReadSweep& read) {
  std::vector<std::string> columns;
  const std::vector<std::string> known = report::pointsOutputs(read.points, false);
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(known, name) != known.end() &&
        std::ranges::find(columns, name) == columns.end())
      columns.push_back(name);
  };
  for (const study::Figure& figure : read.spec.figures)
    add(figure.y);
  std::ranges::for_each(read.spec.outputs, add);
  if (columns.empty())
    columns = report::pointsOutputs(read.points, true);
  columns.resize(std::min(columns.size(), shownOutputs));
  return columns;
}

} // namespace

Expected<Answer> runSweep(const SweepOptions& options, const Output& output) {
  if (options.atOnce < 1)
    return fail(ErrorKind::BadInput, "--at-once: {} points: expected at least 1", options.atOnce);
  if (options.silence < 1)
    return fail(ErrorKind::BadInput, "--silence: {} s: expected at least 1", options.silence);
  std::signal(SIGXFSZ, SIG_IGN); // to write then fails, and we can say so
  std::unique_ptr<sweep::Ranks> ranks;
  if (sweep::isInJob()) {
    HEDDLE_TRY(ranks, sweep::joinJob());
    if (ranks->rank() != 0)
      return work(*ranks, options);
  }
  sweep::Crew crew(ranks.get(), std::chrono::seconds(options.silence));
  std::optional<report::SweepSession> ran;
  const auto points = SweepRunner(options, crew).run(ran);
  crew.dismiss();
  if (!points)
    return tl::unexpected(points.error());
  const bool failed = std::ranges::any_of(
      points->rows, [](const sweep::PointRow& row) { return row.status == "failed"; });
  return Answer(output.json ? report::pointsJson(*points)
                            : report::fitted(report::pointsSummary(*points, ran, output.style)),
                "", failed ? failedStatus : 0);
}

Expected<Answer> showSweep(const SweepShowOptions& options, const Output& output) {
  HEDDLE_TRY(ReadSweep read, readSweep(options.sweep));
  const std::vector<std::string> known = report::pointsOutputs(read.points, false);
  for (const std::string& name : options.columns)
    if (std::ranges::find(known, name) == known.end())
      return fail(ErrorKind::NotFound, "--columns: no point has an output '{}'{}", name,
                  didYouMean(name, known));
  const std::vector<std::string> columns =
      options.columns.empty() ? shownColumns(read) : options.columns;
  const std::string summary = report::pointsSummary(read.points, std::nullopt, output.style);
  if (options.failed)
    std::erase_if(read.points.rows,
                  [](const sweep::PointRow& row) { return row.status != "failed"; });
  if (output.json)
    return Answer(report::pointsJson(read.points));
  return Answer(summary.substr(0, summary.find('\n') + 1) + "\n" +
                report::pointsTable(read.points, columns, output.style));
}

Expected<Answer> exportSweep(const SweepFile& sweep) {
  HEDDLE_TRY(const ReadSweep read, readSweep(sweep));
  Answer answer(report::pointsCsv(read.points));
  answer.exact = true;
  return answer;
}

Expected<Answer> plotSweep(const SweepPlotOptions& options) {
  HEDDLE_TRY(const ReadSweep read, readSweep(options.sweep));
  if (options.x.empty() != options.y.empty())
    return fail(ErrorKind::BadInput, "--x and --y go together");
  const std::vector<study::Figure> figures =
      options.x.empty() ? read.spec.figures : std::vector{askedFigure(options, read.spec.title)};
  if (figures.empty())
    return fail(ErrorKind::BadInput, "the spec has no figures; name two columns with --x and --y");
  HEDDLE_TRY(const std::string picture, report::pointsPicture(read.points, figures));
  fs::path file = options.svgFile;
  if (file.empty())
    file = fs::path(read.points.database).replace_extension(".svg");
  HEDDLE_CHECK(writeFile(file, picture));
  return Answer(fmt::format("wrote {}\n", printableLine(file.string())));
}

} // namespace heddle::driver
