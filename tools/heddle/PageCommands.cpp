// SPDX-License-Identifier: Apache-2.0
//
// The commands whose result is a page in a browser.
#include "Commands.h"

#include "driver/ReportCommand.h"
#include "driver/ServeCommand.h"

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
      "over time, each kernel's losses, occupancy, time and advice. Several are compared, the "
      "first "
      "with\n"
      "the last. A page holds the sources as they were: 'heddle run --report' before and after a "
      "change,\n"
      "and then 'heddle report' of the two pages, shows what the change did. What 'heddle fix "
      "--json'\n"
      "printed, named behind a profile, adds its verdicts and its diff. Compiler flags of the "
      "program\n"
      "(-I, -D, -std) help to find the advice. With --json, what the page shows goes to standard "
      "output,\n"
      "and no page is written.";
  command.examples = {"heddle report mine.json --open",
                      "heddle report mine-before.html mine-after.html -o mine.html",
                      "heddle report mine.json mine-fix.json"};
  command.positional = Flag{.name = "PROFILE",
                            .value = "PROFILE",
                            .help = "profiles, pages, and what 'heddle fix --json' printed",
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
  command.takeForeign = [options](std::span<const std::string> arguments) -> Expected<std::size_t> {
    HEDDLE_TRY(const std::size_t taken, takeOutput(arguments, options->reportFile));
    if (taken > 0)
      return taken;
    return frontend::takeCompilerFlag(arguments, options->flags);
  };
  command.run = [options, &common] { return driver::writeReport(*options, common.output()); };
  return command;
}

Command serveCommand() {
  auto options = std::make_shared<driver::ServeOptions>();
  options->live.folder = ".";
  Command command;
  command.name = "serve";
  command.summary = "edit a kernel in the browser, and see where its lanes go as you type";
  command.details =
      "Serves a page on 127.0.0.1 with the .cu files of a folder. What is edited there runs as a "
      "program\n"
      "of its own after each pause of the keyboard; the files stay as they are. A run that takes "
      "too\n"
      "long is ended. Programs run with your rights, so the address that is printed holds a token: "
      "who\n"
      "does not know it, another user or another web page, can run nothing. Ctrl-C ends it.";
  command.examples = {"heddle serve examples", "heddle serve mine --open"};
  command.positional = completing(Flag{.name = "FOLDER",
                                       .value = "FOLDER",
                                       .help = "where the .cu files are (default: here)",
                                       .set = [options](std::string_view text) -> Expected<void> {
                                         options->live.folder = text;
                                         return {};
                                       }},
                                  Completes::Folders);
  command.flags = {modelledDeviceFlag(options->live.device),
                   integerFlag("--port",
                               "the port, or where it is taken one of the next 20 (default 7432)",
                               options->port),
                   integerFlag("--limit", "seconds after which a run is ended (default 10)",
                               options->live.seconds),
                   switchFlag("--open", "open the page in the browser", options->open)};
  command.run = [options] { return driver::runServe(*options); };
  return command;
}

} // namespace heddle::tool
