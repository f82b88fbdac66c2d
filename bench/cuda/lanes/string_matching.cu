// SPDX-License-Identifier: Apache-2.0
//
// Text: searching, automata, distances, and the parsing of numbers, fields and UTF-8. A thread has
// a string of its own, or a place in a long text.
#include "lanes.cuh"

#include <algorithm>
#include <string>

struct Strings {
  const char* text;
  const int* start; // count + 1 of them
  int count;
};

__constant__ char cPattern[16];
__constant__ int cFailure[16];

// Every position of the text, letter by letter.
__global__ void stringNaive(const char* text, int length, int patternLength, int* matches) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > length - patternLength)
    return;
  int j;
  for (j = 0; j < patternLength; ++j)
    if (text[i + j] != cPattern[j])
      break;
  if (j == patternLength)
    atomicAdd(matches, 1);
}

// A thread searches a piece of the text, and a little of the next.
__global__ void stringKmp(const char* text, int length, int piece, int patternLength, int* counts) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int begin = thread * piece;
  if (begin >= length)
    return;
  int end = min(begin + piece + patternLength - 1, length);
  int state = 0, found = 0;
  for (int i = begin; i < end; i++) {
    while (state > 0 && cPattern[state] != text[i])
      state = cFailure[state - 1];
    if (cPattern[state] == text[i])
      state++;
    if (state == patternLength) {
      found++;
      state = cFailure[state - 1];
    }
  }
  counts[thread] = found;
}

__host__ __device__ inline int horspool(const char* text, int length, const char* pattern, int m,
                                        const unsigned char* skip) {
  int at = 0;
  while (at + m <= length) {
    int j = m - 1;
    while (j >= 0 && text[at + j] == pattern[j])
      --j;
    if (j < 0)
      return at;
    at += skip[static_cast<unsigned char>(text[at + m - 1])];
  }
  return -1;
}

__global__ void stringHorspool(Strings lines, const unsigned char* skip, int patternLength,
                               int* at) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line < lines.count)
    at[line] = horspool(lines.text + lines.start[line], lines.start[line + 1] - lines.start[line],
                        cPattern, patternLength, skip);
}

// [a-c]+x?[0-9]{1,3}: states by character class. 5 accepts, 6 is dead.
__global__ void stringDfa(Strings words, const unsigned char* table, unsigned char* accepted) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= words.count)
    return;
  int state = 0;
  for (int i = words.start[w]; i < words.start[w + 1]; ++i) {
    const char c = words.text[i];
    int kind = 3;
    if (c >= 'a' && c <= 'c')
      kind = 0;
    else if (c == 'x')
      kind = 1;
    else if (c >= '0' && c <= '9')
      kind = 2;
    state = table[state * 4 + kind];
    if (state == 6)
      break;
  }
  accepted[w] = state >= 3 && state <= 5;
}

__host__ __device__ inline bool globMatch(const char* s, int length, const char* p) {
  int i = 0, star = -1, mark = 0, j = 0;
  while (i < length) {
    if (p[j] == '*') {
      star = j++;
      mark = i;
      continue;
    }
    if (p[j] == '?' || p[j] == s[i]) {
      ++i;
      ++j;
      continue;
    }
    if (star < 0)
      return false;
    j = star + 1;
    i = ++mark;
  }
  while (p[j] == '*')
    ++j;
  return p[j] == '\0';
}

__global__ void stringGlob(Strings words, const char* patterns, int stride, int patternCount,
                           int* which) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= words.count)
    return;
  const char* s = words.text + words.start[w];
  const int length = words.start[w + 1] - words.start[w];
  which[w] = -1;
  for (int p = 0; p < patternCount; ++p)
    if (globMatch(s, length, patterns + p * stride)) {
      which[w] = p;
      break;
    }
}

// Shift-and with up to two wrong letters, 64 states in a word.
__global__ void stringBitap(Strings lines, const unsigned long long* masks, int m, int* best) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines.count)
    return;
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  const unsigned long long accept = 1ull << (m - 1);
  int result = 3;
  for (int i = lines.start[line]; i < lines.start[line + 1]; i++) {
    unsigned long long mask = masks[lines.text[i] & 127];
    unsigned long long old0 = r0, old1 = r1;
    r0 = ((r0 << 1) | 1) & mask;
    r1 = (((r1 << 1) | 1) & mask) | (old0 << 1) | 1;
    r2 = (((r2 << 1) | 1) & mask) | (old1 << 1) | 1;
    if (r0 & accept) {
      result = 0;
      break;
    }
    if ((r1 & accept) && result > 1)
      result = 1;
    else if ((r2 & accept) && result > 2)
      result = 2;
  }
  best[line] = result;
}

// Levenshtein distance, given up when a row has nothing within the limit.
__host__ __device__ inline int editDistance(const char* a, int n, const char* b, int m, int limit) {
  if (n - m > limit || m - n > limit)
    return limit + 1;
  unsigned char row[33];
  for (int j = 0; j <= m; ++j)
    row[j] = j;
  for (int i = 1; i <= n; ++i) {
    int diagonal = row[0], least = i;
    row[0] = i;
    for (int j = 1; j <= m; ++j) {
      int cost = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      if (row[j] + 1 < cost)
        cost = row[j] + 1;
      if (row[j - 1] + 1 < cost)
        cost = row[j - 1] + 1;
      row[j] = cost;
      if (cost < least)
        least = cost;
    }
    if (least > limit)
      return limit + 1;
  }
  return row[m];
}

__global__ void stringEditDistance(Strings words, int query, int limit, int* distance) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= words.count)
    return;
  const int a = words.start[w], b = words.start[query];
  distance[w] = editDistance(words.text + a, words.start[w + 1] - a, words.text + b,
                             words.start[query + 1] - b, limit);
}

enum ParseError { ParseGood = 0, ParseEmpty, ParseDigit, ParseRange };

__device__ ParseError parseInteger(const char* s, const char* end, int* value) {
  while (s < end && (*s == ' ' || *s == '\t'))
    ++s;
  if (s == end)
    return ParseEmpty;
  int sign = 1, base = 10;
  switch (*s) {
  case '-':
    sign = -1; // fall through
  case '+':
    if (++s == end)
      return ParseEmpty;
  }
  if (end - s > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    base = 16;
    s += 2;
  }
  long long number = 0;
  for (; s < end; ++s) {
    int digit;
    if (*s >= '0' && *s <= '9')
      digit = *s - '0';
    else if (*s >= 'a' && *s <= 'f')
      digit = *s - 'a' + 10;
    else if (*s == '_')
      continue;
    else
      return ParseDigit;
    if (digit >= base)
      return ParseDigit;
    number = number * base + digit;
    if (number > 0x7fffffffll)
      return ParseRange;
  }
  *value = static_cast<int>(sign * number);
  return ParseGood;
}

__global__ void stringParseInteger(Strings fields, int* values, int* errors) {
  int f = blockIdx.x * blockDim.x + threadIdx.x;
  if (f >= fields.count)
    return;
  int value = 0;
  ParseError error =
      parseInteger(fields.text + fields.start[f], fields.text + fields.start[f + 1], &value);
  values[f] = error == ParseGood ? value : -static_cast<int>(error);
  if (error != ParseGood)
    atomicAdd(&errors[error], 1);
}

__global__ void stringParseDouble(Strings fields, double* values) {
  int f = blockIdx.x * blockDim.x + threadIdx.x;
  if (f >= fields.count)
    return;
  int i = fields.start[f], end = fields.start[f + 1];
  bool negative = false;
  if (i < end && fields.text[i] == '-') {
    negative = true;
    i++;
  }
  double mantissa = 0.0;
  int scale = 0, exponent = 0;
  while (i < end && fields.text[i] >= '0' && fields.text[i] <= '9')
    mantissa = mantissa * 10.0 + (fields.text[i++] - '0');
  if (i < end && fields.text[i] == '.') {
    i++;
    while (i < end && fields.text[i] >= '0' && fields.text[i] <= '9') {
      mantissa = mantissa * 10.0 + (fields.text[i++] - '0');
      scale--;
    }
  }
  if (i < end && (fields.text[i] == 'e' || fields.text[i] == 'E')) {
    i++;
    bool down = false;
    if (i < end && fields.text[i] == '-') {
      down = true;
      i++;
    }
    for (; i < end; i++)
      exponent = exponent * 10 + (fields.text[i] - '0');
    if (down)
      exponent = -exponent;
  }
  scale += exponent;
  double factor = 1.0;
  for (int k = abs(scale); k > 0; k--)
    factor *= 10.0;
  double value = scale < 0 ? mantissa / factor : mantissa * factor;
  values[f] = negative ? -value : value;
}

// The number of code points, or -1 - the place of the first wrong byte.
__host__ __device__ inline int countUtf8(const unsigned char* s, int length) {
  int points = 0;
  for (int i = 0; i < length;) {
    const unsigned char lead = s[i];
    int more;
    if (lead < 0x80) {
      ++i;
      ++points;
      continue;
    } else if (lead >= 0xc2 && lead < 0xe0)
      more = 1;
    else if ((lead & 0xf0) == 0xe0)
      more = 2;
    else if (lead >= 0xf0 && lead < 0xf5)
      more = 3;
    else
      return -1 - i;
    if (i + more >= length)
      return -1 - i;
    for (int k = 1; k <= more; ++k)
      if ((s[i + k] & 0xc0) != 0x80)
        return -1 - (i + k);
    i += more + 1;
    ++points;
  }
  return points;
}

__global__ void stringUtf8(Strings lines, int* points) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines.count)
    return;
  points[line] = countUtf8(reinterpret_cast<const unsigned char*>(lines.text) + lines.start[line],
                           lines.start[line + 1] - lines.start[line]);
}

struct LineShape {
  int fields, quoted, longest;
};

// Lines of comma-separated values, with quotes.
__global__ void stringCsvFields(Strings lines, LineShape* shapes) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines.count)
    return;
  const char* c = lines.text + lines.start[line];
  const char* end = lines.text + lines.start[line + 1];
  LineShape shape = {0, 0, 0};
  do {
    int length = 0;
    if (c < end && *c == '"') {
      ++shape.quoted;
      ++c;
      for (;;) {
        if (c >= end)
          break;
        if (*c == '"') {
          ++c;
          if (c >= end || *c != '"')
            break;
        }
        ++length;
        ++c;
      }
    } else {
      while (c < end && *c != ',') {
        ++length;
        ++c;
      }
    }
    ++shape.fields;
    shape.longest = max(shape.longest, length);
  } while (c++ < end);
  shapes[line] = shape;
}

__device__ int compareFolded(const char* a, const char* aEnd, const char* b, const char* bEnd) {
  while (a < aEnd && b < bEnd) {
    char x = *a++, y = *b++;
    if (x >= 'A' && x <= 'Z')
      x += 'a' - 'A';
    if (y >= 'A' && y <= 'Z')
      y += 'a' - 'A';
    if (x != y)
      return x < y ? -1 : 1;
  }
  if (a < aEnd)
    return 1;
  return b < bEnd ? -1 : 0;
}

// Looks words up in a sorted dictionary.
__global__ void stringDictionary(Strings words, Strings dictionary, int* found) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= words.count)
    return;
  int low = 0, high = dictionary.count;
  int answer = -1;
  while (low < high && answer < 0) {
    int middle = low + (high - low) / 2;
    int order = compareFolded(words.text + words.start[w], words.text + words.start[w + 1],
                              dictionary.text + dictionary.start[middle],
                              dictionary.text + dictionary.start[middle + 1]);
    if (order == 0)
      answer = middle;
    else if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  found[w] = answer;
}

// The longest palindrome around each letter and each gap.
__global__ void stringPalindrome(const char* text, int length, int* longest) {
  const int center = blockIdx.x * blockDim.x + threadIdx.x;
  if (center >= length)
    return;
  int left = center, right = center;
  while (left > 0 && right < length - 1 && text[left - 1] == text[right + 1])
    --left, ++right;
  int best = right - left + 1;
  left = center;
  right = center + 1;
  if (right < length && text[left] == text[right]) {
    for (; left > 0 && right + 1 < length; --left, ++right)
      if (text[left - 1] != text[right + 1])
        break;
    best = max(best, right - left + 1);
  }
  longest[center] = best;
}

/// Strings on the device, and the same on the host.
class Packed {
public:
  explicit Packed(const std::vector<std::string>& from) : strings(from) {
    std::vector<char> text;
    std::vector<int> start = {0};
    for (const std::string& s : from) {
      text.insert(text.end(), s.begin(), s.end());
      start.push_back(int(text.size()));
    }
    text.push_back(0);
    text_ = new lanes::Buffer<char>(text);
    start_ = new lanes::Buffer<int>(start);
  }
  ~Packed() {
    delete text_;
    delete start_;
  }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;
  Strings device() const { return {text_->data(), start_->data(), int(strings.size())}; }

  const std::vector<std::string> strings;

private:
  lanes::Buffer<char>* text_;
  lanes::Buffer<int>* start_;
};

static std::string makeWord(lanes::Random& random, const char* letters, int low, int high) {
  std::string word(random.between(low, high), ' ');
  for (char& c : word)
    c = letters[random.below(int(std::strlen(letters)))];
  return word;
}

template <class Make> std::vector<std::string> makeMany(int count, Make&& make) {
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i)
    all.push_back(make());
  return all;
}

static void runSearches() {
  lanes::Random random(21);
  const std::string pattern = "abaabab";
  const int m = int(pattern.size());
  int failure[16] = {0};
  for (int i = 1, k = 0; i < m; ++i) {
    while (k > 0 && pattern[i] != pattern[k])
      k = failure[k - 1];
    k += pattern[i] == pattern[k];
    failure[i] = k;
  }
  LANES_CALL(cudaMemcpyToSymbol(cPattern, pattern.data(), m));
  LANES_CALL(cudaMemcpyToSymbol(cFailure, failure, sizeof failure));

  std::string text = makeWord(random, "aab", 120000, 120000);
  for (int i = 0; i < 300; ++i)
    text.replace(random.below(119000), m, pattern);
  const lanes::Buffer<char> device(std::vector<char>(text.begin(), text.end()));
  const int part = 14000, length = int(text.size());
  lanes::Buffer<int> matches(1);
  stringNaive<<<(part + 255) / 256, 256>>>(device.data(), part, m, matches.data());
  int expected = 0;
  for (int i = 0; i + m <= part; ++i)
    expected += text.compare(i, m, pattern) == 0;
  lanes::report("stringNaive", matches);
  lanes::check("stringNaive", matches.host()[0] == expected);

  const int piece = 29, pieces = (length + piece - 1) / piece;
  lanes::Buffer<int> counts(pieces);
  stringKmp<<<(pieces + 127) / 128, 128>>>(device.data(), length, piece, m, counts.data());
  int total = 0, all = 0;
  for (const int count : counts.host())
    total += count;
  for (int i = 0; i + m <= length; ++i)
    all += text.compare(i, m, pattern) == 0;
  lanes::report("stringKmp", counts);
  lanes::check("stringKmp", total == all);

  lanes::Buffer<int> longest(part);
  stringPalindrome<<<(part + 127) / 128, 128>>>(device.data(), part, longest.data());
  lanes::report("stringPalindrome", longest);

  const Packed lines(makeMany(4000, [&] {
    std::string line = makeWord(random, "aabbc", 0, 90);
    if (line.size() > 20 && random.below(3) == 0)
      line.replace(random.below(int(line.size()) - m), m, pattern);
    return line;
  }));
  std::vector<unsigned char> skip(256, static_cast<unsigned char>(m));
  for (int j = 0; j < m - 1; ++j)
    skip[static_cast<unsigned char>(pattern[j])] = static_cast<unsigned char>(m - 1 - j);
  lanes::Buffer<unsigned char> skips(skip);
  lanes::Buffer<int> at(lines.strings.size());
  stringHorspool<<<(4000 + 127) / 128, 128>>>(lines.device(), skips.data(), m, at.data());
  lanes::report("stringHorspool", at);
  lanes::check("stringHorspool",
               at.host() == lanes::expect<int>(lines.strings.size(), [&](size_t i) {
                 return int(lines.strings[i].find(pattern));
               }));

  const std::string query = "abcabbacab";
  std::vector<unsigned long long> masks(128);
  for (size_t j = 0; j < query.size(); ++j)
    masks[query[j]] |= 1ull << j;
  lanes::Buffer<unsigned long long> maskTable(masks);
  lanes::Buffer<int> best(lines.strings.size());
  stringBitap<<<(4000 + 63) / 64, 64>>>(lines.device(), maskTable.data(), int(query.size()),
                                        best.data());
  lanes::report("stringBitap", best);
}

static void runWords() {
  lanes::Random random(22);
  const Packed tokens(makeMany(6000, [&] {
    std::string token = makeWord(random, "abcabc", 0, 6); // step by step: the same everywhere
    token += random.below(2) ? "x" : "";
    const char* digits = random.below(4) ? "0123456789" : "019a-";
    return token + makeWord(random, digits, 0, 4);
  }));
  const std::vector<unsigned char> table = {1, 6, 6, 6, 1, 2, 3, 6, 6, 6, 3, 6, 6, 6,
                                            4, 6, 6, 6, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6};
  lanes::Buffer<unsigned char> transitions(table), accepted(tokens.strings.size());
  stringDfa<<<(6000 + 127) / 128, 128>>>(tokens.device(), transitions.data(), accepted.data());
  lanes::report("stringDfa", accepted);

  const Packed words(makeMany(5000, [&] {
    const char* letters = random.below(3) ? "abc" : "ABCabc";
    const int longest = random.below(5) ? 10 : 30;
    return makeWord(random, letters, 1, longest);
  }));
  const int stride = 16;
  const std::vector<std::string> globs = {"a*b?c*", "*cab*", "?b*", "*a*b*c*a", "c*"};
  std::vector<char> patterns(globs.size() * stride);
  for (size_t p = 0; p < globs.size(); ++p)
    std::copy(globs[p].begin(), globs[p].end(), patterns.begin() + p * stride);
  const size_t count = words.strings.size();
  lanes::Buffer<char> patternTable(patterns);
  lanes::Buffer<int> which(count);
  stringGlob<<<(5000 + 127) / 128, 128>>>(words.device(), patternTable.data(), stride,
                                          int(globs.size()), which.data());
  lanes::report("stringGlob", which);
  lanes::check("stringGlob", which.host() == lanes::expect<int>(count, [&](size_t i) {
                               const std::string& w = words.strings[i];
                               for (size_t p = 0; p < globs.size(); ++p)
                                 if (globMatch(w.data(), int(w.size()), globs[p].c_str()))
                                   return int(p);
                               return -1;
                             }));

  lanes::Buffer<int> distance(count);
  stringEditDistance<<<(5000 + 127) / 128, 128>>>(words.device(), 17, 6, distance.data());
  lanes::report("stringEditDistance", distance);
  lanes::check("stringEditDistance",
               distance.host() == lanes::expect<int>(count, [&](size_t i) {
                 const std::string &a = words.strings[i], &b = words.strings[17];
                 return editDistance(a.data(), int(a.size()), b.data(), int(b.size()), 6);
               }));

  std::vector<std::string> sorted = makeMany(700, [&] { return makeWord(random, "abc", 1, 8); });
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const Packed dictionary(sorted);
  lanes::Buffer<int> found(count);
  stringDictionary<<<(5000 + 255) / 256, 256>>>(words.device(), dictionary.device(), found.data());
  lanes::report("stringDictionary", found);
}

static void runParsing() {
  lanes::Random random(23);
  const int count = 5000, blocks = (count + 127) / 128;
  const Packed integers(makeMany(count, [&] {
    std::string field(random.below(4), ' ');
    if (random.below(3) == 0)
      field += "+-"[random.below(2)];
    if (random.below(4) == 0)
      return field + "0x" + makeWord(random, "0123456789abcdef", 0, 9);
    return field + makeWord(random, random.below(4) ? "0123456789" : "01234_56789z", 0, 11);
  }));
  lanes::Buffer<int> values(count), errors(4);
  stringParseInteger<<<blocks, 128>>>(integers.device(), values.data(), errors.data());
  lanes::report("stringParseInteger", values);

  const Packed numbers(makeMany(count, [&] {
    std::string field = random.below(2) ? "-" : "";
    field += makeWord(random, "0123456789", 1, 6);
    if (random.below(2))
      field += "." + makeWord(random, "0123456789", 0, 7);
    if (random.below(3) == 0) {
      field += random.below(2) ? "e-" : "E";
      field += std::to_string(random.below(20));
    }
    return field;
  }));
  lanes::Buffer<double> doubles(count);
  stringParseDouble<<<blocks, 128>>>(numbers.device(), doubles.data());
  lanes::report("stringParseDouble", doubles);
  lanes::check("stringParseDouble",
               lanes::close(doubles.host(),
                            lanes::expect<double>(
                                count, [&](size_t i) { return std::stod(numbers.strings[i]); }),
                            1e-9, 0));

  const char* const letters[] = {"a", "Z", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "q"};
  const Packed utf(makeMany(count, [&] {
    std::string line;
    for (int i = random.below(40); i > 0; --i)
      line += random.below(150) ? letters[random.below(6)] : "\xc3";
    return line;
  }));
  lanes::Buffer<int> points(count);
  stringUtf8<<<blocks, 128>>>(utf.device(), points.data());
  lanes::report("stringUtf8", points);
  lanes::check("stringUtf8", points.host() == lanes::expect<int>(count, [&](size_t i) {
                               const std::string& s = utf.strings[i];
                               return countUtf8(reinterpret_cast<const unsigned char*>(s.data()),
                                                int(s.size()));
                             }));

  const Packed lines(makeMany(count, [&] {
    std::string line;
    for (int i = random.between(1, 9); i > 0; --i) {
      if (random.below(4) == 0) {
        line += "\"" + makeWord(random, "ab, c", 0, 15);
        line += random.below(3) ? "\"" : "\"\"\"";
      } else
        line += makeWord(random, "abc.0", 0, 9);
      line += i > 1 ? "," : "";
    }
    return line;
  }));
  lanes::Buffer<LineShape> shapes(count);
  stringCsvFields<<<blocks, 128>>>(lines.device(), shapes.data());
  lanes::report("stringCsvFields", shapes);
}

int main() {
  runSearches();
  runWords();
  runParsing();
  return lanes::status();
}
