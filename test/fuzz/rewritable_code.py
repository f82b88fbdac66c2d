# SPDX-License-Identifier: Apache-2.0
"""Random programs whose kernels have the shapes that `heddle fix` looks for."""

import random

import random_code

BLOCK, THREADS, LIMIT, WORDS = 128, 512, 500, 8  # the last block has threads beyond the limit
TALLIES = 4  # words behind those of the threads, which all change

# With all that rewrites include, so that they change nothing but their program.
HEAD = f"""#include <cassert>
#include <cstdio>
#include <cstring>
#include <heddle/aggregate.cuh>
#include <heddle/block_tally.cuh>
#include <heddle/thread_total.cuh>
#include <heddle/tiles.cuh>
#include <heddle/compact.cuh>
#include <heddle/random.cuh>
#include <heddle/refill.cuh>
#include <heddle/regroup.cuh>
#include <heddle/rows.cuh>
#include <heddle/schedule.cuh>
#include <heddle/split.cuh>
#include <heddle/tree_reduce.cuh>

__device__ float bounded(float x) {{ return fminf(fmaxf(x, -1e3f), 1e3f); }}

struct Memory {{
  int *in, *out;
  float* floats;
  Memory() {{
    cudaMallocManaged(&in, {THREADS} * sizeof(int));
    cudaMallocManaged(&out, {THREADS * WORDS + TALLIES} * sizeof(int));
    cudaMallocManaged(&floats, {THREADS} * sizeof(float));
    for (int i = 0; i < {THREADS}; ++i) {{
      in[i] = int(2654435761u * unsigned(i + 1) >> 7);
      floats[i] = float(in[i] % 1000) / 7;
    }}
    memset(out, 0, {THREADS * WORDS + TALLIES} * sizeof(int));
  }}
  void print(const char* name) {{
    printf("%s %s", name, cudaGetErrorString(cudaDeviceSynchronize()));
    unsigned long long hash = 14695981039346656037ull;
    const auto add = [&](unsigned word) {{ hash = (hash ^ word) * 1099511628211ull; }};
    for (int i = 0; i < {THREADS * WORDS + TALLIES}; ++i)
      add(unsigned(out[i]));
    for (int i = 0; i < {THREADS}; ++i) {{
      unsigned bits;
      memcpy(&bits, &floats[i], sizeof bits);
      add(bits);
    }}
    printf(" %016llx\\n", hash);
    cudaFree(in);
    cudaFree(out);
    cudaFree(floats);
  }}
}};

"""


class RewritableCode(random_code.RandomCode):
    """Has floats x and y beside the integers. A product is rounded before it is used (fmaf, __fmul_rn): which
    ones a compiler fuses with a sum depends on the code around them, so that no rewrite can promise it."""

    def __init__(self, seed):
        super().__init__(seed)
        self.odd = random.Random(f"odd {seed}").random() < 0.12  # of its own, so that the other programs stay as they are
        self.operators = ["+", "-", "*", "&", "|", "^", ">>", "?"]  # divisions take long to compile
        self.depth = 1
        if self.chance(0.7):
            self.array, self.last = "m", 7

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return self.random.choice(choices)

    def leaf(self):
        if self.chance(0.15):  # what costs most to compile
            return self.pick(super().leaf(), f"in[{self.variable()} & 255]")
        return self.pick(self.variable(), self.variable(), "t", str(self.random.randint(-9, 99)), "(int)x")

    def condition(self, depth=0):
        if self.chance(0.3):
            return super().condition(depth)
        return f"({self.pick('t', self.variable())} & {self.pick(3, 5, 7, 9)}) {self.pick('<', '>')} {self.pick(1, 2)}"

    def real(self, depth=0):
        if depth > 1 or self.chance(0.3):
            return self.pick("x", "y", "1.5f", "0.25f", f"float({self.variable()} & 63)")
        left, right = self.real(depth + 1), self.real(depth + 1)
        return self.pick(f"({left} + {right})", f"({left} - {right})", f"__fmul_rn({left}, {right})",
                         f"fmaf({left}, {right}, {self.pick('x', 'y')})", f"sqrtf(fabsf({left}))",
                         f"{left} / (1.0f + fabsf({right}))", f"({self.condition(2)} ? {left} : {right})")

    def simple(self):
        """A statement without control flow."""
        if self.chance(0.3):
            return f"{self.pick('x', 'y')} = bounded({self.real()});"
        if self.chance(0.2):
            return f"m[({self.expression(2)}) & 7] = {self.expression(1)};"
        if self.chance(0.3):
            return f"{self.variable()} {self.pick('^=', '|=', '&=')} {self.expression(1)};"
        return f"{self.variable()} = {self.expression(1)};"

    def statement(self, depth, jumps):
        return self.simple() if self.chance(0.6) else super().statement(depth, jumps)

    # The parts of a loop whose body takes one of several ways

    def arm(self, jumps):
        """Seldom with branches or loops of its own: each of them makes variants that take long to compile."""
        last = self.statement(self.pick(2, 3), jumps) if self.chance(0.25) else self.simple()
        return "{\n" + self.pick("", "", self.simple() + "\n") + last + "\n}"

    def cases(self, on, jumps):
        inside = tuple(jump for jump in jumps if jump == "continue")
        parts = []
        for number in range(self.random.randint(2, 4)):
            label = f"case {number}:" + (f"\ncase {number + 4}:" if self.chance(0.2) else "")
            end = "continue;" if inside and self.chance(0.15) else "break;"
            parts.append(f"{label} {self.arm(inside)} {end}\n")
        if self.chance(0.6):
            parts.append(f"default: {self.arm(inside)}{self.pick('', ' break;')}\n")
        return f"switch (({on}) & 7) {{\n" + "".join(parts) + "}"

    def choice(self, jumps, on=None):
        """if, if-else, an else-if chain, or a switch."""
        on = on or self.expression(1)
        if self.chance(0.25):
            return self.cases(on, jumps)
        text = f"if ({self.condition() if self.chance(0.5) else f'({on}) & {self.pick(1, 2, 4)}'}) {self.arm(jumps)}"
        for _ in range(self.pick(0, 0, 0, 1, 2)):
            text += f" else if ({self.condition()}) {self.arm(jumps)}"
        return text + (f" else {self.arm(jumps)}" if self.chance(0.7) else "")

    def way_loop(self):
        """Declarations in front of the branch, used in its arms and behind it."""
        name, own = self.counter(), self.counter()
        value = f"int(threadIdx.x) ^ {self.leaf()}" if self.chance(0.2) else self.expression(1)
        body = f"const int {own} = {value};\n"
        if self.chance(0.3):
            body += f"if ({self.condition()}) {self.random.choice(self.BOTH)};\n"
        if self.chance(0.4):
            body += self.simple() + "\n"
        body += self.choice(self.BOTH, on=own) + "\n"
        if self.chance(0.6):
            body += f"{self.variable()} ^= {own};\n{self.simple()}\n"
        most = self.pick(7, 63)  # the latter takes several strips
        bound = f"(({self.pick('t', self.variable(), self.expression(1))}) & {most})"
        return self.pick(f"for (int {name} = 0; {name} < {bound}; ++{name}) {{\n{body}}}",
                         f"int {name} = 0;\nwhile ({name}++ < {bound}) {{\n{body}}}",
                         f"int {name} = 0;\ndo {{\n{body}}} while (++{name} < {bound});")

    # The shapes of the other rewrites

    def thread(self):
        """Mostly what keeps regroup away from a loop: it takes longest to compile."""
        return "t" if self.chance(0.1) else "threadIdx.x"

    def same_arms(self):
        """Two arms that differ in operands, or short ones."""
        if self.chance(0.4):
            other = f" else\n{self.variable()} = {self.expression(2)};" if self.chance(0.5) else ""
            return f"if ({self.condition()})\n{self.variable()} {self.pick('|=', '=', '^=')} {self.leaf()};{other}"
        target, real, name = self.variable(), self.pick("x", "y"), self.counter()
        shape = self.pick(
            f"{target} = (int)((unsigned){target} * @0u + (unsigned)@1);",
            f"for (int {name} = 0; {name} < @2; ++{name})\n{target} ^= in[({self.thread()} + {name} + @2) & 255] + @0;",
            f"{real} = bounded(fmaf({real}, @3, float(@1 & 15)));\n{target} ^= @0;",
            f"m[@2] = {target} | @1;") if self.functions == [] else self.pick(
                f"{target} = {self.functions[0]}(@1, {target} ^ @0);",
                f"{real} = bounded({real} - @3);\nm[@2] ^= @1;")
        arms = []
        for _ in range(2):
            text = shape
            for mark, operand in {"@0": str(self.random.randint(1, 99)), "@1": self.pick("a", "b", "c", "d", "t"),
                                  "@2": str(self.random.randint(1, 6)),
                                  "@3": self.pick("0.5f", "1.25f", "x", "y")}.items():
                text = text.replace(mark, operand)
            arms.append(text)
        return f"if ({self.condition()}) {{\n{arms[0]}\n}} else {{\n{arms[1]}\n}}"

    def alike_arms(self):
        """Two arms of which some statements are the same up to operands, and others stand between them."""
        target, name, own = self.variable(), self.counter(), self.counter()
        other = self.pick(own, self.counter())  # its name in the other arm
        alike = [self.pick(f"int OWN = {target} ^ @0;", "int OWN = SETS;"),
                 f"for (int {name} = 0; {name} < @2; ++{name})\n{target} ^= in[(OWN + {name} * @2) & 255] + @0;",
                 self.pick(f"OWN ^= {target} >> 3;\nm[4] = OWN + in[OWN & 255] * @0;", "x = bounded(fmaf(x, @3, float(OWN & 63)));",
                           f"if (OWN & 4)\n{target} = in[OWN & 127];\nelse\n{target} ^= (OWN + @0) * 5 + in[@2];")]
        arms = []
        for local in (own, other):
            text = ""
            for each in alike:
                between = self.pick("", "", self.simple(), self.statement(2, ()), f"OWN += {self.leaf()};" if text else "")
                for mark, operand in {"SETS": f"in[{self.leaf()} & 255] * 3 + in[({self.variable()} ^ 9) & 127] * {self.leaf()}",
                                      "@0": self.pick("7", str(self.random.randint(1, 99))), "@2": str(self.random.randint(1, 6)),
                                      "@3": self.pick("0.5f", "y")}.items():
                    each = each.replace(mark, operand)
                text += f"{between}\n{each}\n".replace("OWN", local).lstrip("\n")
            arms.append(text + self.pick("", self.simple() + "\n"))
        return f"if ({self.condition()}) {{\n{arms[0]}}} else {{\n{arms[1]}}}"

    def two_sums(self):
        """Two accumulations of one loop that have nothing to do with each other."""
        name, first, other = self.counter(), self.counter(), self.counter()
        own, thread = self.counter(), self.thread()
        declare, one = self.pick(
            (f"int {first} = a;", f"{first} ^= in[({name} * 3 + {thread}) & 255] << ({name} & 3);"),
            (f"float {first} = x;", f"{first} += float(in[({name} + {thread}) & 255] & 63);"))
        two = self.pick(f"{other} += in[({thread} * 5 + {own}) & 255] & 1023;",
                        f"if (in[{own} & 255] & 1)\n{other} += {name};\nelse\n{other} ^= {own};")
        return (f"{declare}\nunsigned {other} = b;\n"
                f"for (int {name} = 0; {name} < {self.random.randint(3, 12)}; ++{name}) {{\n"
                f"{one}\nconst int {own} = {name} ^ {self.random.randint(1, 40)};\n{two}\n}}\n"
                f"a ^= (int){first};\nb ^= (int){other};")

    def nested_loops(self):
        """Inner loops of other lengths in each lane, some of them empty."""
        outer, inner, own = self.counter(), self.counter(), self.counter()

        def jump():
            return f"if ({self.condition()}) {self.random.choice(self.BOTH)};\n" if self.chance(0.3) else ""

        turn = f"{{\n{jump()}{self.simple()}\n{self.variable()} ^= {own} + {inner};\n{jump()}}}"
        length = f"(({self.pick('t', own, self.expression(1))}) & {self.pick(3, 7)})"
        loop = self.pick(f"for (int {inner} = {self.pick(0, 1)}; {inner} < {length}; ++{inner}) {turn}",
                         f"int {inner} = 0;\nwhile ({inner}++ < {length}) {turn}",
                         f"int {inner} = 0;\ndo {turn} while (++{inner} < {length});")
        body = f"{{\nconst int {own} = {self.expression(1)};\n{jump()}{loop}\n{self.simple()}\n{jump()}}}"
        turns = self.random.randint(2, 9)
        return self.pick(f"for (int {outer} = 0; {outer} < {turns}; ++{outer}) {body}",
                         f"int {outer} = 0;\nwhile ({outer}++ < {turns}) {body}",
                         f"int {outer} = 0;\ndo {body} while (++{outer} < {turns});")

    # Rows whose items are joined, and such loops for one thread alone

    def joining(self, item, value):
        """An update of a new accumulator: its declaration, the statement, and what it comes to."""
        name, at = self.counter(), self.counter()
        kind = self.pick("+=", "-=", "^=", "|=", "&=", "*=", "min", "max", "count", "smallest", "last", "flag", "real", "part", "word", "best",
                         "set")
        first = self.pick("a", "b", "0", "t", "77")
        if kind == "part":
            part = f"{name}.{self.pick('x', 'y')}"
            return f"int2 {name} = make_int2({first}, t);", f"{part} {self.pick('+=', '^=')} int({value});", f"({name}.x ^ {name}.y)"
        if kind == "word":  # memory of the thread's own
            change = self.pick(f"m[7] += int({value});", f"m[7] = max(m[7], int({value}));", f"if ({self.condition(2)})\nm[7] ^= int({value});")
            return f"m[7] = {first};", change, "m[7]"
        if kind == "count":
            return f"int {name} = {first};", f"if ({self.condition(2)})\n++{name};", name
        if kind == "best":  # the place of the largest, which the item of a loop that counts down finds, too
            by, change = self.pick(("in[{} & 63]", "<"), ("(in[{} & 255] & 15)", ">"))
            return (f"int {name} = {self.random.randint(0, 9)};",
                    f"if ({by.format(item)} {change} {by.format(name)})\n{name} = {item};", name)
        if kind == "set":
            return f"int {name} = {first};", f"if ({self.condition(2)})\n{name} = int({value});", name
        if kind == "flag":
            return f"bool {name} = false;", f"if (({value}) & {self.pick(1, 6)})\n{name} = true;", f"int({name})"
        if kind == "real":
            return (f"float {name} = 1e6f;", f"{name} = fminf({name}, float(({value}) & 1023) - {self.pick('x', '3.5f')});",
                    f"int({name})")
        if kind in ("min", "max"):
            return f"int {name} = {first};", f"{name} = {kind}({name}, int({value}));", name
        if kind in ("smallest", "last"):
            by = self.counter()
            return (f"int {name} = {first}, {at} = -1;",
                    f"const int {by} = int({value}) & 255;\nif ({by} {'<' if kind == 'smallest' else '>='} {name}) {{\n"
                    f"{name} = {by};\n{at} = {item};\n}}", f"({name} ^ {at})")
        return f"unsigned {name} = unsigned({first});", f"{name} {kind} unsigned({value});", f"int({name})"

    def item_value(self, item):
        return self.pick(f"in[({item} * 7 + t) & 255]", f"in[{item} & 255] ^ {self.variable()}", f"{item} * {self.leaf()}",
                         f"in[({item} + t) & 255] >> ({item} & 3)", f"{item} ^ t")

    def row_loop(self, first, last):
        """Declarations, the loop, and what is joined."""
        item = self.counter()
        if self.chance(0.25):  # the first item that fits
            found = self.counter()
            test = f"if (((in[({item} + t) & 255] ^ {self.variable()}) & 7) == {self.random.randint(0, 7)}) {{\n"
            return (f"int {found} = -1;\nfor (int {item} = {first}; {item} < {last}; ++{item}) {{\n"
                    f"{test}{found} = {item};\nbreak;\n}}\n}}\n", found)
        parts = [self.joining(item, self.item_value(item)) for _ in range(self.pick(1, 1, 2, 3))]
        body = "\n".join(each[1] for each in parts)
        if self.chance(0.3):
            body = f"if ({self.condition(2)})\ncontinue;\n" + body
        step = self.pick(f"++{item}", f"{item}++", f"{item} += {self.pick(1, 2, 3)}")
        declared = "\n".join(each[0] for each in parts)
        head = f"int {item} = {first}; {item} {self.pick('<', '<=')} {last}; {step}"
        if self.chance(0.3):
            head = f"int {item} = {last}; {item} {self.pick('>', '>=')} {first}; {self.pick('--' + item, item + ' -= 2')}"
        loop = f"for ({head}) {{\n{body}\n}}\n"
        return declared + "\n" + loop, " ^ ".join(each[2] for each in parts)

    def shared_row(self):
        """Rows of another length for each thread, behind guards that some do not pass."""
        first, length = self.pick("0", "t & 15", "a & 31"), self.pick("t & 31", "in[t & 255] & 15", "(b & 3) * (t & 15)")
        limit = self.counter()
        code, joined = self.row_loop(f"({first})", limit)
        code = f"const int {limit} = ({first}) + ({length});\n{code}a ^= {joined};\n"
        return f"if ({self.condition()}) {{\n{code}}}" if self.chance(0.3) else code

    def lone_thread(self):
        """What the first thread of the block or of each warp does for all."""
        test = self.pick("threadIdx.x == 0", "threadIdx.x % 32 == 0", "(threadIdx.x & 31) == 0", "!threadIdx.x", "t == 0",
                         "threadIdx.x < 1", "threadIdx.x == 0 && threadIdx.y == 0")
        length = self.random.randint(1, 70)
        make = self.pick(self.prefix_sums, self.list, lambda most: self.row_loop("0", str(most)))
        code, joined = make(length)
        if self.chance(0.2):
            inner = self.counter()
            code, joined = f"int {inner} = 5;\nif (blockIdx.x < 7) {{\n{code}{inner} = {joined};\n}}\n", inner
        alone = "m[4] = a;\n" if self.chance(0.3) else ""
        if not self.chance(0.3):
            return f"if ({test}) {{\n{alone}{code}m[6] = {joined};\n}}"
        total = self.counter()  # of the block; each thread that comes here is alone in it
        item = self.counter()
        return (f"__shared__ int {total};\nif (threadIdx.x == 0) {{\n{total} = b;\n{code}"
                f"for (int {item} = 0; {item} < {length}; ++{item})\n{total} += int({self.item_value(item)});\n"
                f"m[6] = {total} ^ {joined};\n}}")

    def prefix_sums(self, length):
        """Of integers, in an array that the threads of a block share, each warp in a part of its own."""
        array, base, item, total = self.counter(), self.counter(), self.counter(), self.counter()
        kind, value = self.pick("int", "unsigned", "short"), self.item_value(item)
        declared = f"__shared__ {kind} {array}[{BLOCK // 32 * 80}];\nconst int {base} = threadIdx.x / 32 * 80;\n"
        place, front = f"{array}[{base} + {item}]", f"{array}[{base} + {item} - 1]"
        add, keep = f"{total} += {value};\n", f"{place} = {total};\n"
        body, first = self.pick((add + keep, 0), (keep + add, 0), (f"{place} = {front} + int({value});\n", 1))
        loop = f"for (int {item} = {first}; {item} < {length + 1}; ++{item}) {{\n{body}}}\n"
        return (f"{declared}{kind} {total} = a;\n{array}[{base}] = b;\n{loop}",
                f"int({total} ^ {array}[{base} + {length}] ^ {array}[{base} + {length // 2}])")

    def list(self, length):
        """The items that a condition chooses, one behind the other; each warp has a list of its own."""
        array, base, item, count = self.counter(), self.counter(), self.counter(), self.counter()
        value = self.item_value(item)
        loop = (f"for (int {item} = 0; {item} < {length}; ++{item})\nif (in[({item} + t) & 255] & {self.pick(1, 6)}) {{\n"
                f"{array}[{base} + {count}] = {value};\n{self.pick(count + '++', count + ' += 1')};\n}}\n")
        return (f"__shared__ int {array}[{BLOCK // 32 * 80}];\nconst int {base} = threadIdx.x / 32 * 80;\n"
                f"{self.pick('int', 'unsigned')} {count} = 0;\n{array}[{base}] = b;\n{loop}",
                f"(int({count}) ^ {array}[{base}] ^ {array}[{base} + ({count} > 1 ? {count} - 1 : 0)])")

    def rows(self):
        part = self.pick(self.shared_row, self.shared_row, self.lone_thread)()
        return f"{self.beginning(self.chance(0.6))}{part}\n{self.simple()}\n{self.END}"

    def teams(self):
        """Rows of threads that read nothing they write: a team of lanes may do each."""
        array = "int s[4] = {t, 1, 2, 3};\n" if self.array == "s" else ""
        return (f"const int t = blockIdx.x * blockDim.x + threadIdx.x;\nif (t >= n)\nreturn;\nint* m = out + t * {WORDS};\n"
                f"int a = in[t], b = in[t] >> 3, c = t * 3, d = 1;\nfloat x = a & 255, y = 0.5f;\n{array}"
                f"{self.shared_row()}\n{self.END}")

    def by_thread(self):
        """A branch on the thread's place in its block."""
        by = self.pick(2, 4, 8)
        condition = self.pick(f"threadIdx.x % {by} == {self.random.randint(0, by - 1)}", f"t % {by} < {by // 2}",
                              f"threadIdx.x & {by // 2}")
        if self.chance(0.25):
            return self.cases(f"threadIdx.x % {by}", ())
        return f"if ({condition}) {self.arm(())}" + (f" else {self.arm(())}" if self.chance(0.7) else "")

    def reduction(self, block=BLOCK):
        """A block's values in shared memory, joined pair by pair; all its threads come here."""
        kind, join, value = self.pick(
            ("int", "values[@] += values[@ + s];", "a & 0xffff"), ("float", "values[@] += values[@ + s];", "x"),
            ("unsigned", "values[@] ^= values[@ + s];", "unsigned(a)"),
            ("float", "values[@] = fmaxf(values[@], values[@ + s]);", "y"),
            ("int", "values[@] = min(values[@], values[@ + s]);", "b"))
        up, down = "unsigned s = 1; s < blockDim.x; s *= 2", "unsigned s = blockDim.x / 2; s > 0; s >>= 1"
        head, guard, place = self.pick(
            (up, "if (threadIdx.x % (2 * s) == 0)", "threadIdx.x"),
            (up, "const unsigned index = 2 * s * threadIdx.x;\nif (index < blockDim.x)", "index"),
            (down, "if (threadIdx.x < s)", "threadIdx.x"))
        step = f"{guard}\n{join.replace('@', place)}\n"
        barrier = "__syncthreads();\n"
        body = barrier + step if self.chance(0.4) else step + barrier
        return (f"__shared__ {kind} values[{block}];\nvalues[threadIdx.x] = {value};\n__syncthreads();\n"
                f"for ({head}) {{\n{body}}}\n__syncthreads();\n"
                "if (threadIdx.x == 0)\nout[t * 8 + 6] = int(values[0]);\n")

    # Whole programs

    def loop_or(self, *shapes):
        """Mostly one of the shapes: loops make the most variants, and those that compile longest."""
        return (self.way_loop() if self.chance(0.1) else self.random.choice(shapes)()) + "\n"

    def beginning(self, guard):
        early = "if (t >= n)\nreturn;\n" if guard else ""
        array = "int s[4] = {t, 1, 2, 3};\n" if self.array == "s" else ""
        return (f"const int t = blockIdx.x * blockDim.x + threadIdx.x;\n{early}int* m = out + t * {WORDS};\n"
                f"int a = in[t], b = in[t] >> 3, c = t * 3, d = 1;\nfloat x = floats[t], y = 0.5f;\n{array}")

    END = "m[2] = a ^ b;\nm[3] = c ^ d;\nfloats[t] = x - y;\n"

    def loops(self):
        rest = self.pick(self.simple, self.same_arms, self.alike_arms)()
        return f"{self.beginning(self.chance(0.6))}{self.way_loop()}\n{rest}\n{self.END}"

    def nested(self):
        return f"{self.beginning(self.chance(0.5))}{self.nested_loops()}\n{self.simple()}\n{self.END}"

    def tally(self):
        """Lanes of a warp change few words, some of them in a branch."""
        change = self.pick("atomicAdd", "atomicAdd", "atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor")
        guard = f"if ({self.condition()})\n" if self.chance(0.4) else ""
        word = self.pick(f"&tallies[{self.variable()} & {TALLIES - 1}]", f"&tallies[{self.variable()} & {TALLIES - 1}]", "&tallies[1]", "tallies + 2")
        return f"{guard}{change}({word}, {self.expression(1)});\n"

    def generator(self):
        """Starts one of cuRAND's at a sequence of the thread, in some lanes or in all."""
        guard = f"if ({self.condition()}) " if self.chance(0.4) else ""
        sequence = self.pick("t", "t", "n + t", "in[t] & 63", "t * 3 & 127", "t & 1", "n - t + 40")
        return (f"{guard}{{\ncurandState g;\n"
                f"curand_init({self.pick('7', 'n', 't & 32')}, {sequence}, {self.pick('0', '0', 't & 3')}, &g);\n"
                "m[7] ^= int(curand(&g)) >> 3;\n}\n")

    def straight(self):
        tally = self.tally() if self.chance(0.4) else self.generator()
        arms = self.pick(self.same_arms, self.alike_arms)()
        return f"{self.beginning(self.chance(0.5))}{self.two_sums()}\n{arms}\n{tally}{self.END}"

    def threads(self):
        return self.beginning(self.chance(0.5)) + self.by_thread() + "\n" + self.loop_or(self.same_arms) + self.END

    def mask(self):
        """Ends in a branch; nothing is stored in front of it."""
        condition = self.pick("in[t] & 4", "in[t] % 3 == 1", "a & 6", "x > 60.0f", "t & 8")
        arms = [f"{{\n{self.loop_or(self.simple, self.same_arms)}{self.END}}}" for _ in range(2)]
        guard = self.beginning(True)
        if self.chance(0.3):
            return guard + f"switch (in[t] & 3) {{\ncase 0: {arms[0]} break;\ndefault: {arms[1]}\n}}\n"
        return guard + f"if ({condition}) {arms[0]} else {arms[1]}\n"

    def guarded(self):
        """Few threads have work, in a kernel or in a loop over what they would be given."""
        strided = self.chance(0.4)
        if strided:
            self.leave = "m[6] = 1;"  # the loop over items goes on
        head, *rest = self.beginning(False).split("\n", 1)
        guards = "".join(self.pick(f"if ({self.condition()}) LEAVE\n", f"const int g{i} = {self.expression(1)};\n",
                                   self.simple() + "\n", f"if (g ^ t & {i + 1}) {{\nm[5] = t;\nLEAVE\n}}\n")
                         for i in range(self.random.randint(0, 3)))
        last = self.pick(f"if ({self.condition()}) LEAVE\n{{\n{self.choice(())}\n{self.END}}}\n",
                         f"if ({self.condition()}) {{\n{self.loop_or(self.simple, self.same_arms)}{self.END}}}\n",
                         f"{self.choice(())}\n{self.END.replace('x - y', 'x')}")
        code = f"{rest[0]}int g = in[t] >> 5;\n{guards}{last}"
        self.leave = "return;"
        if not strided:
            return f"{head}\nif (t >= n) LEAVE\n{code}".replace("LEAVE", "return;")
        return (f"for (int t = {head.partition('= ')[2]} t < n; t += gridDim.x * blockDim.x) {{\n{code}}}\n"
                .replace("LEAVE", "continue;"))

    def walks(self):
        """Items whose loops end sooner or later, in a kernel or in a loop over items; some return from theirs."""
        strided = self.chance(0.4)
        head, *rest = self.beginning(False).split("\n", 1)
        turns, most, own = self.counter(), self.pick(3, 15, 40), self.counter()
        jumps = self.pick("", f"if ({self.condition()})\nbreak;\n", f"if (({own} ^ t) & 1)\ncontinue;\n",
                          "" if strided else f"if ({turns} == 7 && (t & 3) == 1)\nreturn;\n")
        body = f"++{turns};\nconst int {own} = {self.expression(1)};\n{self.simple()}\n{jumps}{self.variable()} ^= {own};\n"
        bound = f"(({self.pick('t', 'in[t]', self.expression(1))}) & {most})"
        loop = self.pick(f"while ({turns} < {bound}) {{\n{body}}}", f"do {{\n{body}}} while ({turns} < {bound});",
                         f"for (int k = 0; k < {bound}; k += 1 + (k & 1)) {{\n{body}}}")
        guard = f"if ({self.condition()}) LEAVE\n" if self.chance(0.5) else ""
        code = f"{rest[0]}{guard}int {turns} = {self.pick(0, 't & 3')};\n{loop}\n{self.simple()}\n{self.END}"
        if not strided:
            return f"{head}\nif (t >= n) LEAVE\n{code}".replace("LEAVE", "return;")
        return (f"for (int t = {head.partition('= ')[2]} t < n; t += gridDim.x * blockDim.x) {{\n{code}}}\n"
                .replace("LEAVE", "continue;"))

    def reductions(self):
        self.leave = "m[6] = 1;"  # all threads must come to the barriers
        code = self.beginning(False) + self.loop_or(self.simple, self.same_arms) + self.reduction() + self.END
        self.leave = "return;"
        return code

    def in_odd_blocks(self):
        """A body, and a launch whose blocks are no whole warps: with a bound, with exactly as many threads, with one
        thread a block, or with threads that share memory."""
        size = self.pick(5, 20, 25, 50, 100)
        shape = self.pick("bound", "bound", "exact", "one", "shared")
        if shape == "bound":
            size = self.pick(12, 40, 48, 100)
            return self.beginning(True) + self.loop_or(self.same_arms) + self.END, f"{-(-LIMIT // size)}, {size}"
        if shape == "shared":
            self.leave = "m[6] = 1;"
            body = self.beginning(False) + self.loop_or(self.simple) + self.reduction(16) + self.END
            self.leave = "return;"
            return body, f"{LIMIT // 16}, 16"
        body = self.beginning(False) + self.loop_or(self.two_sums, self.same_arms) + self.END
        if shape == "one":
            return body.replace("blockIdx.x * blockDim.x + threadIdx.x", "blockIdx.x"), f"{LIMIT}, 1"
        return body, f"{LIMIT // size}, {size}"

    def program(self, name):
        """A namespace with a kernel, what it calls, and run() that launches it and prints a hash of its results."""
        functions = ""
        if self.chance(0.25):
            functions = self.function("__device__ int twist")
            self.functions = ["twist"]
        shapes = [self.loops, self.loops, self.nested, self.nested, self.rows, self.rows, self.rows, self.teams, self.threads,
                  self.mask, self.mask, self.guarded, self.walks, self.walks, self.reductions]
        launch = f"{THREADS // BLOCK}, {BLOCK}"
        if self.odd:
            body, launch = self.in_odd_blocks()
        else:
            body = (self.random.choice(shapes) if self.chance(0.7) else self.straight)()
        return random_code.indented(
            f"namespace {name} {{\n{functions}"
            f"__global__ void {name}_kernel(const int* in, int* out, float* floats, int* tallies, int n) {{\n{body}}}\n"
            f"void run(const char* name) {{\nMemory memory;\n"
            f"{name}_kernel<<<{launch}>>>(memory.in, memory.out, memory.floats, memory.out + {THREADS * WORDS},"
            f" {LIMIT});\n"
            "memory.print(name);\n}\n}\n\n")

    def function(self, declaration):
        """Has no floats."""
        plain = random_code.RandomCode(self.random.getrandbits(32))
        plain.operators, plain.depth, plain.level = self.operators, self.depth, 2
        return plain.function(declaration)
