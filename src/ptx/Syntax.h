// SPDX-License-Identifier: Apache-2.0
//
// A PTX file as it is written, before anything is looked up. Names are views of the file's text.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::ptx {

/// A type of PTX: `.u32` is {'u', 32}. Predicates are {'p', 1}.
struct ScalarType {
  /// b u s f p; U: u16x2; S: s16x2; h: f16x2; g: bf16; G: bf16x2; t: tf32; q: e4m3x2; r: e5m2x2; 0:
  /// none
  char kind = 0;
  unsigned bits = 0;

  bool operator==(const ScalarType&) const = default;
  explicit operator bool() const { return kind != 0; }
  bool isFloat() const { return kind == 'f'; }
  bool isSigned() const { return kind == 's'; }
  /// Floating point that is a number of bits here: half, bfloat16, tf32 and those of 8 bits.
  bool isSmall() const {
    return (kind == 'f' && bits == 16) ||
           (kind != 0 && std::string_view("hgGtqr").find(kind) != std::string_view::npos);
  }
  /// Two numbers in one register.
  bool isPacked() const {
    return kind != 0 && std::string_view("hGqr").find(kind) != std::string_view::npos;
  }
  unsigned bytes() const { return bits < 8 ? 1 : bits / 8; }
};

/// Nothing where the word, without its dot, is no type.
ScalarType typeNamed(std::string_view word);
/// The word, without its dot.
std::string nameOf(ScalarType type);

struct Operand {
  enum class Kind : std::uint8_t {
    Name,    ///< a register, variable, function or label; with an offset behind it
    Integer, ///< bits
    Float,   ///< 0f..., 0d..., 1.5: the bits of a float where `single`, else of a double
    Memory,  ///< [name + offset], [offset], [texture, {x, y}]
    Pair,    ///< a|b
    Vector,  ///< {a, b}
    List     ///< (a, b)
  };
  Kind kind = Kind::Name;
  bool negated = false; ///< !p
  bool single = false;
  std::string_view name;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
  std::vector<Operand> parts;
};

struct Instruction {
  std::uint32_t line = 0;
  std::string_view guard; ///< @p
  bool guardNegated = false;
  bool readable = true;       ///< its operands are of a form that the parser knows
  std::string_view opcode;    ///< add
  std::string_view modifiers; ///< .rn.f32
  std::vector<Operand> operands;
};

struct Label {
  std::string_view name;
};

/// .loc
struct Location {
  unsigned file = 0, line = 0, column = 0;
  std::string_view function; ///< the label of its name, where the line was inlined
  unsigned atFile = 0, atLine = 0, atColumn = 0;
};

struct Initial {
  std::string_view symbol; ///< or a number
  bool generic = false;
  std::uint64_t mask = 0; ///< of the byte that is meant, where only one is
  bool isFloat = false, single = false;
  std::uint64_t bits = 0; ///< added to the symbol
};

enum class Space : std::uint8_t { Register, Local, Shared, Param, Global, Const, Cluster, Generic };

struct Variable {
  std::uint32_t line = 0;
  Space space = Space::Register;
  ScalarType type;
  unsigned elements = 1; ///< of .v2, .v4
  unsigned alignment = 0;
  std::string_view name;
  std::optional<unsigned> range; ///< %r<10>
  bool isArray = false;
  std::uint64_t count = 1; ///< of an array; 0 where it has no size
  bool isExtern = false, isVisible = false, isWeak = false, isManaged = false;
  std::vector<Initial> values;

  std::uint64_t bytes() const { return count * elements * type.bytes(); }
};

struct ScopeBegin {};
struct ScopeEnd {};

struct Prototype {
  std::string_view name;
  std::vector<Variable> results, parameters;
};

struct BranchTargets {
  std::string_view name;
  std::vector<std::string_view> labels;
};

using Statement =
    std::variant<Instruction, Label, Location, Variable, ScopeBegin, ScopeEnd, BranchTargets>;

struct Function {
  std::uint32_t line = 0;
  bool isKernel = false;
  bool isDefined = false;
  bool isExtern = false, isVisible = false, isWeak = false;
  std::string_view name;
  std::vector<Variable> results, parameters;
  std::array<unsigned, 3> mostThreads = {}; ///< .maxntid or .reqntid; zeros: not given
  unsigned leastBlocks = 0;                 ///< .minnctapersm
  std::array<unsigned, 3> cluster = {};     ///< .reqnctapercluster; zeros: not given
  unsigned mostRegisters = 0;               ///< .maxnreg
  std::vector<Statement> body;
  std::vector<Prototype> prototypes;
};

struct File {
  std::string_view version;    ///< 8.7
  std::string_view target;     ///< sm_90
  bool isForDebugging = false; ///< nothing is optimised
  std::map<unsigned, std::string_view> files;
  std::map<std::string_view, std::string> texts; ///< of .debug_str, by label
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::map<std::string_view, std::string_view> aliases;
};

} // namespace heddle::ptx
