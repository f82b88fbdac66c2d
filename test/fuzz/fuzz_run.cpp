// SPDX-License-Identifier: Apache-2.0
//
// Runs random kernels on the engine and holds each against the same code run thread by thread, all
// in one process:
//   1. read the device code of many kernels, and the host's functions `body<seed>`
//   2. of a graph: run the passes of its seed on both
//   3. compile the kernel once, in the form of its seed; launch it under both policies, with one
//      and with two threads
//   4. compare memory byte for byte, and the account of each launch with that of the first
// A line for each kernel that fails, PASS or FAIL at the end. It decides everything by the seed, so
// that a kernel alone is the same as among others.
#include "engine/DeviceProgram.h"
#include "engine/Launch.h"
#include "frontend/DeviceCompiler.h"
#include "ir/RunPasses.h"
#include "support/Files.h"
#include "support/SplitMix64.h"

#include <CLI/CLI.hpp>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>

namespace heddle::fuzz {
namespace {

constexpr unsigned words = 8;                          ///< of memory, a thread; kernel_file.py
constexpr std::uint64_t mostInstructions = 50'000'000; ///< ends a loop that the engine made endless
constexpr std::uint64_t oneInFull = 64;                ///< kernels are in each of the full forms

constexpr std::array passesOfGraphs = {
    "mem2reg", "mem2reg,simplifycfg",
    "mem2reg,instcombine<no-verify-fixpoint>,simplifycfg,jump-threading,gvn,simplifycfg"};

struct Options {
  std::string device, host;
  std::string form = "mixed";
  bool graphs = false;
  int blocks = 2, block = 96;
  std::vector<std::size_t> part; ///< from, to
};

struct Setting {
  engine::Reconvergence policy;
  int workers;
  const char* name;
};
constexpr std::array settings = {
    Setting{engine::Reconvergence::Volta, 2, "volta, 2 threads"},
    Setting{engine::Reconvergence::Stack, 1, "stack, 1 thread"},
    Setting{engine::Reconvergence::Volta, 1, "volta, 1 thread"},
    Setting{engine::Reconvergence::Stack, 2, "stack, 2 threads"},
};

/// A full form without the account of memory runs its code for few lanes far more often.
enum class Form { LaneByLane, Full, FullWithoutAccount };

Form formOf(std::uint64_t seed, const std::string& wanted) {
  const std::uint64_t number = SplitMix64(seed).next() % oneInFull;
  if (wanted == "full")
    return number % 2 == 0 ? Form::Full : Form::FullWithoutAccount;
  if (wanted == "lanes" || number > 1)
    return Form::LaneByLane;
  return number == 0 ? Form::Full : Form::FullWithoutAccount;
}

[[noreturn]] void die(const std::string& message) {
  std::fprintf(stderr, "heddle_fuzz: %s\n", message.c_str());
  std::exit(2);
}

template <class T> T need(Expected<T> result) {
  if (!result)
    die(result.error().message);
  return *std::move(result);
}

template <class T> T need(llvm::Expected<T> result) {
  if (!result)
    die(llvm::toString(result.takeError()));
  return std::move(*result);
}

std::string bitcodeOf(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::WriteBitcodeToFile(module, stream);
  return text;
}

/// The seed in the name of a kernel, or of what it is held against.
std::uint64_t seedOf(llvm::StringRef name) {
  std::uint64_t seed = 0;
  name.drop_while([](char c) { return c < '0' || c > '9'; }).getAsInteger(10, seed);
  return seed;
}

/// Step 2: passes for each graph alone.
void runPassesOfSeeds(llvm::Module& module) {
  ir::PassRunner passes;
  std::vector<llvm::FunctionPassManager> managers(passesOfGraphs.size());
  for (std::size_t i = 0; i < managers.size(); ++i)
    if (auto error = passes.builder().parsePassPipeline(managers[i], passesOfGraphs[i]))
      die(llvm::toString(std::move(error)));
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      passes.run(function, managers[seedOf(function.getName()) % managers.size()]);
}

bool callsThroughPointer(const llvm::Function& function, std::set<const llvm::Function*>& seen) {
  if (!seen.insert(&function).second)
    return false;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        call && !call->isInlineAsm()) {
      const llvm::Function* callee = call->getCalledFunction();
      if (callee == nullptr || callsThroughPointer(*callee, seen))
        return true;
    }
  return false;
}

/// Leaves a kernel and what it names: one that calls through pointers takes in all functions that
/// the pointers of its file may hold.
void keepOnly(llvm::Module& module, const std::string& kernel) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && function.getName() != kernel)
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  llvm::NamedMDNode* notes = module.getNamedMetadata("nvvm.annotations");
  std::vector<llvm::MDNode*> kept;
  for (llvm::MDNode* note : notes->operands())
    if (auto* of = llvm::mdconst::dyn_extract_or_null<llvm::Function>(note->getOperand(0));
        of != nullptr && of->getName() == kernel)
      kept.push_back(note);
  notes->clearOperands();
  for (llvm::MDNode* note : kept)
    notes->addOperand(note);
  llvm::ModulePassManager unused;
  unused.addPass(llvm::GlobalDCEPass());
  ir::PassRunner().run(module, unused);
}

/// The host's functions in machine code.
class ScalarCode {
public:
  using Body = void (*)(unsigned* memory, unsigned thread, unsigned n);

  ScalarCode(const std::string& file, bool graphs) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto target = need(llvm::orc::JITTargetMachineBuilder::detectHost());
    target.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
    jit_ = need(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(target).create());
    frontend::DeviceModule code = need(frontend::parseDeviceModule(need(readFile(file)), file));
    if (graphs)
      runPassesOfSeeds(*code.module);
    code.module->setDataLayout(jit_->getDataLayout());
    if (auto error = jit_->addIRModule({std::move(code.module), std::move(code.context)}))
      die(llvm::toString(std::move(error)));
  }

  Body body(std::uint64_t seed) {
    return need(jit_->lookup(fmt::format("body{}", seed))).toPtr<Body>();
  }

private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

/// The device's code: one program for all kernels of a form, and one for each that calls through
/// pointers.
class DeviceCode {
public:
  explicit DeviceCode(const Options& options) : options_(options) {
    const bool isSource = llvm::StringRef(options.device).ends_with(".cu");
    bitcode_ = isSource ? need(frontend::compileDevice(options.device, {}))
                        : need(readFile(options.device));
    frontend::DeviceModule code = parse();
    if (options.graphs) {
      runPassesOfSeeds(*code.module);
      bitcode_ = bitcodeOf(*code.module);
    }
    for (const std::string& name : frontend::kernelNames(*code.module)) {
      seeds_.push_back(seedOf(name));
      std::set<const llvm::Function*> seen;
      if (callsThroughPointer(*code.module->getFunction(name), seen))
        alone_.insert(seeds_.back());
    }
  }

  const std::vector<std::uint64_t>& seeds() const { return seeds_; }

  /// Of a kernel.
  engine::DeviceProgram& program(std::uint64_t seed) {
    const Form form = formOf(seed, options_.form);
    const bool alone = alone_.contains(seed);
    auto& program = alone ? last_ : programs_[form];
    if (program == nullptr || alone) {
      frontend::DeviceModule code = parse();
      if (alone)
        keepOnly(*code.module, fmt::format("k{}", seed));
      program = need(engine::DeviceProgram::load(
          std::move(code), form != Form::FullWithoutAccount,
          form == Form::LaneByLane ? engine::CodeForm::LaneByLane : engine::CodeForm::Full));
    }
    return *program;
  }

private:
  frontend::DeviceModule parse() {
    return need(frontend::parseDeviceModule(bitcode_, options_.device));
  }

  const Options& options_;
  std::string bitcode_;
  std::vector<std::uint64_t> seeds_;
  std::set<std::uint64_t> alone_;
  std::map<Form, std::unique_ptr<engine::DeviceProgram>> programs_;
  std::unique_ptr<engine::DeviceProgram> last_;
};

std::vector<unsigned> startOfMemory(std::size_t size) {
  std::vector<unsigned> memory(size);
  for (unsigned k = 0; k < size; ++k)
    memory[k] = k % 3 != 0 ? k * 2654435761u >> 9 : k;
  return memory;
}

std::string difference(const std::vector<unsigned>& found, const std::vector<unsigned>& expected) {
  const auto [at, other] = std::ranges::mismatch(found, expected);
  if (at == found.end())
    return "";
  const auto k = unsigned(at - found.begin());
  return fmt::format("thread {}, word {}: {:08x}, expected {:08x}", k / words, k % words, *at,
                     *other);
}

/// What every setting must count alike.
std::vector<std::uint64_t> countsOf(const profile::KernelProfile& profile) {
  std::vector<std::uint64_t> counts = {profile.warpInstructions, profile.threadInstructions,
                                       profile.lostToFinished, profile.lostToPartial};
  for (const profile::BranchProfile& branch : profile.branches)
    counts.insert(counts.end(), {branch.executions, branch.divergentExecutions,
                                 branch.laneExecutions(), branch.lanes[0], branch.lostSlots});
  for (const profile::LoopProfile& loop : profile.loops)
    counts.insert(counts.end(), {loop.lanes, loop.iterations, loop.fewest, loop.most});
  return counts;
}

/// One kernel under all settings.
class Check {
public:
  Check(const Options& options, DeviceCode& device, ScalarCode& scalar)
      : options_(options), device_(device), scalar_(scalar),
        start_(startOfMemory(std::size_t(options.blocks) * std::size_t(options.block) * words)) {}

  /// What is wrong, or nothing.
  std::string problem(std::uint64_t seed) {
    engine::DeviceProgram& program = device_.program(seed);
    const auto kernel = program.kernel(fmt::format("k{}", seed));
    if (!kernel)
      return kernel.error().message;
    const auto n = unsigned(seed % 31);
    std::vector<unsigned> expected = start_;
    const ScalarCode::Body body = scalar_.body(seed);
    for (unsigned thread = 0; thread * words < expected.size(); ++thread)
      body(&expected[std::size_t(thread) * words], thread, n);
    std::vector<std::uint64_t> counts;
    for (const Setting& setting : settings) {
      std::vector<unsigned> found = start_;
      const auto outcome = launch(program, **kernel, found, n, setting);
      std::string wrong = !outcome         ? outcome.error().message
                          : outcome->fault ? outcome->fault->message
                                           : difference(found, expected);
      if (wrong.empty() && counts.empty())
        counts = countsOf(outcome->profile);
      if (wrong.empty() && counts != countsOf(outcome->profile))
        wrong = fmt::format("another account than under {}", settings.front().name);
      if (!wrong.empty())
        return fmt::format("{}: {}", setting.name, wrong);
    }
    return "";
  }

private:
  Expected<engine::LaunchOutcome> launch(const engine::DeviceProgram& program,
                                         const engine::CompiledKernel& kernel,
                                         std::vector<unsigned>& memory, unsigned n,
                                         const Setting& setting) {
    engine::DeviceMemory live;
    live.add(memory.data(), memory.size() * sizeof(unsigned), "memory");
    for (const engine::DeviceVariable& variable : program.variables())
      live.add(variable.address, variable.size, variable.name);
    engine::LaunchRequest request;
    request.grid = {options_.blocks, 1, 1};
    request.block = {options_.block, 1, 1};
    request.arguments.resize(kernel.argumentSize());
    const unsigned* pointer = memory.data();
    std::memcpy(request.arguments.data(), &pointer, sizeof pointer);
    std::memcpy(request.arguments.data() + kernel.argumentOffsets().at(1), &n, sizeof n);
    engine::LaunchSettings how;
    how.reconvergence = setting.policy;
    how.workers = setting.workers;
    how.mostInstructions = mostInstructions;
    return engine::launch(kernel, request, live, how);
  }

  const Options& options_;
  DeviceCode& device_;
  ScalarCode& scalar_;
  std::vector<unsigned> start_;
};

int run(const Options& options) {
  DeviceCode device(options);
  ScalarCode scalar(options.host, options.graphs);
  Check check(options, device, scalar);
  const bool all = options.part.empty();
  const std::size_t from = all ? 0 : options.part.at(0);
  const std::size_t to = all ? device.seeds().size() : options.part.at(1);
  int failures = 0;
  for (std::size_t i = from; i < to; ++i)
    if (const std::string problem = check.problem(device.seeds().at(i)); !problem.empty()) {
      ++failures;
      std::printf("k%llu: %s\n", static_cast<unsigned long long>(device.seeds()[i]),
                  problem.c_str());
      std::fflush(stdout);
    }
  std::printf("%s\n", failures != 0 ? "FAIL" : "PASS");
  return failures != 0 ? 1 : 0;
}

} // namespace
} // namespace heddle::fuzz

int main(int count, char** texts) {
  heddle::fuzz::Options options;
  CLI::App app("random kernels on the engine against the same code thread by thread");
  app.add_option("device", options.device, "a .cu file, or LLVM IR")->required();
  app.add_option("host", options.host, "LLVM IR of the functions body<seed>")->required();
  app.add_option("part", options.part, "FROM TO: numbers of kernels")->expected(0, 2);
  app.add_option("--form", options.form, "of machine code")
      ->check(CLI::IsMember({"mixed", "lanes", "full"}));
  app.add_option("--blocks", options.blocks);
  app.add_option("--block", options.block, "threads of a block");
  app.add_flag("--graphs", options.graphs, "run the passes of each seed");
  CLI11_PARSE(app, count, texts);
  return heddle::fuzz::run(options);
}
