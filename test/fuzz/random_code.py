# SPDX-License-Identifier: Apache-2.0
"""Random statements in the subset of C++ that CUDA and C++ share, for the fuzz tests."""

import random


def indented(code):
    """The same code with two blanks for each open brace."""
    depth, lines = 0, []
    for line in code.splitlines():
        line = line.strip()
        lines.append("  " * (depth - line.startswith("}")) + line)
        depth += line.count("{") - line.count("}")
    return "\n".join(lines) + "\n"


class RandomCode:
    """Works on int variables a to d, the thread's number t, and arrays m[8] and s[4] of the thread's own."""

    BOTH = ("break", "continue")

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.leave = "return;"
        self.functions = []  # that may be called: none inside a function, which would never end
        self.pointers = False  # whether they are also called through pointers
        self.array, self.last = "s", 3  # beside m
        self.operators = ["+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>", "?"]
        self.depth = 2  # of expressions
        self.level = 0  # as if the first statement stood in so many others

    def variable(self):
        return self.random.choice(["a", "b", "c", "d"])

    def leaf(self):
        return self.random.choice([self.variable(), "t", str(self.random.randint(-9, 99)),
                                   f"m[({self.variable()} & 7)]", f"{self.array}[({self.variable()} & {self.last})]"])

    def expression(self, depth=0):
        pick = self.random.random()
        if depth > self.depth or pick < 0.3:
            return self.leaf()
        left, right = self.expression(depth + 1), self.expression(depth + 1)
        if self.functions and pick < 0.36:
            return f"{self.random.choice(self.functions)}(t, {left})"
        if self.functions and self.pointers and pick < 0.4:
            return f"(({right}) & 1 ? {self.functions[0]} : {self.functions[1]})(t, {left})"
        operator = self.random.choice(self.operators)
        if operator in "/%":
            return f"(int)((unsigned)({left}) {operator} ((({right}) & 15) + 1))"
        if operator in ("<<", ">>"):
            return f"(int)((unsigned)({left}) {operator} (({right}) & 7))"
        if operator == "?":
            return f"(({self.condition(depth + 1)}) ? ({left}) : ({right}))"
        return f"(int)((unsigned)({left}) {operator} (unsigned)({right}))"

    def condition(self, depth=0):
        comparison = self.random.choice(["<", ">", "==", "!=", "<=", ">="])
        return f"({self.expression(depth + 1)} & 31) {comparison} {self.random.randint(0, 31)}"

    def block(self, depth, jumps):
        return "{\n" + "\n".join(self.statement(depth + 1, jumps)
                                 for _ in range(self.random.randint(1, 3))) + "\n}"

    def counter(self):
        self.names += 1
        return f"i{self.names}"

    def loop(self, depth):
        name = self.counter()
        bound = f"(({self.expression(1)}) & {self.random.choice([3, 7])})"
        body = self.block(depth, self.BOTH)
        return self.random.choice([
            f"for (int {name} = 0; {name} < {bound}; {name}++) {body}",
            f"{{\nint {name} = 0;\nwhile ({name}++ < 6 && {self.condition()}) {body}\n}}",
            f"{{\nint {name} = 0;\ndo {body} while (++{name} < {bound});\n}}"])

    def switch(self, depth, jumps):
        cases = "".join(f"case {k}: {self.block(depth, jumps)} {self.random.choice(['break;', ''])}\n"
                        for k in range(self.random.randint(2, 4)))
        return f"switch (({self.expression(1)}) & 3) {{\n{cases}default: {self.variable()} ^= 1;\n}}"

    def statement(self, depth, jumps):
        """`jumps`: those of break and continue that mean a loop which counts its turns."""
        pick = self.random.random()
        if depth < 4 and pick < 0.2:
            other = f" else {self.block(depth, jumps)}" if self.random.random() < 0.6 else ""
            return f"if ({self.condition()}) {self.block(depth, jumps)}{other}"
        if depth < 3 and pick < 0.35:
            return self.loop(depth)
        if depth < 3 and pick < 0.42:
            return self.switch(depth, ())
        if jumps and pick < 0.5:
            return f"if ({self.condition()}) {self.random.choice(jumps)};"
        if pick < 0.53:
            return f"if ({self.condition()}) {{ m[7] = a; {self.leave} }}"
        if pick < 0.65:
            return f"m[({self.expression(2)}) & 7] = {self.expression()};"
        if pick < 0.75:
            return f"{self.array}[({self.expression(2)}) & {self.last}] = {self.expression()};"
        return f"{self.variable()} = {self.expression()};"

    def statements(self, least, most):
        return "\n".join(self.statement(self.level, ()) for _ in range(self.random.randint(least, most)))

    def function(self, declaration):
        """A function of t and x; `declaration` is what stands in front of its parameters."""
        self.leave = "return d;"
        code = (f"{declaration}(int t, int x) {{\n"
                "int a = x, b = t, c = t * 5, d = 2, s[4] = {x, 1, t, 3}, m[8] = {t, x};\n" +
                self.statements(1, 2) + "\nreturn a ^ b ^ c ^ d ^ m[x & 7] ^ s[t & 3];\n}\n")
        self.leave = "return;"
        return code
