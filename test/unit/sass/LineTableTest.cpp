// SPDX-License-Identifier: Apache-2.0
//
// DWARF's line programs, made by hand.
#include "sass/LineTable.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::sass {
namespace {

using Lines = std::map<Place, std::uint32_t>;

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i)
    text.push_back(char(value >> (8 * i)));
  return text;
}

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values)
    text.push_back(char(value));
  return text;
}

constexpr int lineBase = -2, lineRange = 5, firstSpecial = 10;

/// The operation that goes on by so much, and notes a line.
int special(int address, int line) {
  return firstSpecial + address * lineRange + line - lineBase;
}

/// A table with one program. The standard operations have the operands that DWARF gives them.
std::string program(const std::string& code, int version = 2, int step = 1, int range = lineRange) {
  std::string header = bytes({step});
  if (version >= 4)
    header += bytes({1});
  header += bytes({1, lineBase, range, firstSpecial, 0, 1, 1, 1, 1, 0, 0, 0, 1});
  header += bytes({0}) + std::string("k.ptx") + bytes({0, 0, 0, 0, 0});
  const std::string rest =
      number(std::uint64_t(version), 2) + number(header.size(), 4) + header + code;
  return number(rest.size(), 4) + rest;
}

std::string setAddress(std::uint64_t address) {
  return bytes({0, 9, 2}) + number(address, 8);
}

/// All addresses are of section 7, in which the program begins at 0x100.
Lines read(const std::string& table) {
  return readLineTable(table, [](std::uint64_t) { return Place{7, 0x100}; });
}

TEST(LineTable, NotesAddressesAndLines) {
  const std::string code = setAddress(0) + bytes({3, 41, 1,          // line 42
                                                  special(16, 2),    // 44, 16 further on
                                                  2, 32, 3, 0x7e, 1, // 42 again, 32 further on
                                                  9, 0x10, 0, 1,     // 16 further on
                                                  8, special(0, 1)});
  const std::uint64_t constant = (255 - firstSpecial) / lineRange;
  EXPECT_EQ(read(program(code)), (Lines{{{7, 0x100}, 42},
                                        {{7, 0x110}, 44},
                                        {{7, 0x130}, 42},
                                        {{7, 0x140}, 42},
                                        {{7, 0x140 + constant}, 43}}));
}

TEST(LineTable, StepsAreMultiplesOfTheLeast) {
  EXPECT_EQ(read(program(setAddress(0) + bytes({special(1, 0), 2, 3, 1}), 2, 16)),
            (Lines{{{7, 0x110}, 1}, {{7, 0x140}, 1}}));
}

TEST(LineTable, AddressesAreAskedForByTheirPlaceInTheTable) {
  const std::string table = program(setAddress(0x1234) + bytes({1}));
  const std::size_t place = table.find(number(0x1234, 8));
  std::vector<std::uint64_t> asked;
  readLineTable(table, [&](std::uint64_t offset) {
    asked.push_back(offset);
    return Place{};
  });
  EXPECT_EQ(asked, std::vector<std::uint64_t>{place});
}

/// Operations that are not known say how long they are.
TEST(LineTable, UnknownOperationsAreSkipped) {
  const std::string code = setAddress(0) + bytes({0, 4, 0x90, 1, 2, 3, // NVIDIA's: inlined calls
                                                  4, 0x81, 0x01,       // file 129
                                                  5, 3, 6, 7, 1});
  EXPECT_EQ(read(program(code)), (Lines{{{7, 0x100}, 1}}));
}

TEST(LineTable, ASequenceBeginsAtLineOne) {
  const std::string end = bytes({0, 1, 1});
  const std::string code =
      setAddress(0) + bytes({3, 9, 1}) + end + setAddress(0) + bytes({2, 16, 1}) + end;
  EXPECT_EQ(read(program(code)), (Lines{{{7, 0x100}, 10}, {{7, 0x110}, 1}}));
}

TEST(LineTable, ProgramsFollowEachOther) {
  const std::string first = program(setAddress(0) + bytes({3, 4, 1}));
  const std::string second = program(setAddress(0) + bytes({2, 16, 3, 6, 1}), 4);
  EXPECT_EQ(read(first + second), (Lines{{{7, 0x100}, 5}, {{7, 0x110}, 7}}));
}

TEST(LineTable, WhatCannotBeReadIsLeftOut) {
  const std::string good = program(setAddress(0) + bytes({3, 4, 1}));
  const Lines found = {{{7, 0x100}, 5}};
  EXPECT_EQ(read(""), Lines{});
  EXPECT_EQ(read(program(setAddress(0) + bytes({1}), 5)), Lines{}) << "another header";
  EXPECT_EQ(read(program(setAddress(0) + bytes({1}), 2, 1, 0)), Lines{}) << "no range";
  EXPECT_EQ(read(good + number(0xffffffff, 4) + std::string(20, '\1')), found)
      << "DWARF of 64 bits";
  EXPECT_EQ(read(good + bytes({1, 2, 3})), found);
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_EQ(read(good.substr(0, size)), Lines{}) << "its length is wrong";
}

/// The length of an operation would lead back to it, were it added as it stands: it is minus 11, as
/// many bytes as it has up to there.
TEST(LineTable, EndsWhateverLengthsSay) {
  const std::string back =
      bytes({0, 0xf5, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0x80, 0, 0});
  EXPECT_EQ(read(program(setAddress(0) + bytes({1}) + back)), (Lines{{{7, 0x100}, 1}}));
  const std::string farLine = bytes({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0});
  EXPECT_EQ(read(program(setAddress(0) + bytes({3}) + farLine + bytes({3}) + farLine)), Lines{});
}

} // namespace
} // namespace heddle::sass
