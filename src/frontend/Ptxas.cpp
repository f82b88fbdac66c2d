// SPDX-License-Identifier: Apache-2.0
//
//   1. the answer kept for this code, this toolkit and this device
//   2. clang turns the module, with libdevice linked in, into PTX, unless it was PTX
//   3. ptxas assembles that and prints what each kernel takes
#include "frontend/Ptxas.h"

#include "frontend/CompileCache.h"
#include "frontend/ContentHash.h"
#include "frontend/Toolchain.h"
#include "ptx/ReadPtx.h"
#include "ptx/Symbols.h"
#include "sass/Arithmetic.h"
#include "sass/MatchBlocks.h"
#include "support/Files.h"
#include "support/Parse.h"
#include "support/Subprocess.h"
#include "support/TemporaryFolder.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <system_error>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr int firstComparable = 35;
constexpr int newestOfLlvm = 90;  ///< newer GPUs take its PTX, too
constexpr int firstReadable = 70; ///< machine code as sass/ reads it
constexpr std::string_view keptAs = "heddle ptxas 2";

/// Runs programs in a folder of its own.
class Workshop {
public:
  explicit Workshop(const TemporaryFolder& folder) : folder_(folder.path()) {}

  fs::path file(const char* name) const { return folder_ / name; }

  /// What it printed; nothing if it failed.
  std::optional<std::string> run(const Words& command) {
    auto child = Subprocess::start(command, {.outputFile = file("output.txt").string()});
    if (!child)
      return {};
    const SubprocessEnd end = child->wait();
    wasKilled_ |= end.signal != 0;
    auto text = readFile(file("output.txt"));
    return end.exitCode == 0 && text ? std::optional(*std::move(text)) : std::nullopt;
  }

  /// Whether a signal ended one of them: then its failure says nothing about the code.
  bool wasKilled() const { return wasKilled_; }

private:
  fs::path folder_;
  bool wasKilled_ = false;
};

std::string bitcodeOf(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::WriteBitcodeToFile(module, stream);
  return stream.str();
}

/// The math library of the toolkit that a ptxas belongs to.
std::optional<fs::path> findLibdevice(const fs::path& ptxas) {
  std::error_code error;
  const fs::path toolkit = fs::canonical(ptxas, error).parent_path().parent_path();
  for (const char* place :
       {"nvvm/libdevice/libdevice.10.bc", "lib/nvidia-cuda-toolkit/libdevice/libdevice.10.bc"})
    if (const fs::path path = toolkit / place; fs::is_regular_file(path, error))
      return path;
  return {};
}

/// PTX of the newest version LLVM knows, or of the one it takes for the GPU: an older ptxas refuses
/// the former.
Words compileCommand(const Workshop& shop, int architecture, bool newestPtx,
                     const std::optional<fs::path>& libdevice) {
  Words words = {compilerName,
                 "--target=nvptx64-nvidia-cuda",
                 fmt::format("-march=sm_{}", std::min(architecture, newestOfLlvm)),
                 "-nocudalib",
                 "-O2",
                 "-w",
                 "-x",
                 "ir",
                 shop.file("module.bc").string(),
                 "-S",
                 "-o",
                 shop.file("module.ptx").string()};
  if (newestPtx)
    words.insert(words.end(), {"-Xclang", "-target-feature", "-Xclang", "+ptx85"});
  if (libdevice)
    words.insert(words.end(),
                 {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", libdevice->string()});
  return words;
}

/// What ptxas made of a program.
struct Assembled {
  std::string architecture; ///< "sm_90"; empty where it failed
  std::string output;       ///< what it printed
  std::string code;         ///< what it wrote
};

std::optional<Assembled> assembleFile(Workshop& shop, const fs::path& ptxas,
                                      const std::string& architecture, bool fuses = true) {
  std::vector<std::string> command = {ptxas.string(),
                                      "-v",
                                      "-lineinfo",
                                      "-arch=" + architecture,
                                      shop.file("module.ptx").string(),
                                      "-o",
                                      shop.file("module.cubin").string()};
  if (!fuses)
    command.emplace_back("-fmad=false");
  const auto output = shop.run(command);
  auto code = output ? readFile(shop.file("module.cubin")) : Expected<std::string>("");
  if (!output || !code)
    return {};
  return Assembled{architecture, *output, *std::move(code)};
}

std::optional<Assembled> compileAndAssemble(Workshop& shop, const fs::path& ptxas,
                                            int architecture) {
  const auto libdevice = findLibdevice(ptxas);
  for (const bool newestPtx : {true, false})
    if (shop.run(compileCommand(shop, architecture, newestPtx, libdevice)))
      if (auto made = assembleFile(shop, ptxas, fmt::format("sm_{}", architecture))) {
        made->code.clear(); // its lines are nobody's
        return made;
      }
  return {};
}

/// The architecture that PTX is written for: "sm_90a" is for this one alone, "sm_80" for all newer
/// ones, too.
std::string architectureFor(std::string_view ptx, int computeCapability) {
  static const std::regex target(R"(\.target\s+sm_(\d+)([a-z]?))");
  std::cmatch found;
  const std::string_view head = ptx.substr(0, 4096);
  if (!std::regex_search(head.data(), head.data() + head.size(), found, target))
    return fmt::format("sm_{}", computeCapability);
  const bool isExact = found[2].length() > 0 || std::stoi(found[1]) >= computeCapability;
  return isExact ? fmt::format("sm_{}{}", found[1].str(), found[2].str())
                 : fmt::format("sm_{}", computeCapability);
}

// What is kept, failures too: the heading, the architecture (empty after a failure), the length of
// the output, the output, the code.
std::string describe(const Assembled& made) {
  return fmt::format("{}\n{}\n{}\n{}{}", keptAs, made.architecture, made.output.size(), made.output,
                     made.code);
}

std::optional<Assembled> readKept(std::string_view text) {
  const auto takeLine = [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  takeLine();
  Assembled kept{std::string(takeLine()), {}, {}};
  const auto size = parseInteger(takeLine());
  if (kept.architecture.empty() || !size || *size < 0 || std::size_t(*size) > text.size())
    return {};
  kept.output = text.substr(0, std::size_t(*size));
  kept.code = text.substr(std::size_t(*size));
  return kept;
}

/// What to keep; nothing if it could not be tried.
std::optional<std::string> ask(const fs::path& ptxas, const std::string& code, bool isPtx,
                               int computeCapability) {
  const auto folder = TemporaryFolder::make();
  if (!folder || !writeFile(folder->path() / (isPtx ? "module.ptx" : "module.bc"), code))
    return {};
  Workshop shop(*folder);
  const auto help = shop.run({ptxas.string(), "--help"});
  if (!help)
    return {};
  const auto architecture = nearestArchitecture(knownArchitectures(*help), computeCapability);
  std::optional<Assembled> made;
  if (architecture)
    made = isPtx ? assembleFile(shop, ptxas, architectureFor(code, *architecture),
                                !code.ends_with(ptx::apartMark))
                 : compileAndAssemble(shop, ptxas, *architecture);
  if (!made && shop.wasKilled())
    return {};
  return describe(made.value_or(Assembled{}));
}

std::optional<Assembled> assembled(const DeviceModule& module, int computeCapability,
                                   bool useCache) {
  const auto ptxas = findPtxas();
  if (!ptxas || computeCapability < firstComparable)
    return {};
  // Step 1: what is kept
  const bool isPtx = !module.ptx.empty();
  const std::string code = isPtx ? module.ptx : bitcodeOf(*module.module);
  ContentHash hash;
  for (const std::string& part :
       {std::string(keptAs), fileIdentity(*ptxas), code, std::to_string(computeCapability)})
    hash.add(part);
  const std::string key = hash.name();
  const auto folder = useCache ? CompileCache::defaultFolder() : std::nullopt;
  const auto cache = folder ? std::optional<CompileCache>(*folder) : std::nullopt;
  if (const auto kept = cache ? cache->find(key) : std::nullopt)
    return readKept(kept->content);
  // Step 2 and 3: ask
  const auto made = ask(*ptxas, code, isPtx, computeCapability);
  if (made && cache)
    cache->store(key, {*made, ""}, {}, fs::file_time_type::clock::now());
  return made ? readKept(*made) : std::nullopt;
}

} // namespace

std::optional<fs::path> findPtxas() {
  if (const auto found = llvm::sys::findProgramByName("ptxas"))
    return fs::path(*found);
  std::vector<fs::path> toolkits;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
      toolkits.emplace_back(value);
  toolkits.emplace_back("/usr/local/cuda");
  for (const fs::path& toolkit : toolkits)
    if (llvm::sys::fs::can_execute((toolkit / "bin" / "ptxas").string()))
      return toolkit / "bin" / "ptxas";
  return {};
}

std::optional<int> nearestArchitecture(const std::vector<int>& known, int computeCapability) {
  if (computeCapability < firstComparable)
    return {};
  const auto found = std::ranges::lower_bound(known, computeCapability);
  return found == known.end() ? std::nullopt : std::optional(*found);
}

std::vector<int> knownArchitectures(std::string_view help) {
  static const std::regex name(R"('sm_(\d+)')"); // the allowed values; prose names others, too
  std::vector<int> found;
  const std::string text(help);
  for (auto at = std::sregex_iterator(text.begin(), text.end(), name); at != std::sregex_iterator();
       ++at)
    found.push_back(std::stoi((*at)[1]));
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

std::map<std::string, PtxasKernel> parsePtxasOutput(std::string_view output) {
  static const std::regex entry(R"(Compiling entry function '([^']+)')");
  static const std::regex properties(R"(Function properties for (\S+))");
  static const std::regex frame(
      R"((\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)");
  static const std::regex used(R"(Used (\d+) registers)");
  static const std::regex shared(R"((\d+)(?:\+\d+)? bytes smem)");
  std::map<std::string, PtxasKernel> kernels;
  std::string kernel, described;
  for (const std::string_view part : splitText(output, '\n')) {
    const std::string line(part);
    std::smatch found;
    if (std::regex_search(line, found, entry))
      kernel = found[1];
    else if (std::regex_search(line, found, properties))
      described = found[1];
    else if (std::regex_search(line, found, frame) && described == kernel) {
      kernels[kernel].stack = std::stoi(found[1]);
      kernels[kernel].spillStores = std::stoi(found[2]);
      kernels[kernel].spillLoads = std::stoi(found[3]);
    } else if (std::regex_search(line, found, used) && !kernel.empty()) {
      kernels[kernel].registers = std::stoi(found[1]);
      if (std::regex_search(line, found, shared))
        kernels[kernel].shared = std::stoi(found[1]);
    }
  }
  return kernels;
}

std::map<std::string, PtxasKernel>
withCommonNames(const std::map<std::string, PtxasKernel>& kernels) {
  std::map<std::string, PtxasKernel> named = kernels;
  for (const auto& [symbol, kernel] : kernels)
    for (const bool isVisible : {true, false})
      named.try_emplace(ptx::commonName(symbol, isVisible), kernel);
  return named;
}

std::optional<PtxasReport> askPtxas(const DeviceModule& module, int computeCapability,
                                    bool useCache) {
  const auto found = assembled(module, computeCapability, useCache);
  if (!found)
    return {};
  return PtxasReport{found->architecture, withCommonNames(parsePtxasOutput(found->output))};
}

void countMachineInstructions(DeviceModule& module, int computeCapability, bool useCache) {
  if (module.ptx.empty())
    return;
  const auto found = computeCapability >= firstReadable
                         ? assembled(module, computeCapability, useCache)
                         : std::nullopt;
  std::vector<sass::Routine> routines;
  if (found) {
    module.architecture = std::stoi(found->architecture.substr(3));
    module.machineCode = found->code;
    if (auto read = sass::readMachineCode(module.machineCode, module.architecture))
      routines = *std::move(read);
  }
  ptx::fuseProducts(*module.module, sass::arithmeticOfLines(routines));
  sass::matchBlocks(*module.module, module.ptx, routines);
}

} // namespace heddle::frontend
