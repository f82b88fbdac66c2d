// SPDX-License-Identifier: Apache-2.0
//
// The commands that take profiles.
#include "Commands.h"

#include "driver/DiffCommand.h"
#include "driver/ExportCommand.h"

#include <memory>

namespace heddle::tool {
namespace {

Flag conditionFlag(std::vector<profile::DiffCondition>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    HEDDLE_TRY(profile::DiffCondition condition, profile::parseDiffCondition(text));
    target.push_back(std::move(condition));
    return {};
  };
  return {.name = "--fail-on",
          .value = "CONDITION",
          .help = "status 1 where the change of a kernel is so; for example 'efficiency<-2%'",
          .set = set,
          .repeatable = true};
}

Flag profilesFlag(std::vector<std::string>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    target.emplace_back(text);
    return {};
  };
  return {.name = "PROFILE",
          .value = "PROFILE",
          .help = "two profiles, before and after",
          .set = set,
          .required = true,
          .repeatable = true,
          .completes = Completes::Files};
}

} // namespace

Flag formatFlag(std::string help, std::string& target) {
  const std::vector<std::string> names = driver::exportFormats();
  return choiceFlag("--format", std::move(help), names,
                    [&target, names](std::size_t index) { target = names[index]; });
}

Command diffCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::DiffOptions>();
  Command command;
  command.name = "diff";
  command.summary = "what changed between two profiles: before and after, two GPUs, two inputs";
  command.details =
      "Compares what 'heddle run --profile FILE' wrote. Kernels are matched by symbol, then by "
      "name;\n"
      "lines by their text, wherever they have moved. A condition of --fail-on is a metric, < or "
      ">, "
      "and a\n"
      "change: 'efficiency<-2%' (percentage points), 'time>5%' (of what it was), 'registers>8'. "
      "Metrics are\n"
      "efficiency, switched-off, lost, warp-instructions, thread-instructions, time, occupancy,\n"
      "registers, spills, sectors, sectors-per-request and conflict-degree. Where one holds for a\n"
      "kernel the status is 1. "
      "docs/ci.md has a workflow for pull requests.";
  command.examples = {
      "heddle diff mine-before.json mine-after.json",
      "heddle diff mine-before.json mine-after.json --fail-on 'efficiency<-2%' --fail-on "
      "'time>5%' --markdown"};
  command.positional = profilesFlag(options->files);
  command.flags = withOutputFlags(
      {conditionFlag(options->failOn),
       switchFlag("--markdown", "print Markdown, for a pull request", options->markdown),
       integerFlag("--top", "lines of source to show (default 10)", options->lines)},
      common);
  command.run = [options, &common] { return driver::runDiff(*options, common.output()); };
  return command;
}

Command exportCommand() {
  auto options = std::make_shared<driver::ExportOptions>();
  Command command;
  command.name = "export";
  command.summary =
      "a profile for another tool: code scanning, Perfetto, a spreadsheet, KCachegrind";
  command.details =
      "Takes what 'heddle run --profile FILE' wrote.\n"
      "sarif      findings for code scanning (2.1.0); 'heddle run --format sarif' adds advice\n"
      "trace      launches, with --record-warps also blocks and warps of the timing model, for "
      "Perfetto\n"
      "csv        kernels, branches, loops and memory instructions, a row each\n"
      "md         a summary in Markdown\n"
      "callgrind  lost lanes and memory by line, for KCachegrind and callgrind_annotate";
  command.examples = {"heddle export mine.json --format sarif -o heddle.sarif",
                      "heddle export mine.json --format callgrind -o callgrind.out"};
  command.positional =
      completing(required(textFlag("PROFILE", "PROFILE", "what 'heddle run --profile' wrote",
                                   options->profile)),
                 Completes::Files);
  command.flags = {required(formatFlag("the format to write", options->format)),
                   {.name = "-o",
                    .value = "FILE",
                    .help = "write a file instead of standard output",
                    .set = [](std::string_view) { return Expected<void>(); },
                    .completes = Completes::Files}};
  command.takeForeign = [options](std::span<const std::string> arguments) -> Expected<std::size_t> {
    if (arguments.front() != "-o")
      return 0;
    if (arguments.size() < 2)
      return fail(ErrorKind::BadInput, "-o needs a value");
    options->output = arguments[1];
    return 2;
  };
  command.run = [options] { return driver::runExport(*options); };
  return command;
}

} // namespace heddle::tool
