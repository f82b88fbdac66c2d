// SPDX-License-Identifier: Apache-2.0
#include "launch/MachineSampler.h"

#include "ptx/Symbols.h"

#include <algorithm>
#include <bit>

namespace heddle::launch {
namespace {

constexpr int firstRunnable = 90, lastRunnable = 90;
/// Instructions of warps, in all launches of a kernel: after so many, only launches 1, 2, 4, 8 ...
/// are sampled. Estimates: a run of machine code takes some 60 ns for one.
constexpr std::uint64_t manyInstructions = 8'000'000;
constexpr std::uint64_t budget = 2'000'000;       ///< of a launch
constexpr std::uint64_t mostOfBlock = 8'000'000;  ///< a longer one is not run
constexpr std::uint64_t mostTogether = 4'000'000; ///< of a grid whose blocks depend on each other
constexpr std::int64_t mostBlocks = 65536;

/// Addresses of variables and handles of functions by the names that PTX has for them.
class Addresses {
public:
  explicit Addresses(const engine::DeviceProgram& program) {
    for (const engine::DeviceVariable& variable : program.variables())
      byName_[variable.name] = reinterpret_cast<std::uint64_t>(variable.address);
    for (const auto& [name, handle] : program.functionHandles())
      byName_[name] = reinterpret_cast<std::uint64_t>(handle.get());
  }

  std::optional<std::uint64_t> operator()(const std::string& name) const {
    for (const std::string& known : {name, ptx::commonName(name), ptx::commonName(name, false)})
      if (const auto found = byName_.find(known); found != byName_.end())
        return found->second;
    return {};
  }

private:
  std::map<std::string, std::uint64_t> byName_;
};

/// By its symbol, or by that of nvcc for it.
const sassrun::Kernel* findKernel(const sassrun::Program& program, const std::string& symbol) {
  for (const auto& [name, kernel] : program.kernels())
    if (name == symbol || ptx::commonName(name) == symbol || ptx::commonName(name, false) == symbol)
      return &kernel;
  return nullptr;
}

sassrun::LiveRange rangeAt(const engine::DeviceMemory& memory, std::uint64_t address) {
  if (const engine::Allocation* found = memory.find(address, 1))
    return {found->begin, found->begin + found->size};
  if (const auto found = memory.heap().find(address, 1))
    return {found->begin, found->begin + found->size};
  return {};
}

/// Whether machine code may round otherwise than we do, and every order of blocks gives the same.
bool mayAdopt(const engine::CompiledKernel& kernel, std::int64_t blocks) {
  const bool tells = kernel.needsTurns || kernel.endsInOrder || kernel.showsOrder;
  return kernel.roundsOtherwise && (!tells || blocks == 1);
}

/// So many blocks of a grid, or a few more or less, at even distances.
std::vector<std::int64_t> spread(std::int64_t blocks, std::int64_t wanted) {
  const std::int64_t step = (blocks + wanted - 1) / wanted;
  std::vector<std::int64_t> chosen;
  for (std::int64_t block = step / 2; block < blocks; block += step)
    chosen.push_back(block);
  return chosen;
}

} // namespace

MachineSampler::ProgramState& MachineSampler::stateOf(engine::DeviceProgram& program) {
  const auto [at, isNew] = programs_.try_emplace(&program);
  ProgramState& state = at->second;
  if (!isNew || program.machineCode().empty() || program.architecture() < firstRunnable ||
      program.architecture() > lastRunnable)
    return state;
  if (auto loaded =
          sassrun::Program::load(program.machineCode(), program.architecture(), Addresses(program)))
    state.program = *std::move(loaded);
  state.source = std::make_shared<ptx::SourceLines>(program.ptx());
  return state;
}

MachineSample MachineSampler::prepare(engine::DeviceProgram& program,
                                      const engine::CompiledKernel& kernel,
                                      const engine::LaunchRequest& request,
                                      const engine::DeviceMemory& memory,
                                      engine::LaunchSettings& settings) {
  ProgramState& state = stateOf(program);
  if (!state.program || !settings.account || settings.touches != nullptr ||
      request.clusterBlocks() > 1)
    return {};
  const auto [at, isNew] = state.kernels.try_emplace(kernel.prototype.id);
  MachineKernel& known = at->second;
  if (isNew) {
    known.kernel = findKernel(*state.program, kernel.prototype.id);
    known.source = state.source;
  }
  ++known.launches;
  if (known.kernel == nullptr || known.kernel->unrunnable ||
      (known.executed > manyInstructions && !std::has_single_bit(known.launches)))
    return {&known};
  const sassrun::Kernel& code = *known.kernel;
  const std::int64_t blocks = request.blocks();
  const auto makeRun = [&](std::uint64_t most) {
    return std::make_shared<sassrun::SampleRun>(
        *state.program, code,
        sassrun::LaunchShape{.grid = request.grid,
                             .block = request.block,
                             .dynamicShared = request.dynamicShared,
                             .arguments = request.arguments},
        [&memory](std::uint64_t address) { return rangeAt(memory, address); }, most,
        mayAdopt(kernel, blocks) ? sassrun::Writes::Noted : sassrun::Writes::Forgotten);
  };
  const bool sharesWork = kernel.shape.takesWork != profile::WorkCounter::None;
  if (isNew && !sharesWork) { // one block, to know what they cost
    const auto trial = makeRun(mostOfBlock);
    trial->run(blocks / 2);
    known.note(*trial);
    known.dependsOnOthers = trial->ranTooLong() || trial->dependsOnOthers();
    if (!trial->failure().empty() && !trial->ranTooLong())
      return {&known};
  }
  const std::uint64_t cost = known.blocks == 0 ? 1 : known.executed / known.blocks + 1;
  if (sharesWork || (known.dependsOnOthers && cost * std::uint64_t(blocks) < mostTogether)) {
    auto whole = makeRun(mostTogether);
    whole->runTogether(settings.residentBlocks);
    return {&known, std::move(whole)};
  }
  auto run = makeRun(mostOfBlock);
  settings.sample.blocks = spread(blocks, std::clamp<std::int64_t>(std::int64_t(budget / cost), 1,
                                                                   std::min(blocks, mostBlocks)));
  settings.sample.before = [run](std::int64_t block) { run->run(block); };
  return {&known, std::move(run)};
}

void MachineKernel::note(const sassrun::SampleRun& sample) {
  if (!sample.failure().empty())
    kernel = nullptr;
  for (const auto& [block, sum] : sample.blocks()) {
    executed += sum.executions;
    blocks += sample.isWhole() ? sample.wholeBlocks() : 1;
  }
}

const Calibration* MachineSample::calibration(const engine::LaunchOutcome& outcome) const {
  if (kernel == nullptr)
    return nullptr;
  if (run) {
    kernel->note(*run);
    if (auto found = calibrationOf(*run, outcome, *kernel->source))
      kernel->calibration = *std::move(found);
  }
  return kernel->calibration ? &*kernel->calibration : nullptr;
}

} // namespace heddle::launch
