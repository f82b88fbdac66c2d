// SPDX-License-Identifier: Apache-2.0
#include "ptx/TokenReader.h"

#include <limits>

namespace heddle::ptx {
namespace {

constexpr std::uint64_t mostBytes = std::uint64_t{1} << 34; ///< more is a typing error
constexpr std::uint64_t mostParameterBytes = 1 << 16;       ///< a GPU has 32,764 for all

/// `sym`, `sym+4`, `generic(sym)+4`, `0xFF00(sym)`, 12, 0f3F800000
Expected<Initial> parseInitial(TokenReader& reader) {
  Initial result;
  const bool negative = reader.take("-");
  if (reader.peek().kind == Token::Kind::Number) {
    HEDDLE_TRY(const Operand number, numberOf(reader.next()));
    result.isFloat = number.kind == Operand::Kind::Float;
    result.single = number.single;
    result.bits = negative && !result.isFloat ? -number.bits : number.bits;
    if (negative && result.isFloat)
      result.bits ^= std::uint64_t{1} << (result.single ? 31 : 63);
    if (!reader.take("("))
      return result;
    result.mask = std::exchange(result.bits, 0);
    HEDDLE_TRY(result.symbol, reader.word("a variable"));
    if (result.symbol == "generic" && reader.take("(")) {
      HEDDLE_TRY(result.symbol, reader.word("a variable"));
      HEDDLE_CHECK(reader.expect(")"));
    }
  } else {
    HEDDLE_TRY(result.symbol, reader.word("a value"));
    if (result.symbol != "generic" || !reader.take("(")) {
      if (reader.take("+")) {
        HEDDLE_TRY(result.bits, reader.integer());
      }
      return result;
    }
    result.generic = true;
    HEDDLE_TRY(result.symbol, reader.word("a variable"));
  }
  if (reader.take("+")) {
    HEDDLE_TRY(result.bits, reader.integer());
  }
  HEDDLE_CHECK(reader.expect(")"));
  if (reader.take("+")) {
    HEDDLE_TRY(const std::uint64_t more, reader.integer());
    result.bits += more;
  }
  return result;
}

/// Inner braces only group: all dimensions are known.
Expected<void> parseInitials(TokenReader& reader, std::vector<Initial>& values) {
  int depth = 0;
  do {
    while (reader.take("{"))
      ++depth;
    if (!reader.isNext("}")) {
      HEDDLE_TRY(const Initial value, parseInitial(reader));
      values.push_back(value);
    }
    while (depth > 0 && reader.take("}"))
      --depth;
  } while (reader.take(","));
  return depth == 0 ? Expected<void>() : Expected<void>(reader.wrong("'}'"));
}

Expected<void> parseDimensions(TokenReader& reader, Variable& variable) {
  while (reader.take("[")) {
    std::uint64_t size = 0;
    variable.isArray = true;
    if (!reader.isNext("]")) {
      HEDDLE_TRY(size, reader.integer());
    }
    HEDDLE_CHECK(reader.expect("]"));
    if (size > mostBytes || variable.count * size > mostBytes)
      return fail(ErrorKind::BadInput, "PTX line {}: '{}' is too large", variable.line,
                  variable.name);
    variable.count *= size;
  }
  return {};
}

/// The words between the space and the name: type, vector, alignment.
Expected<void> parseKind(TokenReader& reader, Variable& variable) {
  while (reader.isWord() && reader.peek().text.starts_with('.')) {
    const std::string_view word = reader.next().text.substr(1);
    if (word == "align") {
      HEDDLE_TRY(const std::uint64_t alignment, reader.integer());
      if (alignment == 0 || alignment > 4096 || (alignment & (alignment - 1)) != 0)
        return fail(ErrorKind::BadInput, "PTX line {}: an alignment of {}", variable.line,
                    alignment);
      variable.alignment = unsigned(alignment);
    } else if (word == "v2" || word == "v4" || word == "v8") {
      variable.elements = unsigned(word[1] - '0');
    } else if (word == "texref" || word == "samplerref" || word == "surfref") {
      variable.type = {'b', 64}; // what reads it is refused
    } else if (const ScalarType type = typeNamed(word)) {
      variable.type = type;
    } else if (word != "ptr" && word != "global" && word != "const" && word != "shared" &&
               word != "local" && word != "attribute") { // what a pointer points to
      return fail(ErrorKind::Unsupported, "PTX line {}: variables of kind '.{}' are not known",
                  variable.line, word);
    }
    if (word == "attribute") {
      HEDDLE_CHECK(reader.expect("("));
      while (!reader.atEnd() && !reader.take(")"))
        variable.isManaged |= reader.next().text == ".managed";
    }
  }
  return {};
}

Expected<Variable> parseVariable(TokenReader& reader, const Variable& kind) {
  Variable variable = kind;
  HEDDLE_TRY(variable.name, reader.word("a name"));
  if (reader.take("<")) {
    HEDDLE_TRY(const std::uint64_t range, reader.integer());
    if (range > std::numeric_limits<std::uint32_t>::max())
      return reader.wrong("fewer registers");
    variable.range = unsigned(range);
    HEDDLE_CHECK(reader.expect(">"));
  }
  HEDDLE_CHECK(parseDimensions(reader, variable));
  if (reader.take("="))
    HEDDLE_CHECK(parseInitials(reader, variable.values));
  const bool sized = !variable.isArray || variable.count > 0;
  if (!sized && !variable.values.empty())
    variable.count = variable.values.size() / variable.elements;
  return variable;
}

} // namespace

ScalarType typeNamed(std::string_view word) {
  static const std::map<std::string_view, ScalarType> types = {
      {"b8", {'b', 8}},     {"b16", {'b', 16}},    {"b32", {'b', 32}},    {"b64", {'b', 64}},
      {"b128", {'b', 128}}, {"u8", {'u', 8}},      {"u16", {'u', 16}},    {"u32", {'u', 32}},
      {"u64", {'u', 64}},   {"s8", {'s', 8}},      {"s16", {'s', 16}},    {"s32", {'s', 32}},
      {"s64", {'s', 64}},   {"f16", {'f', 16}},    {"f32", {'f', 32}},    {"f64", {'f', 64}},
      {"pred", {'p', 1}},   {"f16x2", {'h', 32}},  {"bf16", {'g', 16}},   {"bf16x2", {'G', 32}},
      {"tf32", {'t', 32}},  {"e4m3x2", {'q', 16}}, {"e5m2x2", {'r', 16}}, {"u16x2", {'U', 32}},
      {"s16x2", {'S', 32}}};
  const auto found = types.find(word);
  return found == types.end() ? ScalarType{} : found->second;
}

std::string nameOf(ScalarType type) {
  switch (type.kind) {
  case 'p':
    return "pred";
  case 'h':
    return "f16x2";
  case 'g':
    return "bf16";
  case 'G':
    return "bf16x2";
  case 't':
    return "tf32";
  case 'U':
    return "u16x2";
  case 'S':
    return "s16x2";
  case 'q':
    return "e4m3x2";
  case 'r':
    return "e5m2x2";
  default:
    return type.kind + std::to_string(type.bits);
  }
}

std::optional<Space> spaceNamed(std::string_view directive) {
  static const std::map<std::string_view, Space> spaces = {
      {".reg", Space::Register}, {".local", Space::Local},   {".shared", Space::Shared},
      {".param", Space::Param},  {".global", Space::Global}, {".const", Space::Const}};
  const auto found = spaces.find(directive);
  return found == spaces.end() ? std::nullopt : std::optional(found->second);
}

Expected<std::vector<Variable>> parseVariables(TokenReader& reader, Space space) {
  Variable kind;
  kind.line = reader.peek().line;
  kind.space = space;
  HEDDLE_CHECK(parseKind(reader, kind));
  std::vector<Variable> result;
  do {
    HEDDLE_TRY(Variable variable, parseVariable(reader, kind));
    result.push_back(std::move(variable));
  } while (reader.take(","));
  HEDDLE_CHECK(reader.expect(";"));
  return result;
}

Expected<std::vector<Variable>> parseParameters(TokenReader& reader) {
  std::vector<Variable> result;
  HEDDLE_CHECK(reader.expect("("));
  while (!reader.take(")")) {
    Variable kind;
    kind.line = reader.peek().line;
    const auto space = spaceNamed(reader.peek().text);
    if (!space)
      return reader.wrong("a parameter");
    reader.next();
    kind.space = *space;
    HEDDLE_CHECK(parseKind(reader, kind));
    HEDDLE_TRY(Variable variable, parseVariable(reader, kind));
    if (variable.bytes() > mostParameterBytes)
      return fail(ErrorKind::BadInput, "PTX line {}: '{}' is too large", variable.line,
                  variable.name);
    result.push_back(std::move(variable));
    if (!reader.isNext(")"))
      HEDDLE_CHECK(reader.expect(","));
  }
  return result;
}

} // namespace heddle::ptx
