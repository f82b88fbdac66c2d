// SPDX-License-Identifier: Apache-2.0
//
// Walks over tokens. The parsers of variables, bodies and files share one.
#pragma once

#include "ptx/Lexer.h"
#include "ptx/Syntax.h"

#include <span>

namespace heddle::ptx {

class TokenReader {
public:
  explicit TokenReader(std::span<const Token> tokens) : tokens_(tokens) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& next() {
    const Token& token = peek();
    at_ = std::min(at_ + 1, tokens_.size() - 1);
    return token;
  }
  bool atEnd() const { return peek().kind == Token::Kind::End; }
  bool isNext(std::string_view text) const { return peek().is(text); }
  bool isWord(std::size_t ahead = 0) const { return peek(ahead).kind == Token::Kind::Word; }

  bool take(std::string_view text) {
    if (!isNext(text))
      return false;
    next();
    return true;
  }

  Expected<void> expect(std::string_view text) {
    if (take(text))
      return {};
    return wrong(fmt::format("'{}'", text));
  }

  Expected<std::string_view> word(std::string_view what) {
    if (!isWord())
      return wrong(what);
    return next().text;
  }

  /// A whole number, perhaps with a minus in front of it; its bits.
  Expected<std::uint64_t> integer();

  /// Goes behind the next semicolon of this nesting, or in front of the brace that ends the body.
  void skipStatement();

  tl::unexpected<Error> wrong(std::string_view expected) const {
    return fail(ErrorKind::BadInput, "PTX line {}: {} where {} is expected", peek().line,
                atEnd() ? "the end" : fmt::format("'{}'", peek().text), expected);
  }

private:
  std::span<const Token> tokens_;
  std::size_t at_ = 0;
};

/// A number as it is written: an integer, or a float by its bits or as a decimal.
Expected<Operand> numberOf(const Token& token);

// ParseVariables.cpp

/// What stands behind a space's name, up to the semicolon: `.align 4 .b8 name[16] = {...}`.
Expected<std::vector<Variable>> parseVariables(TokenReader& reader, Space space);

/// `(.param .u64 a, .param .b8 b[4])`
Expected<std::vector<Variable>> parseParameters(TokenReader& reader);

/// Nothing where the word is no space.
std::optional<Space> spaceNamed(std::string_view directive);

// ParseBody.cpp

/// From behind the opening brace to behind the closing one.
Expected<void> parseBody(TokenReader& reader, Function& function);

} // namespace heddle::ptx
