// SPDX-License-Identifier: Apache-2.0
//
// The state machines that read text: a lexer, CSV, UTF-8, JSON, comments.
#pragma once

#include "lanes.cuh"

#include <string>

namespace {

constexpr int threads = 128;

/// Texts of unequal length, one behind the other: text i is [offsets[i], offsets[i + 1]).
struct Texts {
  std::vector<char> chars;
  std::vector<int> offsets{0};

  void add(const std::string& text) {
    chars.insert(chars.end(), text.begin(), text.end());
    offsets.push_back(static_cast<int>(chars.size()));
  }
};

int blocksFor(int count) {
  return (count + threads - 1) / threads;
}

__host__ __device__ bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
__host__ __device__ bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// A lexer for a small language.

struct TokenCounts {
  int names, numbers, strings, operators, errors;
};

__host__ __device__ TokenCounts countTokens(const char* text, int length) {
  enum { Blank, Name, Number, Fraction, String, Escape };
  TokenCounts counts = {};
  int state = Blank;
  for (int i = 0; i < length; ++i) {
    const char c = text[i];
    switch (state) {
    case Name:
      if (isLetter(c) || isDigit(c))
        continue;
      state = Blank;
      break;
    case Number:
      if (isDigit(c))
        continue;
      if (c == '.') {
        state = Fraction;
        continue;
      }
      state = Blank;
      break;
    case Fraction:
      if (isDigit(c))
        continue;
      if (c == '.')
        counts.errors++;
      state = Blank;
      break;
    case String:
      if (c == '\\')
        state = Escape;
      else if (c == '"')
        state = Blank;
      continue;
    case Escape:
      state = String;
      continue;
    }
    if (isLetter(c)) {
      state = Name;
      counts.names++;
    } else if (isDigit(c)) {
      state = Number;
      counts.numbers++;
    } else if (c == '"') {
      state = String;
      counts.strings++;
    } else if (c != ' ' && c != '.') {
      counts.operators++;
    }
  }
  if (state == String || state == Escape)
    counts.errors++;
  return counts;
}

__global__ void stateTokenizer(const char* text, const int* offsets, TokenCounts* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  out[i] = countTokens(text + offsets[i], offsets[i + 1] - offsets[i]);
}

std::string randomSource(lanes::Random& random) {
  static const char* const words[] = {"x",    "count",  "12", "3.14",  "\"a b\"", "\"q\\\"\"",
                                      "+",    "==",     "if", "while", "(",       ")",
                                      "9..1", "\"open", "_t", " "};
  std::string text;
  const int parts = random.between(3, 26);
  for (int i = 0; i < parts; ++i) {
    text += words[random.below(16)];
    if (random.below(3))
      text += ' ';
  }
  return text;
}

void runTokenizer() {
  lanes::Random random(1);
  Texts texts;
  const int count = 4000;
  for (int i = 0; i < count; ++i)
    texts.add(randomSource(random));
  lanes::Buffer<char> chars(texts.chars);
  lanes::Buffer<int> offsets(texts.offsets);
  lanes::Buffer<TokenCounts> out(count);
  stateTokenizer<<<blocksFor(count), threads>>>(chars.data(), offsets.data(), out.data(), count);
  lanes::report("stateTokenizer", out);
  bool right = true;
  const auto found = out.host();
  for (int i = 0; i < count; ++i) {
    const TokenCounts want =
        countTokens(&texts.chars[texts.offsets[i]], texts.offsets[i + 1] - texts.offsets[i]);
    right &= !std::memcmp(&want, &found[i], sizeof want);
  }
  lanes::check("stateTokenizer", right);
}

// Fields of a CSV line.

__global__ void stateCsvSum(const char* text, const int* offsets, long long* sums, int* fields,
                            int count) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= count)
    return;
  const char* at = text + offsets[row];
  const char* end = text + offsets[row + 1];
  bool quoted = false, negative = false, numeric = true;
  int field = 0;
  long long value = 0, sum = 0;
  while (at != end) {
    char c = *at++;
    if (quoted) {
      if (c != '"')
        continue;
      if (at != end && *at == '"') {
        ++at;
        continue;
      }
      quoted = false;
    } else if (c == '"') {
      quoted = true;
      numeric = false;
    } else if (c == ',' || c == '\n') {
      if (numeric)
        sum += negative ? -value : value;
      value = 0;
      negative = false;
      numeric = true;
      ++field;
      if (c == '\n')
        break;
    } else if (c == '-') {
      negative = true;
    } else if (isDigit(c)) {
      value = value * 10 + (c - '0');
    } else {
      numeric = false;
    }
  }
  sums[row] = sum;
  fields[row] = quoted ? -field : field;
}

void runCsv() {
  lanes::Random random(2);
  Texts texts;
  const int count = 3900;
  for (int i = 0; i < count; ++i) {
    std::string line;
    const int columns = random.between(1, 9);
    for (int c = 0; c < columns; ++c) {
      const int kind = random.below(5);
      if (kind == 0)
        line += "\"a, \"\"quote\"\"\"";
      else if (kind == 1)
        line += "word";
      else
        line += std::to_string(random.between(-99999, 99999));
      line += c + 1 < columns ? "," : "\n";
    }
    texts.add(line);
  }
  lanes::Buffer<char> chars(texts.chars);
  lanes::Buffer<int> offsets(texts.offsets), fields(count);
  lanes::Buffer<long long> sums(count);
  stateCsvSum<<<blocksFor(count), threads>>>(chars.data(), offsets.data(), sums.data(),
                                             fields.data(), count);
  lanes::report("stateCsvSum", sums);
}

// UTF-8: the length in characters, or where it goes wrong.

__host__ __device__ int utf8Length(const unsigned char* s, int n) {
  int need = 0, characters = 0;
  unsigned low = 0x80, high = 0xbf;
  for (int i = 0; i < n; i++) {
    unsigned b = s[i];
    if (need == 0) {
      if (b < 0x80) {
        characters++;
        continue;
      }
      if (b >= 0xc2 && b <= 0xdf) {
        need = 1;
      } else if (b >= 0xe0 && b <= 0xef) {
        need = 2;
        if (b == 0xe0)
          low = 0xa0;
        if (b == 0xed)
          high = 0x9f;
      } else if (b >= 0xf0 && b <= 0xf4) {
        need = 3;
        if (b == 0xf0)
          low = 0x90;
        if (b == 0xf4)
          high = 0x8f;
      } else {
        return -i - 1;
      }
    } else {
      if (b < low || b > high)
        return -i - 1;
      low = 0x80;
      high = 0xbf;
      if (--need == 0)
        characters++;
    }
  }
  return need ? -n - 1 : characters;
}

__global__ void stateUtf8(const unsigned char* bytes, int* length, int stride, int count) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < count)
    length[i] = utf8Length(bytes + (size_t)i * stride, stride);
}

void runUtf8() {
  lanes::Random random(3);
  const int count = 4096, stride = 48;
  std::vector<unsigned char> bytes(count * stride, ' ');
  for (int i = 0; i < count; ++i)
    for (int at = 0; at + 4 <= stride;) {
      unsigned char* to = &bytes[i * stride + at];
      const int kind = random.below(40);
      if (kind < 16) {
        to[0] = static_cast<unsigned char>(random.between(32, 126)), at += 1;
      } else if (kind < 27) {
        to[0] = 0xc3, to[1] = static_cast<unsigned char>(random.between(0x80, 0xbf)), at += 2;
      } else if (kind < 34) {
        to[0] = 0xe2, to[1] = 0x82, to[2] = 0xac, at += 3;
      } else if (kind < 39) {
        to[0] = 0xf0, to[1] = 0x9f, to[2] = 0x98, to[3] = 0x80, at += 4;
      } else {
        to[0] = 0xc0, at += 1;
      }
    }
  lanes::Buffer<unsigned char> in(bytes);
  lanes::Buffer<int> out(count);
  stateUtf8<<<blocksFor(count), threads>>>(in.data(), out.data(), stride, count);
  lanes::report("stateUtf8", out);
  lanes::check("stateUtf8", out.host() == lanes::expect<int>(count, [&](size_t i) {
                              return utf8Length(&bytes[i * stride], stride);
                            }));
}

// Is a text well-formed JSON, roughly? The kinds of the open brackets are bits of a word.

__host__ __device__ int jsonDepth(const char* s, int n) {
  unsigned int kinds = 0;
  int depth = 0, deepest = 0;
  bool inString = false, wantValue = true;
  for (int i = 0; i < n; ++i) {
    char c = s[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
      continue;
    }
    switch (c) {
    case ' ':
      break;
    case '{':
    case '[':
      if (!wantValue || depth == 32)
        return -1;
      kinds = kinds << 1 | (c == '{');
      if (++depth > deepest)
        deepest = depth;
      break;
    case '}':
    case ']':
      if (depth == 0 || (kinds & 1) != (c == '}'))
        return -2;
      kinds >>= 1;
      --depth;
      wantValue = false;
      break;
    case '"':
      inString = true;
      wantValue = false;
      break;
    case ',':
      if (depth == 0)
        return -3;
      // a comma and a colon both ask for a value
    case ':':
      if (wantValue)
        return -4;
      wantValue = true;
      break;
    default:
      if (!isDigit(c))
        return -5;
      wantValue = false;
    }
  }
  return depth || inString ? -6 : deepest;
}

__global__ void stateJson(const char* text, const int* offsets, int* depth, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    depth[i] = jsonDepth(text + offsets[i], offsets[i + 1] - offsets[i]);
}

void makeJson(lanes::Random& random, std::string& text, int depth) {
  const int kind = depth > 4 ? 2 : random.below(4);
  if (kind > 1) {
    text += random.below(2) ? std::to_string(random.below(1000)) : "\"a\\\"bc\"";
    return;
  }
  const int parts = random.between(1, 3);
  text += kind ? '{' : '[';
  for (int p = 0; p < parts; ++p) {
    if (p)
      text += ',';
    if (kind)
      text += "\"k\":";
    makeJson(random, text, depth + 1);
  }
  text += kind ? '}' : ']';
}

void runJson() {
  lanes::Random random(8);
  Texts texts;
  const int count = 6000;
  for (int i = 0; i < count; ++i) {
    std::string text;
    makeJson(random, text, 0);
    if (random.below(4) == 0)
      text[random.below(static_cast<int>(text.size()))] = "]},:x"[random.below(5)];
    texts.add(text.substr(0, 200));
  }
  lanes::Buffer<char> chars(texts.chars);
  lanes::Buffer<int> offsets(texts.offsets), depth(count);
  stateJson<<<24, 128>>>(chars.data(), offsets.data(), depth.data(), count);
  lanes::report("stateJson", depth);
  lanes::check("stateJson", depth.host() == lanes::expect<int>(count, [&](size_t i) {
                              return jsonDepth(&texts.chars[texts.offsets[i]],
                                               texts.offsets[i + 1] - texts.offsets[i]);
                            }));
}

// Comments taken out of source text.

__global__ void stateComments(const char* in, char* out, const int* offsets, int* kept, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int read = offsets[i], end = offsets[i + 1], write = read;
  while (read < end) {
    if (in[read] == '/' && read + 1 < end) {
      if (in[read + 1] == '/') {
        while (read < end && in[read] != '\n')
          ++read;
        continue;
      }
      if (in[read + 1] == '*') {
        read += 2;
        while (read + 1 < end && !(in[read] == '*' && in[read + 1] == '/'))
          ++read;
        read += 2;
        continue;
      }
    }
    if (in[read] == '\'' || in[read] == '"') {
      char quote = in[read];
      do {
        if (in[read] == '\\')
          out[write++] = in[read++];
        out[write++] = in[read++];
      } while (read < end && in[read] != quote);
      if (read >= end)
        break;
    }
    out[write++] = in[read++];
  }
  kept[i] = write - offsets[i];
}

void runComments() {
  static const char* const parts[] = {"x = 1;",      " ",     "// note\n", "/* long one */",
                                      "\"s/*t*/r\"", "'\\''", "a/b",       "\n"};
  lanes::Random random(11);
  Texts texts;
  const int count = 3500;
  for (int i = 0; i < count; ++i) {
    std::string text;
    const int pieces = random.between(2, 14);
    for (int p = 0; p < pieces; ++p)
      text += parts[random.below(8)];
    texts.add(text + "  ");
  }
  lanes::Buffer<char> in(texts.chars), out(texts.chars.size() + 2);
  lanes::Buffer<int> offsets(texts.offsets), kept(count);
  stateComments<<<blocksFor(count), threads>>>(in.data(), out.data(), offsets.data(), kept.data(),
                                               count);
  lanes::report("stateComments", out);
}

} // namespace
