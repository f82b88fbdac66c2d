// SPDX-License-Identifier: Apache-2.0
//
// What ptxas wrote, ready to run: all sections of code in one space of addresses, constant banks,
// and what relocations put into both.
#pragma once

#include "sassrun/Instruction.h"
#include "support/Error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::sassrun {

struct Kernel {
  std::string name;
  std::uint64_t entry = 0;
  std::uint32_t parameterOffset = 0; ///< in bank 0
  std::uint32_t parameterBytes = 0;
  std::uint32_t sharedBytes = 0;         ///< static, with what the system keeps in front of it
  std::vector<std::byte> bank0, bank2;   ///< as the file has them; parameters are still zero
  std::uint32_t stackBytes = 0;          ///< of a thread, as far as ptxas knows
  std::optional<std::string> unrunnable; ///< why it cannot be run, where it cannot
  /// Functions that may be called through pointers: where they begin behind the kernel's own code,
  /// by the lower half of their handles, which is all that machine code uses.
  std::map<std::uint32_t, std::uint64_t> functionByHandle;
};

/// Addresses of what the program names: variables, and functions where they are called through a
/// pointer. Nothing where it is not known.
using SymbolAddress = std::function<std::optional<std::uint64_t>(const std::string& name)>;

class Program {
public:
  /// Refuses what is no file of ptxas for sm_90. A kernel that reaches an instruction which cannot
  /// be run, or a symbol without an address, is there but says why it cannot be run.
  static Expected<std::unique_ptr<Program>> load(std::string_view cubin, int architecture,
                                                 const SymbolAddress& variables);

  /// Machine code that comes from no file: a kernel named `codeKernel` that begins with the first
  /// instruction. An instruction that cannot be run makes it unrunnable.
  static std::unique_ptr<Program> fromCode(const std::vector<Encoding>& code);
  static constexpr std::string_view codeKernel = "code";

  static constexpr std::uint64_t firstAddress = 0x10000; ///< of code; none is below
  static constexpr unsigned variableBank = 3;

  const Kernel* kernel(const std::string& name) const;

  const std::map<std::string, Kernel>& kernels() const { return kernels_; }

  /// The instruction at an address; nothing outside of code.
  const Instruction* at(std::uint64_t address) const;
  std::size_t indexOf(const Instruction& instruction) const {
    return std::size_t(&instruction - code_.data());
  }
  const std::vector<Instruction>& code() const { return code_; }

  /// Where a function begins whose handle is called; nothing if it is none.
  std::optional<std::uint64_t> functionAt(std::uint64_t handle) const;

  /// The name of a function that the program calls but does not have (printf, malloc), from the
  /// address that stands for it. There is no code at such an address. Empty for others.
  const std::string& missingFunction(std::uint64_t address) const;

  /// Banks that all kernels share: __constant__ variables are in 3, addresses in 4.
  bool readConstant(unsigned bank, std::uint64_t offset, void* into, std::size_t size) const;

private:
  friend class ProgramLoader;
  Program() = default;
  void readPlaced(std::uint64_t offset, std::byte* into, std::size_t size) const;

  std::vector<Instruction> code_;
  std::map<std::string, Kernel> kernels_;
  std::map<std::uint64_t, std::uint64_t> functions_; ///< entries by handle
  std::vector<std::string> missing_;                 ///< functions, by their addresses
  std::map<unsigned, std::vector<std::byte>> banks_;
  /// Parts of bank 3 that lie in memory: __constant__ variables, by offset.
  struct Placed {
    std::uint64_t size = 0, address = 0;
  };
  std::map<std::uint64_t, Placed> placed_;
};

/// What runs an operation; nothing where it is control flow, or cannot be run.
Handler handlerFor(const Encoding& code);
bool isControl(const Encoding& code);

} // namespace heddle::sassrun
