// SPDX-License-Identifier: Apache-2.0
//
// Makes a program of a file of ptxas:
//
//   .text.K, .text.f        code, one section behind the other
//   .nv.constant0.K         bank 0 of a kernel: the launch, and its parameters
//   .nv.constant2.K         bank 2: tables of jumps, and places of functions with a pointer to them
//   .nv.constant3           bank 3: __constant__ variables
//   .nv.constant4           bank 4: addresses of variables and functions, by relocations
//   .nv.shared.K            how much shared memory it has
//   .nv.info.K              where its parameters are in bank 0
#pragma once

#include "sass/CubinLines.h"
#include "sassrun/Program.h"

#include <llvm/Object/ELF.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::sassrun {

class ProgramLoader {
public:
  using File = sass::CubinFile;

  ProgramLoader(const File& file, const SymbolAddress& variables, Program& program)
      : file_(file), variables_(variables), program_(program) {}

  llvm::Error load();

private:
  struct Section {
    std::string name;
    std::vector<std::uint8_t> bytes; ///< after relocation
    std::uint64_t size = 0;
    std::uint64_t address = 0;          ///< of code
    std::vector<std::uint32_t> reached; ///< sections of code that it names
    std::optional<std::string> broken;  ///< a relocation that was not understood
    bool isCode() const;
  };
  struct Symbol {
    std::string name;
    std::uint32_t section = 0;
    std::uint64_t value = 0, size = 0;
    unsigned char type = 0;
    bool isKernel = false;
  };
  struct Relocation {
    std::uint64_t offset = 0;
    std::uint32_t type = 0, symbol = 0;
    std::optional<std::uint64_t> addend; ///< nothing where it stands in the section
  };
  /// A part of a bank that could not be filled.
  struct Broken {
    std::uint64_t begin = 0, end = 0;
    std::string why;
  };

  llvm::Error readSections();
  llvm::Error readSymbols();
  llvm::Error readRelocations();
  void placeCode();
  void placeBanks();
  void placeVariables();
  void registerFunctions();
  void applyTo(std::uint32_t section, const Relocation& relocation);
  void applyToCode(Section& section, const Relocation& relocation);
  void applyToBank(Section& section, const Relocation& relocation);
  std::optional<std::uint64_t> addressOf(const Symbol& symbol);
  std::optional<std::uint64_t> pointerTo(const Symbol& symbol);
  std::uint64_t missingFunction(const std::string& name);
  void decodeCode();
  void makeKernels();
  void addPointers(const Symbol& symbol, Kernel& kernel) const;
  void readInfo(Kernel& kernel) const;
  std::optional<std::string> findProblem(std::uint32_t section) const;
  std::optional<std::string> problemOf(const Instruction& instruction) const;
  std::optional<std::string> problemOfBank(const Encoding& code) const;
  const Section* section(const std::string& name) const;
  std::vector<std::byte> contents(const std::string& name) const;

  const File& file_;
  const SymbolAddress& variables_;
  Program& program_;
  std::vector<Section> sections_;
  std::vector<Symbol> symbols_;
  std::map<std::uint32_t, std::vector<Relocation>> relocations_; ///< by section
  std::vector<std::uint32_t> pointedTo_;                         ///< sections of code
  std::map<sass::Place, std::uint32_t> lines_;
  std::map<unsigned, std::vector<Broken>> broken_; ///< by bank
};

} // namespace heddle::sassrun
