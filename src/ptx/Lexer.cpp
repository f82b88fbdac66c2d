// SPDX-License-Identifier: Apache-2.0
#include "ptx/Lexer.h"

namespace heddle::ptx {
namespace {

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool startsWord(char c) {
  return isLetter(c) || c == '_' || c == '$' || c == '%' || c == '.';
}
bool continuesWord(char c) {
  return startsWord(c) || isDigit(c);
}

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Expected<std::vector<Token>> run() {
    while (true) {
      HEDDLE_CHECK(skipBlanks());
      if (at_ == text_.size())
        break;
      HEDDLE_CHECK(addToken());
    }
    tokens_.push_back({Token::Kind::End, line_, {}});
    return std::move(tokens_);
  }

private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  Expected<void> skipBlanks() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == '\n') {
        ++line_;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\0') {
        ++at_; // some compilers end their text with a zero
      } else if (c == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && peek(1) == '*') {
        HEDDLE_CHECK(skipComment());
      } else {
        break;
      }
    }
    return {};
  }

  Expected<void> skipComment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string_view::npos)
      return fail(ErrorKind::BadInput, "PTX line {}: a comment that does not end", line_);
    for (; at_ < end + 2; ++at_)
      line_ += text_[at_] == '\n' ? 1 : 0;
    return {};
  }

  void add(Token::Kind kind, std::size_t end) {
    tokens_.push_back({kind, line_, text_.substr(at_, end - at_)});
    at_ = end;
  }

  Expected<void> addToken() {
    const char c = peek();
    if (c == '"')
      return addText();
    if (isDigit(c))
      add(Token::Kind::Number, endOfNumber());
    else if (startsWord(c))
      add(Token::Kind::Word, endOfWord());
    else if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e)
      return fail(ErrorKind::BadInput, "PTX line {}: a character that is no PTX (code {})", line_,
                  int(static_cast<unsigned char>(c)));
    else
      add(Token::Kind::Sign, at_ + 1);
    return {};
  }

  Expected<void> addText() {
    const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] != '"')
      return fail(ErrorKind::BadInput, "PTX line {}: a text that does not end", line_);
    ++at_;
    add(Token::Kind::Text, end);
    ++at_;
    return {};
  }

  /// `.L1::no_allocate` is one word, and so is `.L2::128B`. `.reg.b32` is two.
  std::size_t endOfWord() const {
    constexpr std::string_view registers = ".reg";
    if (text_.substr(at_).starts_with(".reg."))
      return at_ + registers.size();
    std::size_t end = at_ + 1;
    while (end < text_.size() &&
           (continuesWord(text_[end]) || (text_.substr(end, 2) == "::" && end + 2 < text_.size() &&
                                          continuesWord(text_[end + 2])))) {
      end += text_[end] == ':' ? 2 : 1;
    }
    return end;
  }

  /// `1e-5` has a sign inside, `0x1e-5` has not.
  std::size_t endOfNumber() const {
    std::size_t end = at_ + 1;
    const bool prefixed = peek() == '0' && isLetter(peek(1));
    while (end < text_.size()) {
      const char c = text_[end];
      const bool isExponent =
          !prefixed && (c == '+' || c == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E');
      if (!isDigit(c) && !isLetter(c) && !(c == '.' && !prefixed) && !isExponent)
        break;
      ++end;
    }
    return end;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<Token> tokens_;
};

} // namespace

std::string_view withoutMark(std::string_view text) {
  return text.substr(text.starts_with("\xef\xbb\xbf") ? 3 : 0);
}

Expected<std::vector<Token>> tokenize(std::string_view text) {
  return Lexer(withoutMark(text)).run();
}

} // namespace heddle::ptx
