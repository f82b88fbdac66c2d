// SPDX-License-Identifier: Apache-2.0
//
// The device code of the program: what its compiled host code announces before main. Each source
// file brings one container of LLVM bitcode or PTX; it is read when a kernel or variable of it is
// first used, and with those of the other files where they need each other.
//
// The container, which src/frontend writes: "HEDDLEFB", the size of what follows as 64 bits little
// endian, LLVM bitcode or PTX.
#pragma once

#include "cudart/Memory.h"
#include "cudart/Settings.h"
#include "engine/DeviceProgram.h"
#include "support/Error.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
  bool removed = false; ///< its source file's code is unloaded
  std::size_t file = 0; ///< among those that are linked
  bool loaded = false;
  std::shared_ptr<engine::DeviceProgram> code; ///< of several files where they need each other
};

struct KernelEntry {
  Program* program = nullptr;
  std::string symbol;
  std::string id;                             ///< as profile::KernelProfile has it
  std::optional<launch::KernelLimits> limits; ///< known once it is prepared
  int mostDynamicShared = 0; ///< cudaFuncAttributeMaxDynamicSharedMemorySize; 0 if never set
  int carveout = -1;
  bool allowsLargeClusters = false; ///< cudaFuncAttributeNonPortableClusterSizeAllowed
};

struct VariableEntry {
  Program* program = nullptr;
  std::string symbol;
  std::size_t size = 0;
  std::byte* address = nullptr;     ///< known once loaded
  std::unique_ptr<std::byte[]> own; ///< for one that the device code does not use
  bool managed = false;             ///< lives at the host's address
};

/// Guarded by apiMutex.
class Registry {
public:
  static Registry& instance();

  Program* addProgram(const FatBinaryWrapper* wrapper);
  void addKernel(Program* program, const void* hostFunction, std::string symbol);
  void addVariable(Program* program, const void* hostVariable, std::string symbol,
                   std::size_t size);
  /// Where the host keeps __managed__ variables that will be announced.
  void addManaged(const std::byte* begin, const std::byte* end);
  /// All of a source file is announced: its managed variables get their first values.
  Expected<void> finish(const Program* program);
  /// The source file's code is being unloaded.
  void removeProgram(Program* program);

  /// Nullptr for what was never announced. What is there is loaded, its variables live in `memory`;
  /// device code that cannot be read is the error.
  Expected<KernelEntry*> findKernel(const void* hostFunction, const Settings& settings,
                                    Memory& memory);
  /// The kernel of this symbol in the same device code; there need be no host function for it.
  KernelEntry& kernelBeside(const KernelEntry& entry, const std::string& symbol);
  Expected<VariableEntry*> findVariable(const void* hostVariable, const Settings& settings,
                                        Memory& memory);

  /// Whether a kernel has, or had, this plain name, without its namespace and template arguments.
  bool hasKernel(const std::string& name) const;

  /// After cudaDeviceReset: variables start anew, attributes are forgotten.
  void forgetLoaded();

private:
  std::string freshId(const std::string& symbol);
  Expected<void> load(Program& program, const Settings& settings, Memory& memory);
  Expected<bool> mustLink();
  std::vector<Program*> loadedWith(Program& program) const;
  engine::PlacedVariables managedVariables(const std::vector<Program*>& programs,
                                           const llvm::Module& module) const;
  void placeVariables(const Program& program, Memory& memory);

  std::vector<std::unique_ptr<Program>> programs_; ///< removed ones too: their code may be running
  std::map<const void*, KernelEntry> kernels_;
  std::map<std::pair<const engine::DeviceProgram*, std::string>, KernelEntry> deviceKernels_;
  std::map<std::string, int> symbols_; ///< of all kernels that ever were: how many
  std::map<const void*, VariableEntry> variables_;
  std::vector<std::pair<const std::byte*, const std::byte*>> managed_; ///< where they lie
  std::optional<bool> links_; ///< whether files need each other; known once one is loaded
};

} // namespace heddle::cudart
