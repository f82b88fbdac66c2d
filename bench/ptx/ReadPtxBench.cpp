// SPDX-License-Identifier: Apache-2.0
//
// How long PTX takes to become a module: bench_ptx FILE... puts the files together, again and again
// with other names for what they define, until there are 5 MB, and prints a JSON object with the
// size and the seconds of the best of three runs, for the parser alone and for all. They are
// seconds of the processor: all is done by one thread. What was made is thrown away untimed.
#include "ptx/Parser.h"
#include "ptx/ReadPtx.h"
#include "support/Files.h"

#include <llvm/IR/LLVMContext.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <regex>

namespace {

constexpr std::size_t wanted = 5'000'000;

/// The body of a file without its heading, every symbol of it with a number behind.
std::string renamed(const std::string& text, std::size_t number) {
  static const std::regex heading(R"(\.(version|target|address_size)[^\n]*)");
  static const std::regex symbol(
      R"(\b(_Z[A-Za-z0-9_$]+|__(const|shared|local)[A-Za-z0-9_$]*|kernel)\b)");
  const std::string body = std::regex_replace(text, heading, "");
  return std::regex_replace(body, symbol, "$1_" + std::to_string(number));
}

std::string bigFile(const std::vector<std::string>& files) {
  std::string text = ".version 8.7\n.target sm_90\n.address_size 64\n";
  for (std::size_t i = 0; text.size() < wanted; ++i)
    text += renamed(files[i % files.size()], i);
  return text;
}

template <class Body> double best(const Body& body) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    llvm::LLVMContext context;
    const std::clock_t start = std::clock();
    const auto made = body(context);
    least = std::min(least, double(std::clock() - start) / CLOCKS_PER_SEC);
    if (!made) {
      std::fprintf(stderr, "%s\n", made.error().message.c_str());
      std::exit(2);
    }
  }
  return least;
}

} // namespace

int main(int count, char** names) {
  std::vector<std::string> files;
  for (int i = 1; i < count; ++i)
    if (auto text = heddle::readFile(names[i]))
      files.push_back(*std::move(text));
  if (files.empty()) {
    std::fputs("usage: bench_ptx FILE.ptx...\n", stderr);
    return 2;
  }
  const std::string text = bigFile(files);
  const double parsed = best([&](llvm::LLVMContext&) { return heddle::ptx::parse(text); });
  const double read = best(
      [&](llvm::LLVMContext& context) { return heddle::ptx::readPtx(text, "big.ptx", context); });
  std::printf("{\"bytes\": %zu, \"parse\": %.3f, \"read\": %.3f}\n", text.size(), parsed, read);
}
