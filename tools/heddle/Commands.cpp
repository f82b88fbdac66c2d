// SPDX-License-Identifier: Apache-2.0
#include "Commands.h"

#include "driver/DevicesCommand.h"
#include "driver/OccupancyCommand.h"
#include "driver/ProfileCommand.h"
#include "driver/SplitCommand.h"
#include "machine/DeviceCatalog.h"
#include "support/Parse.h"

#include <array>
#include <limits>
#include <memory>

namespace heddle::tool {
namespace {

std::vector<std::string> deviceNames() {
  std::vector<std::string> names;
  for (const machine::Device& device : machine::builtinDevices())
    names.insert(names.end(), device.aliases.begin(), device.aliases.end());
  return names;
}

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
                      "heddle occupancy --threads 128 --registers 64 --grid 1000 --svg curves.svg"};
  command.flags = withOutputFlags(
      {deviceFlag(options->device),
       required(integerFlag("--threads", "threads per block", kernel.threads)),
       required(
           integerFlag("--registers", "registers per thread (ptxas -v tells)", kernel.registers)),
       integerFlag("--shared", "bytes of shared memory per block, static and dynamic (default 0)",
                   kernel.shared),
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

namespace {

/// "128", "16,16" or "8,8,4".
Flag extentFlag(std::string name, std::string help, std::array<int, 3>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    const std::vector<std::string_view> parts = splitText(text, ',');
    if (parts.size() > 3)
      return fail(ErrorKind::BadInput, "'{}' has {} numbers: expected 1 to 3", text, parts.size());
    target = {1, 1, 1};
    for (std::size_t axis = 0; axis < parts.size(); ++axis) {
      HEDDLE_TRY(const std::int64_t value, parseInteger(parts[axis]));
      if (value < 1 || value > std::numeric_limits<int>::max())
        return fail(ErrorKind::BadInput, "{} in '{}': expected at least 1", value, text);
      target[axis] = static_cast<int>(value);
    }
    return {};
  };
  return {.name = std::move(name), .value = "X,Y,Z", .help = std::move(help), .set = set};
}

Flag argumentFlag(std::vector<driver::KernelArgument>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    HEDDLE_TRY(driver::KernelArgument argument, driver::parseKernelArgument(text));
    target.push_back(std::move(argument));
    return {};
  };
  return {.name = "--arg",
          .value = "TYPE:VALUE",
          .help = "an argument of the kernel, in order; for example i32:5 or f32[1024]:iota",
          .set = set,
          .repeatable = true};
}

Flag dumpFlag(std::vector<std::pair<int, std::string>>& target) {
  const auto set = [&target](std::string_view text) -> Expected<void> {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals + 1 == text.size())
      return fail(ErrorKind::BadInput, "'{}' is not NUMBER=FILE", text);
    HEDDLE_TRY(const std::int64_t number, parseInteger(text.substr(0, equals)));
    target.emplace_back(static_cast<int>(number), text.substr(equals + 1));
    return {};
  };
  return {.name = "--dump",
          .value = "N=FILE",
          .help = "write buffer N, counted from 0, after the run",
          .set = set,
          .repeatable = true};
}

Command profileCommand(CommonOptions& common) {
  auto options = std::make_shared<driver::ProfileOptions>();
  Command command;
  command.name = "profile";
  command.summary = "run one kernel on the CPU, warp by warp, and say which branch loses lanes";
  command.details =
      "Compiles the kernel with no CUDA toolkit, runs it over 32-lane vectors, and accounts for "
      "every\n"
      "lane of every instruction: used, or lost to one branch, to finished threads or to partial "
      "warps.\n"
      "An argument is TYPE:VALUE, or TYPE[N]: and a content: zeros, iota, random:SEED:LOW:HIGH or\n"
      "file:PATH. Types are i8 to i64, u8 to u64, f32 and f64. The engine is young: kernels with "
      "calls\n"
      "that cannot be inlined, printf, double-word shuffles and the like are refused by name.";
  command.examples = {
      "heddle profile examples/01-divergence/photon.cu --kernel transport --grid 64 --block 128 "
      "--arg 'u32[8192]:random:1:1:4294967295' --arg 'f32[8192]:zeros' --arg f32:0.4"};
  command.positional = completing(
      required(textFlag("FILE", "FILE", "a .cu file, or device code as .ll or .bc", options->file)),
      Completes::Files);
  command.flags = withOutputFlags(
      {required(textFlag("--kernel", "NAME", "the kernel to run", options->kernel)),
       extentFlag("--grid", "blocks of the grid (default 1)", options->grid),
       extentFlag("--block", "threads of a block (default 1)", options->block),
       integerFlag("--shared", "bytes of dynamic shared memory (default 0)",
                   options->dynamicShared),
       argumentFlag(options->arguments), dumpFlag(options->dumps), jobsFlag(common)},
      common);
  command.run = [options, &common] { return driver::runProfile(*options, common.output()); };
  return command;
}

} // namespace

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
  root.children = {profileCommand(common), occupancyCommand(common), scheduleCommand(common),
                   splitCommand(common), devicesCommand(common)};
  return root;
}

} // namespace heddle::tool
