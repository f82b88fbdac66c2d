// SPDX-License-Identifier: Apache-2.0
//
// The device code of one source file: its variables in memory, its kernels in machine code, each
// compiled when it is first asked for.
#pragma once

#include "analysis/LaunchBounds.h"
#include "engine/CodeForm.h"
#include "engine/CompiledKernel.h"
#include "frontend/DeviceModule.h"
#include "frontend/Ptxas.h"
#include "lowering/registers/RegisterPressure.h"
#include "profile/RegisterUse.h"
#include "support/Error.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::engine {

class Jit;

/// A __device__ or __constant__ variable.
struct DeviceVariable {
  std::string name; ///< as in the IR
  std::byte* address = nullptr;
  std::size_t size = 0;
  bool constant = false; ///< neither side can write it: a literal, a table of virtual functions
};

/// Addresses by name in the IR: __managed__ variables, which the host has too.
using PlacedVariables = std::map<std::string, std::byte*>;

/// What decides how many registers a kernel gets.
struct RegisterRules {
  lowering::RegisterTarget target;
  int most = 255;        ///< of a thread: the device's limit, or what the launch bounds leave
  bool askPtxas = false; ///< where a toolkit is found
  bool useCache = true;  ///< for what ptxas said
};

class DeviceProgram {
public:
  /// Without an account, kernels do not count what their memory instructions move: only to measure
  /// what that costs.
  /// Variables in `placed` live where it says, with the values they have there.
  static Expected<std::unique_ptr<DeviceProgram>> load(frontend::DeviceModule module,
                                                       bool account = true,
                                                       CodeForm form = CodeForm::Full,
                                                       const PlacedVariables& placed = {});
  ~DeviceProgram();

  /// By symbol or plain name. Compiles it the first time; any thread may ask.
  Expected<const CompiledKernel*> kernel(const std::string& name);

  /// Of a kernel that is named by any of its names.
  Expected<std::string> symbolOf(const std::string& name);

  Expected<analysis::LaunchBounds> launchBounds(const std::string& name);

  /// Found when first asked for; any thread may ask.
  Expected<profile::RegisterUse> registerUse(const std::string& name, const RegisterRules& rules);

  /// What ptxas made of it, where that is known.
  const std::string& machineCode() const { return source_.machineCode; }
  int architecture() const { return source_.architecture; }
  const std::string& ptx() const { return source_.ptx; } ///< that it was made of; or empty

  const std::vector<DeviceVariable>& variables() const { return variables_; }
  /// By name in the IR: what stands for a function where its address is taken.
  const std::map<std::string, std::unique_ptr<std::byte>>& functionHandles() const {
    return handles_;
  }

private:
  DeviceProgram();
  Expected<void> placeVariables(const PlacedVariables& placed);
  Expected<std::unique_ptr<CompiledKernel>> compile(const std::string& symbol);
  void placeSites(std::vector<FaultSite>& sites) const;
  std::map<std::uint64_t, LaunchableKernel> launchableKernels();
  std::optional<profile::RegisterUse> askPtxas(const std::string& symbol,
                                               const RegisterRules& rules);

  frontend::DeviceModule source_;
  bool account_ = true;
  CodeForm form_ = CodeForm::Full;
  std::unique_ptr<Jit> jit_;
  std::vector<DeviceVariable> variables_;
  std::map<std::string, std::unique_ptr<std::byte>> handles_; ///< one address for each function
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<CompiledKernel>> kernels_; ///< by symbol
  /// By symbol, compute capability and limit.
  std::map<std::tuple<std::string, int, int>, profile::RegisterUse> registers_;
  std::map<int, std::optional<frontend::PtxasReport>> ptxas_; ///< by compute capability
};

} // namespace heddle::engine
