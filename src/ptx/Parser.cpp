// SPDX-License-Identifier: Apache-2.0
//
// The outermost level of a file: variables, functions, tables of files and names.
#include "ptx/Parser.h"

#include "ptx/TokenReader.h"

namespace heddle::ptx {
namespace {

class FileParser {
public:
  explicit FileParser(std::span<const Token> tokens) : reader_(tokens) {}

  Expected<File> run() {
    while (!reader_.atEnd())
      HEDDLE_CHECK(parseTopLevel());
    return std::move(file_);
  }

private:
  struct Linkage {
    bool isExtern = false, isVisible = false, isWeak = false;
  };

  Expected<void> parseTopLevel() {
    if (reader_.take(";"))
      return {};
    line_ = reader_.peek().line;
    HEDDLE_TRY(const std::string_view directive, reader_.word("a directive"));
    if (directive == ".version") {
      file_.version = reader_.next().text;
      return {};
    }
    if (directive == ".address_size") {
      HEDDLE_TRY(const std::uint64_t bits, reader_.integer());
      if (bits != 64)
        return fail(ErrorKind::Unsupported, "PTX line {}: addresses of {} bits; only 64 are known",
                    line_, bits);
      return {};
    }
    if (directive == ".target") {
      HEDDLE_TRY(file_.target, reader_.word("an architecture"));
      while (reader_.take(","))
        file_.isForDebugging |= reader_.next().text == "debug";
      return {};
    }
    if (directive == ".file")
      return parseFile();
    if (directive == ".section")
      return parseSection();
    if (directive == ".pragma") {
      reader_.skipStatement();
      return {};
    }
    if (directive == ".alias")
      return parseAlias();
    return parseDefinition(directive);
  }

  /// `.file 1 "a.cu"`, perhaps with a date and a size.
  Expected<void> parseFile() {
    HEDDLE_TRY(const std::uint64_t number, reader_.integer());
    if (reader_.peek().kind != Token::Kind::Text)
      return reader_.wrong("the name of a file");
    file_.files[unsigned(number)] = reader_.next().text;
    while (reader_.take(","))
      HEDDLE_CHECK(reader_.integer());
    return {};
  }

  /// Of the sections for debuggers only the names are read that .loc refers to.
  Expected<void> parseSection() {
    HEDDLE_CHECK(reader_.word("the name of a section"));
    HEDDLE_CHECK(reader_.expect("{"));
    std::string_view label;
    while (!reader_.take("}")) {
      if (reader_.atEnd())
        return reader_.wrong("'}'");
      if (reader_.isWord() && reader_.peek(1).is(":")) {
        label = reader_.next().text;
        reader_.next();
      } else if (reader_.take(".b8")) {
        HEDDLE_CHECK(parseBytes(label));
      } else {
        reader_.next();
      }
    }
    return {};
  }

  Expected<void> parseBytes(std::string_view label) {
    do {
      if (reader_.peek().kind != Token::Kind::Number && !reader_.isNext("-")) {
        reader_.next(); // an address
        continue;
      }
      HEDDLE_TRY(const std::uint64_t byte, reader_.integer());
      if (!label.empty() && byte != 0)
        file_.texts[label] += char(byte);
    } while (reader_.take(","));
    return {};
  }

  Expected<void> parseAlias() {
    HEDDLE_TRY(const std::string_view name, reader_.word("a name"));
    HEDDLE_CHECK(reader_.expect(","));
    HEDDLE_TRY(file_.aliases[name], reader_.word("a function"));
    return reader_.expect(";");
  }

  Expected<void> parseDefinition(std::string_view directive) {
    Linkage linkage;
    while (directive == ".visible" || directive == ".extern" || directive == ".weak" ||
           directive == ".common") {
      linkage.isVisible |= directive == ".visible";
      linkage.isExtern |= directive == ".extern";
      linkage.isWeak |= directive == ".weak" || directive == ".common";
      HEDDLE_TRY(directive, reader_.word("what is defined"));
    }
    if (directive == ".entry" || directive == ".func")
      return parseFunction(directive == ".entry", linkage);
    const auto space = spaceNamed(directive);
    if (!space || *space == Space::Register || *space == Space::Param || *space == Space::Local)
      return fail(ErrorKind::Unsupported, "PTX line {}: the directive '{}' is not known", line_,
                  directive);
    HEDDLE_TRY(auto variables, parseVariables(reader_, *space));
    for (Variable& variable : variables) {
      variable.isExtern = linkage.isExtern;
      variable.isVisible = linkage.isVisible || linkage.isWeak;
      variable.isWeak = linkage.isWeak;
      file_.variables.push_back(std::move(variable));
    }
    return {};
  }

  Expected<void> parseFunction(bool isKernel, const Linkage& linkage) {
    Function function;
    function.line = reader_.peek().line;
    function.isKernel = isKernel;
    function.isExtern = linkage.isExtern;
    function.isVisible = linkage.isVisible;
    function.isWeak = linkage.isWeak;
    if (reader_.isNext("(")) {
      HEDDLE_TRY(function.results, parseParameters(reader_));
    }
    HEDDLE_TRY(function.name, reader_.word("the name of a function"));
    if (reader_.isNext("(")) {
      HEDDLE_TRY(function.parameters, parseParameters(reader_));
    }
    while (reader_.isWord() && reader_.peek().text.starts_with('.'))
      HEDDLE_CHECK(parseAttribute(function));
    if (!reader_.take(";")) {
      HEDDLE_CHECK(reader_.expect("{"));
      function.isDefined = true;
      HEDDLE_CHECK(parseBody(reader_, function));
    }
    file_.functions.push_back(std::move(function));
    return {};
  }

  /// `.maxntid 256, 1, 1`
  Expected<void> parseAttribute(Function& function) {
    const std::string_view name = reader_.next().text;
    std::vector<std::uint64_t> values;
    while (reader_.peek().kind == Token::Kind::Number) {
      HEDDLE_TRY(const std::uint64_t value, reader_.integer());
      values.push_back(value);
      reader_.take(",");
    }
    if (name == ".pragma")
      reader_.skipStatement();
    if (name == ".blocksareclusters") // a grid is then counted in clusters
      return fail(ErrorKind::Unsupported,
                  "PTX line {}: '.blocksareclusters' of '{}' is not run: give the cluster by "
                  "__cluster_dims__ and the grid in blocks",
                  line_, function.name);
    if ((name == ".maxntid" || name == ".reqntid") && !values.empty()) {
      values.resize(3, 1);
      function.mostThreads = {unsigned(values[0]), unsigned(values[1]), unsigned(values[2])};
    } else if (name == ".reqnctapercluster" && !values.empty()) {
      values.resize(3, 1);
      function.cluster = {unsigned(values[0]), unsigned(values[1]), unsigned(values[2])};
    } else if (name == ".minnctapersm" && !values.empty()) {
      function.leastBlocks = unsigned(values[0]);
    } else if (name == ".maxnreg" && !values.empty()) {
      function.mostRegisters = unsigned(values[0]);
    }
    return {};
  }

  TokenReader reader_;
  File file_;
  std::uint32_t line_ = 1; ///< of the directive that is being read
};

} // namespace

Expected<File> parse(std::string_view text) {
  HEDDLE_TRY(const std::vector<Token> tokens, tokenize(text));
  return FileParser(tokens).run();
}

} // namespace heddle::ptx
