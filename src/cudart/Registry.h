// SPDX-License-Identifier: Apache-2.0
//
// The device code of the program: what its compiled host code announces before main. Each source
// file brings one container of LLVM bitcode; it is read when a kernel or variable of it is first
// used.
//
// The container, which src/frontend writes: "HEDDLEFB", the size of what follows as 64 bits little
// endian, LLVM bitcode.
#pragma once

#include "cudart/Memory.h"
#include "cudart/Settings.h"
#include "engine/DeviceProgram.h"
#include "support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cudart {

/// As clang lays it out.
struct FatBinaryWrapper {
  static constexpr int expectedMagic = 0x466243b1;

  int magic;
  int version;
  const void* data;
  void* unused;
};

/// The bitcode inside a wrapper.
Expected<std::string_view> openContainer(const FatBinaryWrapper& wrapper);

/// The device code of one source file.
struct Program {
  const FatBinaryWrapper* wrapper = nullptr;
  bool loaded = false;
  std::unique_ptr<engine::DeviceProgram> code;
};

struct KernelEntry {
  Program* program = nullptr;
  std::string symbol;
  std::optional<launch::KernelLimits> limits; ///< known once it is prepared
  int mostDynamicShared = 0; ///< cudaFuncAttributeMaxDynamicSharedMemorySize; 0 if never set
  int carveout = -1;
};

struct VariableEntry {
  Program* program = nullptr;
  std::string symbol;
  std::size_t size = 0;
  std::byte* address = nullptr;     ///< known once loaded
  std::unique_ptr<std::byte[]> own; ///< for one that the device code does not use
};

/// Guarded by apiMutex.
class Registry {
public:
  static Registry& instance();

  Program* addProgram(const FatBinaryWrapper* wrapper);
  void addKernel(Program* program, const void* hostFunction, std::string symbol);
  void addVariable(Program* program, const void* hostVariable, std::string symbol,
                   std::size_t size);
  /// The source file's code is being unloaded.
  void removeProgram(Program* program);

  /// Nullptr for what was never announced. What is there is loaded, its variables live in `memory`;
  /// device code that cannot be read is the error.
  Expected<KernelEntry*> findKernel(const void* hostFunction, const Settings& settings,
                                    Memory& memory);
  Expected<VariableEntry*> findVariable(const void* hostVariable, const Settings& settings,
                                        Memory& memory);

  /// Whether a kernel has, or had, this plain name, without its namespace and template arguments.
  bool hasKernel(const std::string& name) const;

  /// After cudaDeviceReset: variables start anew, attributes are forgotten.
  void forgetLoaded();

private:
  Expected<void> load(Program& program, const Settings& settings, Memory& memory);
  void placeVariables(Program& program, Memory& memory);

  std::vector<std::unique_ptr<Program>> programs_; ///< removed ones too: their code may be running
  std::map<const void*, KernelEntry> kernels_;
  std::set<std::string> symbols_; ///< of all kernels that ever were
  std::map<const void*, VariableEntry> variables_;
};

} // namespace heddle::cudart
