// SPDX-License-Identifier: Apache-2.0
//
// Bodies of functions: declarations, labels, places in the source, instructions.
#include "ptx/TokenReader.h"

#include <set>

namespace heddle::ptx {
namespace {

constexpr int deepestOperand = 4; ///< ((a)) is none that PTX has

class BodyParser {
public:
  BodyParser(TokenReader& reader, Function& function) : reader_(reader), function_(function) {}

  Expected<void> run() {
    int depth = 1;
    while (depth > 0) {
      if (reader_.atEnd())
        return reader_.wrong("'}'");
      if (reader_.take("{")) {
        ++depth;
        labels_.emplace_back();
        function_.body.emplace_back(ScopeBegin{});
      } else if (reader_.take("}")) {
        labels_.pop_back();
        if (--depth > 0)
          function_.body.emplace_back(ScopeEnd{});
      } else {
        HEDDLE_CHECK(parseStatement());
      }
    }
    return {};
  }

private:
  Expected<void> parseStatement() {
    if (reader_.take(";"))
      return {};
    if (reader_.isNext("@") ||
        (reader_.isWord() && !reader_.peek().text.starts_with('.') && !reader_.peek(1).is(":")))
      return parseInstruction();
    if (reader_.isWord() && reader_.peek(1).is(":"))
      return parseLabel();
    const std::uint32_t line = reader_.peek().line;
    HEDDLE_TRY(const std::string_view directive, reader_.word("a statement"));
    if (const auto space = spaceNamed(directive)) {
      HEDDLE_TRY(auto variables, parseVariables(reader_, *space));
      for (Variable& variable : variables)
        function_.body.emplace_back(std::move(variable));
      return {};
    }
    if (directive == ".loc")
      return parseLocation();
    if (directive == ".pragma") {
      reader_.skipStatement();
      return {};
    }
    return fail(ErrorKind::Unsupported, "PTX line {}: the directive '{}' is not known", line,
                directive);
  }

  Expected<void> parseLabel() {
    const std::uint32_t line = reader_.peek().line;
    const std::string_view name = reader_.next().text;
    reader_.next();
    if (reader_.take(".callprototype"))
      return parsePrototype(name);
    if (reader_.take(".calltargets")) {
      reader_.skipStatement(); // the call through it is refused
      return {};
    }
    if (!reader_.take(".branchtargets")) {
      if (!labels_.back().insert(name).second)
        return fail(ErrorKind::BadInput, "PTX line {}: the label '{}' is there twice", line, name);
      function_.body.emplace_back(Label{name});
      return {};
    }
    BranchTargets targets{name, {}};
    do {
      HEDDLE_TRY(const std::string_view label, reader_.word("a label"));
      targets.labels.push_back(label);
    } while (reader_.take(","));
    function_.body.emplace_back(std::move(targets));
    return reader_.expect(";");
  }

  Expected<void> parsePrototype(std::string_view name) {
    Prototype prototype{name, {}, {}};
    if (reader_.isNext("(")) {
      HEDDLE_TRY(prototype.results, parseParameters(reader_));
    }
    HEDDLE_CHECK(reader_.word("'_'"));
    if (reader_.isNext("(")) {
      HEDDLE_TRY(prototype.parameters, parseParameters(reader_));
    }
    function_.prototypes.push_back(std::move(prototype));
    reader_.skipStatement(); // .noreturn
    return {};
  }

  Expected<void> parsePlace(unsigned& file, unsigned& line, unsigned& column) {
    for (unsigned* number : {&file, &line, &column}) {
      HEDDLE_TRY(const std::uint64_t value, reader_.integer());
      *number = unsigned(value);
    }
    return {};
  }

  /// `.loc 1 12 5, function_name $L__info_string0, inlined_at 1 40 3`
  Expected<void> parseLocation() {
    Location location;
    HEDDLE_CHECK(parsePlace(location.file, location.line, location.column));
    while (reader_.take(",")) {
      if (reader_.take("function_name")) {
        HEDDLE_TRY(location.function, reader_.word("the label of a name"));
        if (reader_.take("+"))
          HEDDLE_CHECK(reader_.integer());
      } else if (reader_.take("inlined_at")) {
        HEDDLE_CHECK(parsePlace(location.atFile, location.atLine, location.atColumn));
      } else {
        return reader_.wrong("'function_name' or 'inlined_at'");
      }
    }
    function_.body.emplace_back(location);
    return {};
  }

  Expected<void> parseInstruction() {
    Instruction instruction;
    instruction.line = reader_.peek().line;
    if (reader_.take("@")) {
      instruction.guardNegated = reader_.take("!");
      HEDDLE_TRY(instruction.guard, reader_.word("a predicate"));
    }
    HEDDLE_TRY(const std::string_view opcode, reader_.word("an instruction"));
    const std::size_t dot = std::min(opcode.find('.'), opcode.size());
    instruction.opcode = opcode.substr(0, dot);
    instruction.modifiers = opcode.substr(dot);
    instruction.readable = parseOperands(instruction.operands).has_value();
    if (!instruction.readable) {
      instruction.operands.clear();
      reader_.skipStatement();
    }
    function_.body.emplace_back(std::move(instruction));
    return {};
  }

  /// `call (result), f, (a, b);` separates its lists like operands.
  Expected<void> parseOperands(std::vector<Operand>& operands) {
    if (reader_.take(";"))
      return {};
    do {
      HEDDLE_TRY(Operand operand, parseOperand(0));
      operands.push_back(std::move(operand));
    } while (reader_.take(","));
    return reader_.expect(";");
  }

  Expected<Operand> parseOperand(int depth) {
    if (depth > deepestOperand)
      return reader_.wrong("an operand");
    if (reader_.take("["))
      return parseMemory();
    if (reader_.take("{"))
      return parseGroup(Operand::Kind::Vector, "}", depth);
    if (reader_.take("("))
      return parseGroup(Operand::Kind::List, ")", depth);
    return parseSimple(depth);
  }

  Expected<Operand> parseGroup(Operand::Kind kind, std::string_view end, int depth) {
    Operand result;
    result.kind = kind;
    while (!reader_.take(end)) {
      HEDDLE_TRY(Operand part, parseOperand(depth + 1));
      result.parts.push_back(std::move(part));
      if (!reader_.isNext(end))
        HEDDLE_CHECK(reader_.expect(","));
    }
    return result;
  }

  Expected<Operand> parseMemory() {
    Operand result;
    result.kind = Operand::Kind::Memory;
    if (reader_.isWord())
      result.name = reader_.next().text;
    if (result.name.empty() || reader_.take("+")) {
      HEDDLE_TRY(const std::uint64_t offset, reader_.integer());
      result.offset = std::int64_t(offset);
    } else if (reader_.isNext("-")) {
      HEDDLE_TRY(const std::uint64_t offset, reader_.integer());
      result.offset = std::int64_t(offset);
    }
    if (reader_.take(",")) { // the coordinates of a texture
      HEDDLE_CHECK(reader_.expect("{"));
      HEDDLE_TRY(Operand group, parseGroup(Operand::Kind::Vector, "}", 1));
      result.parts = std::move(group.parts);
    }
    HEDDLE_CHECK(reader_.expect("]"));
    return result;
  }

  Expected<Operand> parseSimple(int depth) {
    Operand result;
    result.negated = reader_.take("!");
    const bool negative = reader_.take("-");
    if (reader_.peek().kind == Token::Kind::Number) {
      HEDDLE_TRY(result, numberOf(reader_.next()));
      if (negative && result.kind == Operand::Kind::Integer)
        result.bits = -result.bits;
      else if (negative)
        result.bits ^= std::uint64_t{1} << (result.single ? 31 : 63);
      return result;
    }
    HEDDLE_TRY(result.name, reader_.word("an operand"));
    if (reader_.take("|")) {
      HEDDLE_TRY(Operand second, parseOperand(depth + 1));
      Operand pair;
      pair.kind = Operand::Kind::Pair;
      pair.parts = {std::move(result), std::move(second)};
      return pair;
    }
    if (reader_.take("+")) {
      HEDDLE_TRY(const std::uint64_t offset, reader_.integer());
      result.offset = std::int64_t(offset);
    }
    return result;
  }

  TokenReader& reader_;
  Function& function_;
  std::vector<std::set<std::string_view>> labels_ = {{}}; ///< of the scopes that are open
};

} // namespace

Expected<void> parseBody(TokenReader& reader, Function& function) {
  return BodyParser(reader, function).run();
}

} // namespace heddle::ptx
