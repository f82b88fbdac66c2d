# SPDX-License-Identifier: Apache-2.0
"""Random functions with every kind of control flow, structured or not, in what CUDA and C++ share.

A function works on memory m[8] and a local array s[8] of the thread's own, on data a to d that differ between
threads, and on p, q and r. These begin alike in all threads and change by constants only: control flow alone parts
them, which is what an engine that keeps one value for a whole warp gets wrong first.

All ends by fuel: every way back takes one, and there is none without. Variables are declared at the top, so that a
`goto` may jump anywhere, also into a loop. Arithmetic is unsigned, so that nothing is undefined.
"""

import random

DATA, FLOW = ["a", "b", "c", "d"], ["p", "q", "r"]


class RandomFlow:
    """`weight` 1 makes small functions; more makes loops longer and adds arithmetic."""

    def __init__(self, seed, weight=1):
        self.random = random.Random(f"flow {seed}")
        self.weight = weight
        self.calls = []  # texts of calls with one hole, such as "f(m, t, {})"
        self.begin(0)

    def begin(self, size):
        """Forgets the function before; `size`: how many statements this one may have."""
        self.left = size
        self.local = self.chance(0.2)  # whether there is a local array
        self.counters = 0
        self.placed, self.wanted = [], []  # labels
        self.labels = 0

    def pick(self, **weights):
        return self.random.choices(list(weights), list(weights.values()))[0]

    def chance(self, share):
        return self.random.random() < share

    # Values.

    def leaf(self):
        """Memory takes long to compile: 32 lanes, each with its own address."""
        kind = self.pick(data=6, thread=1, alike=1, flow=1, constant=2, own=1, local=1 if self.local else 0)
        data = self.random.choice(DATA)
        return {"data": data, "thread": "t", "alike": "n", "flow": f"unsigned({self.random.choice(FLOW)})",
                "constant": f"{self.random.randint(0, 99)}u", "own": f"m[{data} & 7]",
                "local": f"s[{self.random.choice(DATA + FLOW)} & 7]"}[kind]

    def value(self, depth=0):
        """Has no effect: the order of evaluation is the compiler's."""
        if depth > 1 or self.chance(0.5):
            return self.leaf()
        left, right = self.value(depth + 1), self.value(depth + 1)
        kind = self.pick(plain=10, shift=2, divide=0.2, choose=1)  # divisions take long to compile
        if kind == "shift":
            return f"({left} {self.random.choice(['<<', '>>'])} ({right} & 7))"
        if kind == "divide":
            return f"({left} {self.random.choice('/%')} (({right} & 15) + 1))"
        if kind == "choose":
            return f"({self.condition(1, effects=False)} ? {left} : {right})"
        return f"({left} {self.random.choice('+-*&|^')} {right})"

    def call(self):
        return self.random.choice(self.calls).format(self.leaf())

    def condition(self, depth=0, effects=True):
        kind = self.pick(flow=4, data=4, alike=1, both=2 if depth == 0 else 0, effect=0.7 if effects else 0)
        if kind == "flow":
            first, second = self.random.sample(FLOW, 2)
            right = self.random.choice([second, str(self.random.randint(0, 5))])
            return f"({first} {self.random.choice(['<', '>', '==', '!=', '>=', '<='])} {right})"
        if kind == "data":
            left = self.value(1) if self.chance(0.4) else self.random.choice(DATA)
            return f"(({left} & 31) {self.random.choice(['<', '>', '==', '!='])} {self.random.randint(0, 31)}u)"
        if kind == "alike":
            return f"((n & {self.random.randint(1, 7)}) {self.random.choice(['==', '!='])} 0)"
        if kind == "effect":
            if self.calls and self.chance(0.4):
                return f"(({self.call()} & 7) > {self.random.randint(0, 6)}u)"
            return f"{self.random.choice(['', '!'])}touch(m, {self.leaf()})"
        return f"({self.condition(1)} {self.random.choice(['&&', '||'])} {self.condition(1)})"

    def fueled(self, condition=None):
        """A condition for a way back: also false when the fuel is used up. `&` leaves a loop one exit, `&&` two."""
        return f"({condition or self.condition()} {self.random.choice(['&', '&', '&&'])} (fuel-- > 0))"

    # Statements. `loop`, `switch`: whether `continue` and `break` mean something here.

    def assignment(self):
        flow, other = self.random.sample(FLOW, 2)
        kind = self.pick(flow=7, data=4, local=1 if self.local else 0, own=1, call=1 if self.calls else 0)
        if kind == "flow":
            return self.random.choice([f"++{flow};", f"--{flow};", f"{flow} = {self.random.randint(-1, 4)};",
                                       f"{flow} = {other};", f"{flow} = ({flow} + {other}) & 15;"])
        if kind in ("data", "call"):
            right = self.value() if kind == "data" else self.call()
            return f"{self.random.choice(DATA)} {self.random.choice(['=', '+=', '^=', '-='])} {right};"
        return f"{'s' if kind == 'local' else 'm'}[{self.value(1)} & 7] {self.random.choice(['=', '+=', '^='])} " \
               f"{self.value()};"

    def arithmetic(self):
        lines = []
        for _ in range(self.random.randint(2, 3 * self.weight)):
            target, first, second = (self.random.choice(DATA) for _ in range(3))
            lines.append(self.random.choice([
                f"{target} = {first} * {self.random.randrange(3, 999, 2)}u + {second};",
                f"{target} ^= {first} >> {self.random.randint(1, 20)};",
                f"{target} += ({first} & {second}) ^ {self.random.randint(1, 9999)}u;",
                f"{target} = ({first} << {self.random.randint(1, 9)}) | ({second} >> {self.random.randint(10, 30)});"]))
        return "\n".join(lines)

    def label(self):
        self.labels += 1
        return f"at{self.labels}"

    def jump(self, loop, switch):
        kind = self.pick(**{"continue": 5 if loop else 0, "break": 3 if loop or switch else 0, "return": 1, "goto": 2})
        before = self.assignment() + "\n" if self.chance(0.5) else ""
        if kind == "goto":
            if self.placed and self.chance(0.6):
                return f"if {self.fueled()} {{\n{before}goto {self.random.choice(self.placed)};\n}}"
            self.wanted.append(self.label())
            return f"if ({self.condition()}) {{\n{before}goto {self.wanted[-1]};\n}}"
        leave = {"return": f"return {self.random.choice(DATA)} + {self.random.randint(0, 99)}u;"}.get(kind, kind + ";")
        return f"if ({self.condition()}) {{\n{before}{leave}\n}}"

    def here(self):
        """Labels that stand before the next statement."""
        text = ""
        if self.wanted and self.chance(0.5):
            name = self.wanted.pop(self.random.randrange(len(self.wanted)))
            self.placed.append(name)
            text = f"{name}:;\n"
        elif self.chance(0.06):
            self.placed.append(self.label())
            text = f"{self.placed[-1]}:;\n"
        return text

    def block(self, depth, loop, switch=False, most=3):
        statements = [self.statement(depth + 1, loop, switch) for _ in range(self.random.randint(1, most))]
        return "{\n" + "\n".join(statements) + "\n}"

    def choice(self, depth, loop, switch):
        text = f"if ({self.condition()}) {self.block(depth, loop, switch)}"
        if self.chance(0.25):
            text += f" else if ({self.condition()}) {self.block(depth, loop, switch)}"
        return text + (f" else {self.block(depth, loop, switch)}" if self.chance(0.4) else "")

    def counter(self):
        self.counters += 1
        return f"i{self.counters}"

    def loop(self, depth):
        i = self.counter()
        bound = self.random.choice([f"{self.random.randint(1, 4)}", "int(n & 3)",
                                    f"int({self.random.choice(DATA)} & 7)"])
        body = self.block(depth, True, most=4)
        kind = self.pick(counted=2, fueled=3, again=2, until=2, forever=2, flag=2)
        if kind == "counted":
            if "goto" in body or "at" in body:  # a way in may pass the start
                return f"for ({i} = 0; ({i} < {bound}) & (fuel-- > 0); ++{i}) {body}"
            return f"for ({i} = 0; {i} < {bound}; ++{i}) {body}"
        if kind == "fueled":
            return f"while {self.fueled()} {body}"
        if kind == "again":
            return f"do {body} while {self.fueled()};"
        if kind == "until":
            flow = self.random.choice(FLOW)
            return f"{flow} = {self.random.randint(0, 2)};\nwhile {self.fueled(f'({flow} >= 0)')} {body}"
        if kind == "flag":
            mark = body.rfind("\n")
            return f"{i} = 1;\nwhile {self.fueled(f'({i} != 0)')} {body[:mark]}\nif ({self.condition()}) {i} = 0;\n}}"
        leave = self.random.choice(["break;", "break;", f"return {self.random.choice(DATA)};"])
        return f"for (;;) {{\nif (fuel-- <= 0) {leave}\n{body[2:]}"

    def switch(self, depth, loop):
        cases = "".join(f"case {k}: {self.block(depth, loop, True)} {self.random.choice(['break;', 'break;', ''])}\n"
                        for k in range(self.random.randint(2, 4)))
        return f"switch ({self.value(1)} & 3) {{\n{cases}default: {self.assignment()}\n}}"

    def state_machine(self, depth):
        state = self.counter()
        cases = []
        count = self.random.randint(2, 4)
        for k in range(count):
            block = self.block(depth + 1, True, True, 2)  # first: labels wanted from here on stand behind it
            after = self.random.choice([f"{state} = {self.random.randrange(count)};",
                                        f"{state} = {self.condition()} ? {self.random.randrange(count + 1)} : {k};"])
            leave = self.pick(**{"break;": 4, "continue;": 3, "": 1, "return a;": 1, "goto": 1})
            if leave == "goto":
                self.wanted.append(self.label())
                leave = f"goto {self.wanted[-1]};"
            elif self.chance(0.3):
                leave = f"if ({self.condition()}) {leave or 'continue;'}\n" + "break;"
            cases.append(f"case {k}: {block}\n{after}\n{leave}\n")
        out = self.random.choice(["", f"default: {self.assignment()} {state} = 0;\n", "default: return b;\n"])
        behind = self.random.choice(["", f"if ({self.condition()}) break;\n", self.assignment() + "\n"])
        return f"{state} = 0;\nwhile (fuel-- > 0) {{\nswitch ({state}) {{\n{''.join(cases)}{out}}}\n{behind}}}"

    def backtracking(self, depth):
        """An explicit stack of what is still open at each depth."""
        self.local = True
        deep = self.random.randint(1, 4)
        flow, found = self.random.sample(FLOW, 2)
        top = f"s[{flow} & 7]"
        step = self.random.choice([f"{top} &= {top} - 1;", f"{top} >>= 1;", f"a = {top} & -{top};\n{top} ^= a;"])
        fill = self.random.choice(["t & 7", f"{self.value(1)} & 15", f"(s[({flow} - 1) & 7] * 3 + t) & 31", "n & 7"])
        inner = self.statement(depth + 1, True, False) + "\n" if self.chance(0.5) else ""
        hit = self.random.choice([f"++{found};", f"m[{found} & 7] += unsigned({flow}) + 1;", "d += a;"])
        leave = f"if ({self.condition()}) break;\n" if self.chance(0.3) else ""
        return (f"{flow} = 0;\n{found} = 0;\ns[0] = {self.random.choice(DATA)} & 15 | 1;\n"
                f"while {self.fueled(f'({flow} >= 0)')} {{\nif (!{top}) {{\n--{flow};\ncontinue;\n}}\n{step}\n"
                f"{inner}{leave}if ({flow} >= {deep}) {{\n{hit}\ncontinue;\n}}\n++{flow};\n{top} = {fill};\n}}")

    def descent(self, depth):
        """A depth that goes down and up, as a search does, while some data is used up."""
        level, found = self.random.sample(FLOW, 2)
        data = self.random.choice(DATA)
        step = self.random.choice([f"{data} &= {data} - 1;", f"{data} >>= 1;", f"{data} -= 2;"])
        empty = f"int({data}) <= 0" if "2" in step else f"!{data}"
        hit = self.random.choice([f"++{found};", f"{found} = {level};", f"{found} += 3;"])
        inner = [self.statement(depth + 1, True, False) + "\n" if self.chance(0.15) else "" for _ in range(3)]
        again = self.fueled(f"({level} >= 0)") if any(inner) else f"({level} >= 0)"  # ends when the data is used up
        return (f"{level} = 0;\n{data} = ({data} & {self.random.choice([15, 31, 63])}) + 3;\n"
                f"while {again} {{\n"
                f"if ({empty}) {{\n--{level};\n{data} = 0;\n{inner[0]}continue;\n}}\n{step}\n{inner[1]}"
                f"if ({level} == {self.random.randint(1, 3)}) {{\n{hit}\ncontinue;\n}}\n"
                f"{inner[2]}++{level};\n}}")

    def statement(self, depth, loop, switch):
        self.left -= 1
        label = self.here()
        nested = 1 if depth < 4 and self.left > 0 else 0
        kind = self.pick(assign=5, arithmetic=self.weight - 1, jump=4 if loop else 1.5, choice=3 * nested,
                         loop=3 * nested * (depth < 3), switch=1.5 * nested, machine=nested * (depth < 2),
                         backtrack=nested * (depth < 3), descent=2 * nested * (depth < 3))
        made = {"assign": self.assignment, "arithmetic": self.arithmetic, "jump": lambda: self.jump(loop, switch),
                "choice": lambda: self.choice(depth, loop, switch), "loop": lambda: self.loop(depth),
                "switch": lambda: self.switch(depth, loop), "machine": lambda: self.state_machine(depth),
                "backtrack": lambda: self.backtracking(depth), "descent": lambda: self.descent(depth)}[kind]()
        return label + made

    # Functions.

    def function(self, name, size, recursive=False):
        """`unsigned name(unsigned* m, unsigned t, unsigned n)`; a recursive one takes its depth behind them."""
        self.begin(size)
        calls = self.calls
        if recursive:
            self.calls = [f"(depth > 0 ? {name}(m, t, {{}}, depth - 1) : a)"]
        statements = []
        while self.left > 0 or not statements:
            statements.append(self.statement(0, False, False))
        text = "\n".join(statements + [f"{label}:;" for label in self.wanted])
        fuel = self.random.choice([6, 10, 20, 40]) * self.weight if not recursive else 5
        names = "".join(f", i{k + 1} = 0" for k in range(self.counters))
        starts = ", ".join(f"{flow} = {self.random.randint(0, 3)}" for flow in FLOW)
        self.calls = calls
        return (f"unsigned {name}(unsigned* m, unsigned t, unsigned n{', int depth' if recursive else ''}) {{\n"
                f"unsigned a = m[0], b = t * {self.random.randint(1, 9)}, c = m[n & 7] >> 1, "
                f"d = {self.random.randint(0, 9)}"
                f"{', s[8] = {t, 1, n, 3}' if self.local else ''};\n"
                f"int {starts}, fuel = {fuel}{names};\n{text}\n"
                f"m[3] += unsigned(p) * 64 + unsigned(q) * 8 + unsigned(r);\n"
                f"return a ^ (b << 1) ^ (c << 2) ^ (d << 3){' ^ s[t & 7]' if self.local else ''};\n}}\n")
