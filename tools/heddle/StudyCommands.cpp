// SPDX-License-Identifier: Apache-2.0
#include "Commands.h"

#include "driver/StudyCommand.h"
#include "driver/StudyFolder.h"

#include <memory>

namespace heddle::tool {
namespace {

Flag namesFlag(std::vector<std::string>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    target.emplace_back(text);
    return {};
  };
  std::vector<std::string> choices = driver::knownStudies();
  choices.insert(choices.end(), {"all", "list"});
  return {.name = "NAME",
          .value = "NAME",
          .help = "studies to run; all runs each, list lists them",
          .set = set,
          .choices = std::move(choices),
          .required = true,
          .repeatable = true};
}

} // namespace

Command studyCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::StudyOptions>();
  Command command;
  command.name = "study";
  command.summary = "run a published experiment again, and say which of its claims hold";
  command.details =
      "A study is a CUDA program with a declaration: how the program is run, which figures are "
      "drawn\n"
      "from what it measures, and which claims of a document are checked. It runs on the modelled "
      "GPU\n"
      "of the document, on another one with --device, or on this machine's GPU with --on gpu, for "
      "which\n"
      "nvcc compiles it. With -o the figures (NAME-1.svg, ..., published values dashed) and what "
      "was\n"
      "measured (NAME.json) go to a folder. The status is 1 when a check fails.\n"
      "docs/design/studies.md says how to write one.";
  command.examples = {"heddle study list", "heddle study tiny --studies test/studies --quick",
                      "heddle study all --on gpu -o FOLDER"};
  command.positional = namesFlag(options->names);
  command.flags = withOutputFlags(
      {withChoices(textFlag("--device", "NAME",
                            "the modelled GPU, or a device file.json (default: the study's)",
                            options->device),
                   deviceNames()),
       choiceFlag("--on", "where programs run (default engine)", {"engine", "gpu"},
                  [options](std::size_t index) { options->onGpu = index == 1; }),
       switchFlag("--quick", "small sizes, and only the first of a study's devices",
                  options->quick),
       completing(textFlag("--studies", "DIR", "the folder of the studies (default: heddle's own)",
                           options->studies),
                  Completes::Folders),
       outputFlag("DIR", "write figures and measurements here", Completes::Folders),
       jobsFlag(common)},
      common);
  command.takeForeign = [options](std::span<const std::string> arguments) {
    return takeOutput(arguments, options->outputFolder);
  };
  command.run = [options, &common] {
    options->workers = common.jobs;
    return driver::runStudy(*options, common.output());
  };
  return command;
}

} // namespace heddle::tool
