// SPDX-License-Identifier: Apache-2.0
#include "driver/NvccBuild.h"

#include "driver/ChangedFiles.h"
#include "frontend/Ptxas.h"
#include "gpu/KernelClock.h"
#include "gpu/Nvcc.h"
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
  for (const std::string& flag : given.common)
    words.push_back(flag == "-iquote" ? "-I"
                                      : flag); // nvcc knows no folders for quoted names alone
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

/// Nothing where the device is too old for any that nvcc knows to stand in.
std::optional<std::string> NvccBuild::architecture() const {
  const auto help = run({"--help"});
  if (!help)
    return {};
  const auto nearest =
      frontend::nearestArchitecture(frontend::knownArchitectures(help->text),
                                    options_.device.gpu.limits.computeCapability.number());
  return nearest ? std::optional(fmt::format("sm_{}", *nearest)) : std::nullopt;
}

/// The user's choice of an architecture counts before ours.
Expected<NvccComplaint>
NvccBuild::complaintTo(const frontend::CompilerFlags& given, const Words& words,
                       const std::optional<std::string>& architecture) const {
  Words command = nvccFlags(given);
  command.insert(command.end(), {"-I", toolchain_.libraryFolder().string()});
  if (architecture && !namesArchitecture(given.nvcc))
    command.push_back("-arch=" + *architecture);
  command.insert(command.end(), words.begin(), words.end());
  HEDDLE_TRY(const Printed printed, run(command));
  return printed.status == 0 ? NvccComplaint() : firstComplaint(printed.text);
}

Expected<NvccComplaint> NvccBuild::compile(const frontend::ProgramSpec& program,
                                           const std::string& source) const {
  return complaintTo(program.flagsOf(source), {"-c", source, "-o", (folder_ / "object.o").string()},
                     architecture());
}

/// Each file with its own flags.
Expected<NvccComplaint> NvccBuild::build(const frontend::ProgramSpec& program,
                                         const gpu::GpuHere& gpu, const fs::path& to) const {
  Words link = {"-O3"};
  for (std::size_t i = 0; i < program.files.size(); ++i) {
    const std::string& file = program.files[i];
    const std::string object = (folder_ / fmt::format("{}.o", i)).string();
    HEDDLE_TRY(
        const NvccComplaint complaint,
        complaintTo(program.flagsOf(file), {"-O3", "-c", file, "-o", object}, gpu.architecture));
    if (complaint)
      return complaint;
    link.push_back(object);
  }
  link.insert(link.end(), program.objects.begin(), program.objects.end());
  link.insert(link.end(), gpu::clockFlags.begin(), gpu::clockFlags.end());
  const Words libraries = nvccLinkFlags(program.flags);
  link.insert(link.end(), libraries.begin(), libraries.end());
  link.insert(link.end(), {"-o", to.string()});
  frontend::CompilerFlags ofLinker = program.flags;
  ofLinker.language.clear(); // objects have none
  return complaintTo(ofLinker, link, gpu.architecture);
}

} // namespace heddle::driver
