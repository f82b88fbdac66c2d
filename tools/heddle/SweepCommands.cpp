// SPDX-License-Identifier: Apache-2.0
#include "CommandLine.h"
#include "Commands.h"
#include "Commit.h"

#include "driver/SweepCommand.h"
#include "support/Parse.h"

#include <memory>

namespace heddle::tool {
namespace {

Flag databaseFlag(std::string& target) {
  return completing(textFlag("--database", "FILE",
                             "the file of the points (default: SPEC with .db for .json)", target),
                    Completes::Files);
}

Flag sweepFileFlag(std::string& target) {
  return completing(required(textFlag("FILE", "FILE", "a spec, or the file of its points", target)),
                    Completes::Files);
}

Flag columnsFlag(std::vector<std::string>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    for (const std::string_view name : splitText(text, ','))
      target.emplace_back(name);
    return {};
  };
  return {.name = "--columns",
          .value = "A,B,..",
          .help = "outputs to show (default: those of the spec, else some that differ)",
          .set = set};
}

Command showCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::SweepShowOptions>();
  Command command;
  command.name = "show";
  command.summary = "the points of a sweep as a table, also while it runs";
  command.examples = {"heddle sweep show mine.json --columns efficiency.mean,efficiency.sd"};
  command.positional = sweepFileFlag(options->sweep.file);
  command.flags =
      withOutputFlags({columnsFlag(options->columns),
                       switchFlag("--failed", "only points that failed", options->failed),
                       databaseFlag(options->sweep.database)},
                      common);
  command.run = [options, &common] { return driver::showSweep(*options, common.output()); };
  return command;
}

Command exportPointsCommand() {
  auto sweep = std::make_shared<driver::SweepFile>();
  Command csv;
  csv.name = "csv";
  csv.summary = "print all points as CSV: inputs, status, time, outputs";
  csv.examples = {"heddle sweep export csv mine.json > mine.csv"};
  csv.positional = sweepFileFlag(sweep->file);
  csv.flags = {databaseFlag(sweep->database)};
  csv.run = [sweep] { return driver::exportSweep(*sweep); };
  Command command;
  command.name = "export";
  command.summary = "the points of a sweep for other programs";
  command.children = {csv};
  return command;
}

Command plotCommand() {
  auto options = std::make_shared<driver::SweepPlotOptions>();
  Command command;
  command.name = "plot";
  command.summary = "draw the points of a sweep as a picture (SVG)";
  command.details = "Without --x and --y the figures that the spec declares.";
  command.examples = {"heddle sweep plot mine.json",
                      "heddle sweep plot mine.json --x p --y efficiency.mean --by policy"};
  command.positional = sweepFileFlag(options->sweep.file);
  command.flags = {
      textFlag("--x", "NAME", "the input or output along the axis", options->x),
      textFlag("--y", "NAME", "the output, or 'seconds'", options->y),
      textFlag("--by", "NAME", "what tells the lines apart (default: an input)", options->by),
      switchFlag("--log-x", "a logarithmic axis", options->logX),
      switchFlag("--log-y", "a logarithmic axis", options->logY),
      completing(
          textFlag("--svg", "FILE", "the picture (default: FILE with .svg)", options->svgFile),
          Completes::Files),
      databaseFlag(options->sweep.database)};
  command.run = [options] { return driver::plotSweep(*options); };
  return command;
}

std::string versionText() {
  const std::string_view commit = HEDDLE_COMMIT;
  return commit.empty() ? HEDDLE_VERSION : fmt::format("{} ({})", HEDDLE_VERSION, commit);
}

/// Parses and runs nothing.
Expected<void> understand(const std::vector<std::string>& words) {
  CommonOptions common;
  const Command root = makeCommands(common);
  HEDDLE_TRY(const Invocation invocation, parseCommandLine(root, words));
  if (!invocation.command->run || invocation.wish != Wish::Run)
    return fail(ErrorKind::BadInput, "'{}' is no command that can be run", invocation.path);
  return {};
}

} // namespace

Command sweepCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::SweepOptions>();
  options->version = versionText();
  options->check = understand;
  Command command;
  command.name = "sweep";
  command.summary = "run a command over a grid or a list of parameters, and keep every point";
  command.details =
      "SPEC.json names a command with {parameters} in it, and the values they take. Every point is "
      "a row\n"
      "of a SQLite file, with inputs, outputs, time, version and status. A sweep that was ended "
      "goes on\n"
      "where it was; failed points are kept and listed, and --retry runs them again. On several "
      "cores or\n"
      "machines: mpirun -n N heddle sweep SPEC.json, with the MPI of this build. The status is 1 "
      "when\n"
      "points failed. docs/sweep.md describes the spec, and how a sweep runs under Slurm.";
  command.examples = {"heddle sweep mine.json",
                      "mpirun -n 4 --enable-recovery heddle sweep mine.json",
                      "heddle sweep show mine.json"};
  command.positional =
      completing(required(textFlag("SPEC", "SPEC", "the sweep, a JSON file", options->spec)),
                 Completes::Files);
  command.flags = withOutputFlags(
      {databaseFlag(options->database),
       integerFlag("--at-once", "points that each process runs at once (default 1)",
                   options->atOnce),
       switchFlag("--retry", "run failed points again", options->retry),
       integerFlag("--silence", "in a job: seconds after which a rank counts as dead (default 20)",
                   options->silence)},
      common);
  command.children = {showCommand(common), exportPointsCommand(), plotCommand()};
  command.run = [options, &common] { return driver::runSweep(*options, common.output()); };
  return command;
}

} // namespace heddle::tool
