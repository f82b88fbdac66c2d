// SPDX-License-Identifier: Apache-2.0
#include "driver/NvccBuild.h"

#include "driver/ChangedFiles.h"
#include "frontend/Ptxas.h"
#include "gpu/KernelClock.h"
#include "gpu/Nvcc.h"
#include "machine/DeviceCatalog.h"
#include "support/Files.h"
#include "support/Parse.h"
#include "support/Subprocess.h"

#include <algorithm>
#include <array>
#include <regex>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool namesArchitecture(const Words& flags) {
  static constexpr std::array<std::string_view, 4> names = {"-arch", "--gpu-architecture",
                                                            "-gencode", "--generate-code"};
  return std::ranges::any_of(flags, [](const std::string& flag) {
    return std::ranges::find(names, std::string_view(flag).substr(0, flag.find('='))) !=
           names.end();
  });
}

/// The first line with an error; the first one of all where none calls itself so.
std::string firstComplaint(const std::string& text) {
  const std::vector<std::string_view> lines = splitText(text, '\n');
  const auto complains = [](std::string_view line) {
    return line.find("error") != std::string_view::npos ||
           line.find("fatal") != std::string_view::npos;
  };
  const auto found = std::ranges::find_if(lines, complains);
  return std::string(found != lines.end() ? *found : lines.front());
}

} // namespace

Words nvccLinkFlags(const frontend::CompilerFlags& flags) {
  constexpr std::string_view linker = "-Wl,";
  Words words;
  for (const std::string& flag : flags.link)
    if (flag.starts_with(linker))
      words.insert(words.end(), {"-Xlinker", flag.substr(linker.size())});
    else if (flag.starts_with("-l") || flag.starts_with("-L"))
      words.push_back(flag);
    else
      words.insert(words.end(), {"-Xcompiler", flag});
  return words;
}

Words nvccFlags(const frontend::CompilerFlags& given) {
  Words words = given.nvcc;
  words.push_back("-std=" + given.standard);
  if (!given.language.empty())
    words.insert(words.end(), {"-x", given.language});
  if (!given.device.empty())
    words.emplace_back("-fmad=false");
  words.insert(words.end(), given.common.begin(), given.common.end());
  for (const std::string& flag : given.host)
    words.insert(words.end(), {"-Xcompiler", flag});
  return words;
}

Expected<NvccBuild> NvccBuild::open(const RunOptions& options, const fs::path& folder) {
  HEDDLE_TRY(const fs::path nvcc, gpu::findNvcc());
  HEDDLE_TRY(frontend::Toolchain toolchain, frontend::Toolchain::open(options.useCache));
  NvccBuild build(options, folder / "nvcc", std::move(toolchain));
  build.nvcc_ = nvcc;
  std::error_code error;
  fs::create_directories(build.folder_, error);
  HEDDLE_TRY(const Printed answer, build.run({"--version"}));
  static const std::regex release(R"(release (\d+\.\d+))");
  std::smatch found;
  if (answer.status != 0 || !std::regex_search(answer.text, found, release))
    return fail(ErrorKind::NotFound, "{} does not tell its version: {}", nvcc.string(),
                firstComplaint(answer.text));
  build.version_ = found[1];
  return build;
}

Expected<NvccBuild::Printed> NvccBuild::run(const Words& words) const {
  Words command = {nvcc_.string()};
  command.insert(command.end(), words.begin(), words.end());
  const fs::path log = folder_ / "log";
  HEDDLE_TRY(Subprocess child, Subprocess::start(command, {.outputFile = log.string()}));
  const SubprocessEnd end = child.wait();
  if (end.signal != 0)
    return fail(ErrorKind::Io, "nvcc was stopped by signal {}", end.signal);
  HEDDLE_TRY(std::string text, readFile(log));
  return Printed{end.exitCode, std::move(text)};
}

Words NvccBuild::flags() const {
  Words words = nvccFlags(options_.flags);
  for (const std::string& beside : includeFolders(options_.files))
    words.insert(words.end(), {"-I", beside});
  words.insert(words.end(), {"-I", toolchain_.libraryFolder().string()});
  return words;
}

/// Nothing where the device is too old for any that nvcc knows to stand in.
std::optional<std::string> NvccBuild::architecture() const {
  const auto device = machine::resolveDevice(options_.device);
  const auto help = run({"--help"});
  if (!device || !help)
    return {};
  const auto nearest = frontend::nearestArchitecture(frontend::knownArchitectures(help->text),
                                                     device->limits.computeCapability.number());
  return nearest ? std::optional(fmt::format("sm_{}", *nearest)) : std::nullopt;
}

/// The user's choice of an architecture counts before ours.
Expected<NvccComplaint>
NvccBuild::complaintTo(Words command, const Words& words,
                       const std::optional<std::string>& architecture) const {
  const Words given = flags();
  command.insert(command.end(), given.begin(), given.end());
  if (architecture && !namesArchitecture(options_.flags.nvcc))
    command.push_back("-arch=" + *architecture);
  command.insert(command.end(), words.begin(), words.end());
  HEDDLE_TRY(const Printed printed, run(command));
  return printed.status == 0 ? NvccComplaint() : firstComplaint(printed.text);
}

Expected<NvccComplaint> NvccBuild::compile(const std::string& source,
                                           const Words& headerFlags) const {
  return complaintTo(headerFlags, {"-c", source, "-o", (folder_ / "object.o").string()},
                     architecture());
}

Expected<NvccComplaint> NvccBuild::build(const WrittenProgram& written, const gpu::GpuHere& gpu,
                                         const fs::path& program) const {
  Words words = {"-O3"};
  words.insert(words.end(), gpu::clockFlags.begin(), gpu::clockFlags.end());
  words.insert(words.end(), written.sources.begin(), written.sources.end());
  const Words libraries = nvccLinkFlags(options_.flags);
  words.insert(words.end(), libraries.begin(), libraries.end());
  words.insert(words.end(), {"-o", program.string()});
  return complaintTo(written.flags, words, gpu.architecture);
}

} // namespace heddle::driver
