// SPDX-License-Identifier: Apache-2.0
//
//   1. Each source becomes an object. The two passes of a .cu file run side by side: the host pass
//      reads the device code from a pipe, and needs it only at its very end.
//   2. The objects are linked with the runtime library, which links device code that needs that of
//      other files (LinkDevice.h). What the linker makes of the same ones is kept too: it takes
//      longer than all else that a second run of a program does.
#include "frontend/ProgramBuilder.h"

#include "frontend/CaptureLayout.h"
#include "frontend/ContentHash.h"
#include "frontend/DeviceCompiler.h"
#include "frontend/DeviceModule.h"
#include "frontend/DeviceSymbols.h"
#include "frontend/HostStubs.h"
#include "frontend/LinkHost.h"
#include "frontend/MendedSources.h"
#include "frontend/NvccDevice.h"
#include "frontend/SharedVariables.h"
#include "ptx/ReadPtx.h"
#include "support/Files.h"

#include <regex>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <system_error>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

struct BuiltSource {
  std::string object;
  std::string deviceCode; ///< empty for C and C++
};

/// Lines that begin a diagnostic, without colours.
std::set<std::string> headlines(const std::string& text) {
  static const std::regex headline("[^\n]*: (warning|error|fatal error): [^\n]*");
  const std::string plain = Diagnostics{}.styled(text);
  return {std::sregex_token_iterator(plain.begin(), plain.end(), headline),
          std::sregex_token_iterator()};
}

/// What two passes over one file had to say, once.
std::string mergedDiagnostics(const std::string& host, const std::string& device) {
  const std::set<std::string> said = headlines(host);
  const bool news = std::ranges::any_of(
      headlines(device), [&](const std::string& line) { return !said.contains(line); });
  return host + (news || host.empty() ? device : "");
}

/// What was made before, and what is to be kept.
class KeptResults {
public:
  KeptResults(const BuildOptions& options, const Toolchain& toolchain)
      : cache_(toolchain.cache()), adds_(options.keepResults) {}

  std::optional<CachedResult> find(const std::string& key) const {
    return cache_ != nullptr ? cache_->find(key) : std::nullopt;
  }
  void store(const std::string& key, const ClangResult& result) const {
    if (adds_ && cache_ != nullptr)
      cache_->store(key, {result.content, result.diagnostics}, result.dependencies, result.started);
  }

private:
  const CompileCache* cache_;
  bool adds_;
};

/// One source to an object.
class SourceBuilder {
public:
  SourceBuilder(const BuildOptions& options, const std::string& source, const Toolchain& toolchain,
                const fs::path& folder)
      : options_(options), source_(source), toolchain_(toolchain), folder_(folder),
        kept_(options, toolchain), deviceFlags_(options.program.flagsOf(source)),
        hostFlags_(hostFlagsWith(options.nvcc, deviceFlags_)), mended_(folder) {
    deviceFlags_.level.clear();
    if (deviceFlags_.relocatable)
      hostFlags_.host.emplace_back("-D__HEDDLE_RELOCATABLE__"); // heddle_prelude.h
  }

  Expected<BuiltSource> build() {
    HEDDLE_TRY(const Pass pass, passOf(source_, hostFlags_));
    HEDDLE_TRY(const std::string text, readFile(source_));
    return pass == Pass::Device ? buildCuda(text) : buildPlain(pass, text);
  }

private:
  void show(const std::string& diagnostics) const {
    if (options_.diagnostics.print && !diagnostics.empty())
      options_.diagnostics.print(options_.diagnostics.styled(diagnostics));
  }
  Error refuse(const std::string& what, const std::string& text) const {
    return compileError(what, text, options_.diagnostics);
  }

  Expected<BuiltSource> buildPlain(Pass pass, const std::string& text);
  Expected<BuiltSource> buildCuda(const std::string& text);
  std::string deviceKey(const std::string& text) const;
  Expected<ClangRun> startDevice(Prelude prelude) const;
  Expected<BuiltSource> embed(const std::string& text, const std::optional<CachedResult>& device,
                              const std::string& deviceKey, Prelude prelude);

  const BuildOptions& options_;
  const std::string& source_;
  const Toolchain& toolchain_;
  const fs::path& folder_;
  KeptResults kept_;
  CompilerFlags deviceFlags_, hostFlags_;
  MendedSources mended_;
};

Expected<BuiltSource> SourceBuilder::buildPlain(Pass pass, const std::string& text) {
  const std::string key = toolchain_.key(pass, hostFlags_, source_, text, "");
  if (auto found = kept_.find(key)) {
    show(found->diagnostics);
    return BuiltSource{std::move(found->content), ""};
  }
  HEDDLE_TRY(ClangRun run,
             ClangRun::start(toolchain_, pass, hostFlags_, source_, folder_, Prelude::Included));
  HEDDLE_TRY(ClangResult result, run.finish());
  if (result.failed)
    return tl::unexpected(refuse(source_ + " does not compile", result.diagnostics));
  show(result.diagnostics);
  kept_.store(key, result);
  return BuiltSource{std::move(result.content), ""};
}

Expected<BuiltSource> SourceBuilder::buildCuda(const std::string& text) {
  const std::string key = deviceKey(text);
  const std::optional<CachedResult> device = kept_.find(key);
  if (device) {
    const std::string hostKey =
        toolchain_.key(Pass::Host, hostFlags_, source_, text, device->content);
    if (auto host = kept_.find(hostKey)) {
      show(mergedDiagnostics(host->diagnostics, device->diagnostics));
      return BuiltSource{std::move(host->content), device->content};
    }
  }
  return embed(text, device, key, Prelude::Precompiled);
}

std::string SourceBuilder::deviceKey(const std::string& text) const {
  return toolchain_.key(Pass::Device, deviceFlags_, source_, text,
                        options_.nvcc.empty() ? "" : nvccIdentity(options_.nvcc, deviceFlags_));
}

Expected<ClangRun> SourceBuilder::startDevice(Prelude prelude) const {
  if (options_.nvcc.empty())
    return ClangRun::start(toolchain_, Pass::Device, mended_.applied(deviceFlags_), source_,
                           folder_, prelude);
  return ClangRun::start(nvccCommand(options_.nvcc, toolchain_, deviceFlags_, source_),
                         folder_ / "device");
}

/// Runs the host pass, and beside it the device pass where its result is not known yet.
Expected<BuiltSource> SourceBuilder::embed(const std::string& text,
                                           const std::optional<CachedResult>& device,
                                           const std::string& deviceKey, Prelude prelude) {
  HEDDLE_TRY(Pipe pipe, Pipe::make());
  std::optional<ClangRun> deviceRun;
  if (!device) {
    HEDDLE_TRY(ClangRun run, startDevice(prelude));
    deviceRun.emplace(std::move(run));
  }
  HEDDLE_TRY(ClangRun hostRun, ClangRun::start(toolchain_, Pass::Host, mended_.applied(hostFlags_),
                                               source_, folder_, prelude, pipe.readEnd()));
  pipe.closeRead();
  ClangResult made;
  if (device) {
    made.content = device->content;
    made.diagnostics = device->diagnostics;
  } else {
    auto finished = deviceRun->finish();
    if (!finished)
      pipe.finish(""); // the host pass must not wait for ever
    HEDDLE_TRY(made, std::move(finished));
    if (!made.failed && !options_.nvcc.empty())
      made.content = ptxOfNvcc(std::move(made.content), deviceFlags_);
  }
  pipe.finish(made.failed ? "" : wrapDeviceCode(made.content));
  HEDDLE_TRY(ClangResult host, hostRun.finish());
  if (host.failedPrecompiled() || made.failedPrecompiled())
    return embed(text, device, deviceKey, Prelude::Included);
  if ((host.failed || made.failed) && mended_.mend(host.diagnostics + made.diagnostics))
    return embed(text, device, deviceKey, Prelude::Included);
  const std::string diagnostics = mergedDiagnostics(host.diagnostics, made.diagnostics);
  if (host.failed || made.failed)
    return tl::unexpected(refuse(source_ + " does not compile", diagnostics));
  show(diagnostics);
  if (!device)
    kept_.store(deviceKey, made);
  kept_.store(toolchain_.key(Pass::Host, hostFlags_, source_, text, made.content), host);
  return BuiltSource{std::move(host.content), std::move(made.content)};
}

/// Objects to a program.
class ProgramLinker {
public:
  ProgramLinker(const BuildOptions& options, const Toolchain& toolchain, const fs::path& folder)
      : options_(options), toolchain_(toolchain), folder_(folder), kept_(options, toolchain) {}

  Expected<fs::path> link(const Texts& objects) const;

private:
  std::string keyOf(const Texts& objects) const;
  Expected<void> run(const Texts& objects, const fs::path& program) const;

  const BuildOptions& options_;
  const Toolchain& toolchain_;
  const fs::path& folder_;
  KeptResults kept_;
};

/// Empty where the linker reads what we do not see: the libraries of the user.
std::string ProgramLinker::keyOf(const Texts& objects) const {
  if (!options_.program.flags.link.empty() || !options_.program.objects.empty())
    return "";
  std::error_code error;
  const fs::path& runtime = options_.runtime;
  std::string all = fmt::format("{} {} {}", runtime.string(), fs::file_size(runtime, error),
                                fs::last_write_time(runtime, error).time_since_epoch().count());
  for (const std::string& object : objects)
    all += "\n" + contentName(object);
  return error ? "" : toolchain_.key(Pass::PlainCpp, {}, "linked program", all, "");
}

Expected<fs::path> ProgramLinker::link(const Texts& objects) const {
  const ProgramSpec& spec = options_.program;
  fs::path program = folder_ / (spec.executable.empty() ? fs::path(spec.files.front()).stem()
                                                        : fs::path(spec.executable).filename());
  const std::string key = keyOf(objects);
  const auto known = key.empty() ? std::nullopt : kept_.find(key);
  if (known) {
    HEDDLE_CHECK(writeFile(program, known->content));
    std::error_code error;
    fs::permissions(program, fs::perms::owner_all, error);
    if (!error)
      return program;
  }
  const auto started = fs::file_time_type::clock::now();
  HEDDLE_CHECK(run(objects, program));
  if (!key.empty()) {
    HEDDLE_TRY(std::string content, readFile(program));
    ClangResult linked;
    linked.content = std::move(content);
    linked.started = started;
    kept_.store(key, linked);
  }
  return program;
}

Expected<void> ProgramLinker::run(const Texts& objects, const fs::path& program) const {
  LinkOptions link{.flags = options_.program.flags.link,
                   .output = program,
                   .runtime = options_.runtime,
                   .name = fmt::format("{}", fmt::join(options_.program.files, ", ")),
                   .diagnostics = options_.diagnostics};
  for (std::size_t i = 0; i < objects.size(); ++i) {
    link.inputs.push_back((folder_ / fmt::format("{}.o", i)).string());
    HEDDLE_CHECK(writeFile(link.inputs.back(), objects[i]));
  }
  link.inputs.insert(link.inputs.end(), options_.program.objects.begin(),
                     options_.program.objects.end());
  return linkHost(link, folder_);
}

/// Holds nvcc's idea of what lambdas capture against that of the host's compiler.
Expected<Texts> compareLambdas(std::string_view ptx, const std::string& source,
                               const BuildOptions& options) {
  CompileOptions byClang{.flags = deviceFlagsWith(options.nvcc, options.program.flagsOf(source)),
                         .useCache = options.useCache};
  byClang.flags.level.clear();
  const auto bitcode = compileDevice(source, byClang);
  const auto clangs =
      bitcode ? parseDeviceModule(*bitcode, source) : tl::unexpected(Error(bitcode.error()));
  if (!clangs) {
    if (options.diagnostics.print)
      options.diagnostics.print(fmt::format(
          "{}: warning: nvcc and clang may differ in what a lambda captures, constants above all; "
          "not checked, since clang does not take this device code\n",
          source));
    return Texts{};
  }
  HEDDLE_TRY(const DeviceModule nvccs, parseDeviceModule(ptx, source));
  return laidOutOtherwise(*nvccs.module, *clangs->module);
}

/// What the device code of a file has, and what the host code wants of it.
Expected<BuiltObject> examine(BuiltSource built, const std::string& source,
                              const BuildOptions& options) {
  BuiltObject result{.object = std::move(built.object)};
  if (built.deviceCode.empty())
    return result;
  HEDDLE_TRY(const DeviceSymbols found, findDeviceSymbols(built.deviceCode, source));
  result.kernels = found.kernels;
  result.hasUnknownPtx = found.undefined.contains(ptx::refusedName);
  for (const std::string& kernel : launchedKernels(result.object))
    if (std::ranges::find(found.kernels, kernel) == found.kernels.end())
      result.missing.push_back(plainKernelName(kernel));
  if (!options.nvcc.empty() && std::ranges::any_of(found.kernels, takesLambda)) {
    HEDDLE_TRY(result.laidOutOtherwise, compareLambdas(built.deviceCode, source, options));
  }
  if (options.program.flagsOf(source).relocatable) {
    HEDDLE_TRY(result.object, withSharedVariables(std::move(result.object), found.variables));
  }
  return result;
}

void addAll(Texts& to, Texts more) {
  std::ranges::move(more, std::back_inserter(to));
}

} // namespace

std::string wrapDeviceCode(std::string_view code) {
  std::string container = "HEDDLEFB";
  for (int byte = 0; byte < 8; ++byte)
    container += static_cast<char>(std::uint64_t(code.size()) >> (8 * byte) & 0xff);
  return container.append(code);
}

Expected<Pass> passOf(const std::string& source, const CompilerFlags& flags) {
  static const std::map<std::string, Pass> passes = {
      {"cu", Pass::Device},    {"cpp", Pass::PlainCpp}, {"cc", Pass::PlainCpp},
      {"cxx", Pass::PlainCpp}, {"c++", Pass::PlainCpp}, {"C", Pass::PlainCpp},
      {"c", Pass::PlainC},
  };
  const std::string extension = fs::path(source).extension().string();
  const auto found = passes.find(!flags.language.empty() ? flags.language
                                 : extension.empty()     ? ""
                                                         : extension.substr(1));
  if (found == passes.end())
    return fail(ErrorKind::BadInput,
                "{}: no source file (expected .cu, .cpp, .cc, .cxx or .c; -x cu for another name)",
                source);
  return found->second;
}

bool isSource(const std::string& file, const CompilerFlags& flags) {
  return passOf(file, flags).has_value();
}

Expected<BuiltObject> buildObject(const BuildOptions& options, const std::string& source,
                                  const fs::path& folder) {
  HEDDLE_TRY(const Toolchain toolchain, Toolchain::open(options.useCache));
  HEDDLE_TRY(BuiltSource built, SourceBuilder(options, source, toolchain, folder).build());
  return examine(std::move(built), source, options);
}

Expected<BuiltProgram> buildProgram(const BuildOptions& options, const fs::path& folder) {
  HEDDLE_TRY(const Toolchain toolchain, Toolchain::open(options.useCache));
  Texts objects;
  BuiltProgram program;
  // Step 1: objects.
  for (const std::string& source : options.program.files) {
    HEDDLE_TRY(BuiltSource made, SourceBuilder(options, source, toolchain, folder).build());
    HEDDLE_TRY(BuiltObject built, examine(std::move(made), source, options));
    objects.push_back(std::move(built.object));
    addAll(program.kernels, std::move(built.kernels));
    addAll(program.missing, std::move(built.missing));
    addAll(program.laidOutOtherwise, std::move(built.laidOutOtherwise));
    program.hasUnknownPtx |= built.hasUnknownPtx;
  }
  // Step 2: the program.
  HEDDLE_TRY(program.path, ProgramLinker(options, toolchain, folder).link(objects));
  return program;
}

} // namespace heddle::frontend
