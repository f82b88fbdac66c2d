// SPDX-License-Identifier: Apache-2.0
//
// The commands whose result is a page in a browser.
#include "Commands.h"

#include "driver/ReportCommand.h"

#include <memory>

namespace heddle::tool {

Command reportCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::ReportOptions>();
  Command command;
  command.name = "report";
  command.summary = "write one HTML file that shows where the lanes of a run went";
  command.details =
      "Reads what 'heddle run --profile FILE' wrote, and the source files that it names, and "
      "writes a\n"
      "page that needs no network: the source with lost lanes at each line, the lanes of single "
      "warps\n"
      "over time, each kernel's losses, occupancy, time and advice. Two profiles or more are "
      "compared, the\n"
      "first with the last. What 'heddle fix --json' printed, named behind a profile, adds its "
      "verdicts\n"
      "and its diff. Compiler flags of the program (-I, -D, -std) help to find the advice.\n"
      "With --json, what the page shows goes to standard output, and no page is written.";
  command.examples = {"heddle run app.cu --profile app.json && heddle report app.json --open",
                      "heddle report before.json after.json -o compare.html",
                      "heddle report app.json fix.json"};
  command.positional = Flag{.name = "PROFILE",
                            .value = "PROFILE",
                            .help = "profiles as JSON, and what 'heddle fix --json' printed",
                            .set = [options](std::string_view text) -> Expected<void> {
                              options->files.emplace_back(text);
                              return {};
                            },
                            .required = true,
                            .repeatable = true,
                            .completes = Completes::Files};
  command.flags = withOutputFlags(
      {outputFlag("FILE", "the page to write (default report.html)", Completes::Files),
       switchFlag("--open", "open it in the browser", options->open),
       switchFlag("--no-advice", "do not look for rewrites that would help", options->advice,
                  false),
       switchFlag("--no-cache", "compile anew, and keep nothing", options->useCache, false)},
      common);
  command.takeForeign =
      [options](std::span<const std::string> arguments) -> Expected<std::size_t> {
    HEDDLE_TRY(const std::size_t taken, takeOutput(arguments, options->reportFile));
    if (taken > 0)
      return taken;
    return frontend::takeCompilerFlag(arguments, options->flags);
  };
  command.run = [options, &common] { return driver::writeReport(*options, common.output()); };
  return command;
}

} // namespace heddle::tool
