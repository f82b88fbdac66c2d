// SPDX-License-Identifier: Apache-2.0
#include "Commands.h"

#include "driver/DevicesCommand.h"
#include "driver/OccupancyCommand.h"
#include "driver/RewritesCommand.h"
#include "driver/SplitCommand.h"
#include "machine/DeviceCatalog.h"

#include <memory>

namespace heddle::tool {
namespace {

Flag deviceFlag(std::string& target) {
  return withChoices(
      textFlag("--device", "NAME",
               "a GPU, a device file.json, or a capability like cc9.0 (default h200)", target),
      deviceNames());
}

Flag cacheFlag(machine::KernelResources& kernel) {
  using machine::CachePreference;
  static constexpr CachePreference preferences[] = {
      CachePreference::None, CachePreference::PreferShared, CachePreference::PreferL1,
      CachePreference::PreferEqual};
  return choiceFlag("--cache", "cudaFuncSetCacheConfig's preference (default none)",
                    {"none", "shared", "l1", "equal"},
                    [&kernel](std::size_t index) { kernel.cache = preferences[index]; });
}

Command occupancyCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::OccupancyOptions>();
  machine::KernelResources& kernel = options->kernel;
  Command command;
  command.name = "occupancy";
  command.summary = "how many warps of a kernel fit on a multiprocessor, and what to change";
  command.details =
      "Answers what NVIDIA's occupancy calculators answered, for every generation from the G80 "
      "on:\n"
      "active blocks, warps and threads, what a block is allocated, the limit each resource sets, "
      "and\n"
      "the curves over block size, registers and shared memory. It adds the nearest changes that\n"
      "would raise occupancy, what is free at the present one, and whether there are enough warps\n"
      "and blocks for the GPU. Occupancy is not speed: raising it at the price of spills can lose.";
  command.examples = {"heddle occupancy --device g80 --threads 192 --registers 20 --shared 68",
                      "heddle occupancy --device cc9.0 --threads 256 --registers 40 --json",
                      "heddle occupancy --threads 128 --registers 64 --grid 1000 --svg curves.svg",
                      "heddle occupancy --kernel mine.ptx:transform --threads 256"};
  command.flags = withOutputFlags(
      {deviceFlag(options->device), integerFlag("--threads", "threads per block", options->threads),
       integerFlag("--registers", "registers per thread (ptxas -v tells)", options->registers),
       integerFlag("--shared",
                   "bytes of shared memory per block, static and dynamic; with --kernel, dynamic",
                   kernel.shared),
       completing(
           textFlag("--kernel", "FILE[:NAME]",
                    "a kernel of a .ptx file, which says the rest; NAME where it has several",
                    options->kernelFile),
           Completes::Files),
       integerFlag("--barriers", "named barriers per block; they limit from 9.0 on (default 0)",
                   kernel.barriers),
       integerFlag("--carveout", "percent of the memory preferred as shared memory, from 7.0 on",
                   kernel.carveoutPercent),
       cacheFlag(kernel),
       switchFlag("--no-opt-in", "the program does not opt in to more than 48 KiB of shared memory",
                  kernel.optIn, false),
       integerFlag("--grid", "blocks of the launch, to judge its size", options->grid),
       completing(
           textFlag("--svg", "FILE", "write the three curves as a picture", options->svgFile),
           Completes::Files)},
      common);
  command.run = [options, &common] { return driver::runOccupancy(*options, common.output()); };
  return command;
}

Command devicesCommand(CommonOptions& common) {
  auto name = std::make_shared<std::string>();
  Command command;
  command.name = "devices";
  command.summary = "what is known of each GPU, with the source of every number";
  command.details = "Without a name, lists the GPUs. With one, prints every number and where it is "
                    "from.\nA file of your own works wherever a name does; "
                    "docs/schema/device.schema.json describes it.";
  command.examples = {"heddle devices", "heddle devices h200", "heddle devices mine.json --json"};
  command.positional = withChoices(
      textFlag("NAME", "NAME", "a GPU, or a device file.json (default: list all)", *name),
      deviceNames());
  command.flags = withOutputFlags({}, common);
  command.run = [name, &common] { return driver::runDevices(*name, common.output()); };
  return command;
}

Command rewritesCommand(CommonOptions& common) {
  auto name = std::make_shared<std::string>();
  Command command;
  command.name = "rewrites";
  command.summary = "the rewrites of 'heddle fix', and why each may be refused";
  command.details = "Without a name, lists the rewrites in the order in which they are tried. With "
                    "one, prints its\nrefusals: id, what it means, what to do. docs/fix.md is made "
                    "from --json.";
  command.examples = {"heddle rewrites", "heddle rewrites flatten"};
  command.positional = withChoices(textFlag("NAME", "NAME", "a rewrite (default: list all)", *name),
                                   driver::rewriteNames());
  command.flags = withOutputFlags({}, common);
  command.run = [name, &common] { return driver::listRewrites(*name, common.output()); };
  return command;
}

Command splitCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::SplitOptions>();
  Command command;
  command.name = "split";
  command.summary = "what splitting a branch into one kernel per path can gain at most";
  command.details =
      "The bound of Carrillo, Siegel and Li: T / (sum t_i rho_min/rho_i + overhead) with T = sum "
      "t_i,\n"
      "where rho_i is the occupancy of path i in a kernel of its own. It takes time to be "
      "proportional\n"
      "to 1/occupancy, which few modern kernels are: a bound, not a prediction. With --p also the\n"
      "share of warps that run both sides, 1 - (1-p)^32 - p^32.";
  command.examples = {"heddle split --time 1,1 --occupancy 1,0.67", "heddle split --p 0.08"};
  command.flags = withOutputFlags(
      {numberListFlag("--time", "T,T,..", "time of each path in the branched kernel",
                      options->times),
       numberListFlag("--occupancy", "O,O,..", "occupancy of each path alone, above 0 to 1",
                      options->occupancies),
       numberFlag("--overhead", "T", "time of the extra launches (default 0)", options->overhead),
       numberFlag("--p", "P", "probability of the else path, for the share of mixed warps",
                  options->p)},
      common);
  command.run = [options, &common] { return driver::runSplit(*options, common.output()); };
  return command;
}

} // namespace

Flag modelledDeviceFlag(machine::ModelledDevice& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    if (text.empty())
      return fail(ErrorKind::BadInput, "the value is empty");
    HEDDLE_TRY(target, machine::modelledDevice(text));
    return {};
  };
  return withChoices({.name = "--device",
                      .value = "NAME",
                      .help = "the modelled GPU, or a device file.json (default h200)",
                      .set = set},
                     deviceNames());
}

std::vector<std::string> deviceNames() {
  std::vector<std::string> names;
  for (const machine::Device& device : machine::builtinDevices())
    names.insert(names.end(), device.aliases.begin(), device.aliases.end());
  return names;
}

std::vector<Flag> withOutputFlags(std::vector<Flag> flags, CommonOptions& common) {
  for (Flag& flag : outputFlags(common))
    flags.push_back(std::move(flag));
  return flags;
}

Command makeCommands(CommonOptions& common) {
  Command root;
  root.name = "heddle";
  root.summary = "shows what divergent control flow costs a CUDA kernel, and what would help";
  root.details = "'heddle help COMMAND' explains a command.";
  root.flags = {switchFlag("--version", "print the version", common.version)};
  root.children = {runCommand(common),       fixCommand(common),      tuneCommand(common),
                   profileCommand(common),   reportCommand(common),   serveCommand(),
                   checkCommand(common),     diffCommand(common),     exportCommand(),
                   occupancyCommand(common), scheduleCommand(common), splitCommand(common),
                   studyCommand(common),     sweepCommand(common),    devicesCommand(common),
                   rewritesCommand(common),  ccCommand(common),       includeCommand(),
                   cacheCommand(common)};
  return root;
}

} // namespace heddle::tool
