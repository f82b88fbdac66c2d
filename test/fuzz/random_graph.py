# SPDX-License-Identifier: Apache-2.0
"""Random control-flow graphs as LLVM IR: any block may lead to any other, so that most are irreducible.

Each graph is written twice from the same blocks: as a kernel for the engine, and as a function of one thread for the
host. Variables are allocas, of which mem2reg makes the phis. Data x0 to x2 differ between threads; p0 to p2 begin alike
and change by constants only. An edge back takes fuel and is not taken without, so that everything ends; edges forward
are free, and blocks need no exit of their own. Nothing is undefined: no flags, masked shifts, no division by zero.
"""

import random
import re

DATA, FLOW = ["x0", "x1", "x2"], ["p0", "p1", "p2"]
LOCAL = ["%t", 1, "%n", 3]  # what a local array begins with, where there is one

DEVICE_START = """  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %before = mul i32 %block, %size
  %t = add i32 %before, %thread
  %word = shl i32 %t, 3
  %m = getelementptr i32, ptr %memory, i32 %word
"""
DEVICE_BARRIER = "  call void @llvm.nvvm.barrier0()\n  %other = add i32 0, 1\n"
DEVICE_VOTE = """  call void @llvm.nvvm.barrier0()
  %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 true)
  %votes = zext i1 %any to i32
  %other = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %votes, i32 3, i32 31)
"""
HOST_MEETING = "  %other = add i32 0, 1\n"
TARGET = """target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
"""
DECLARATIONS = """declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0() convergent
declare i1 @llvm.nvvm.vote.any.sync(i32, i1) convergent
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) convergent
"""
# Called, not inlined: has effects on the thread's memory, and branches.
TOUCH = """define internal i32 @touch(ptr %m, i32 %x) noinline {
  %i = and i32 %x, 7
  %at = getelementptr i32, ptr %m, i32 %i
  %old = load i32, ptr %at
  %odd = and i32 %old, 1
  %even = icmp eq i32 %odd, 0
  br i1 %even, label %first, label %second
first:
  %new = add i32 %old, %x
  store i32 %new, ptr %at
  ret i32 %new
second:
  %less = lshr i32 %old, 1
  %mixed = xor i32 %less, %x
  store i32 %mixed, ptr %at
  ret i32 %less
}
"""


def reachable(text):
    """Blocks that the first one leads to, in their order: clang leaves no others."""
    blocks = {block.partition(":")[0]: block for block in re.split(r"^(?=b\d+:)", text, flags=re.MULTILINE) if block}
    found, open_ = {"b0"}, ["b0"]
    while open_:
        new = set(re.findall(r"label %(b\d+)", blocks[open_.pop()])) - found
        found |= new
        open_ += new
    return "".join(block for name, block in blocks.items() if name in found)


class RandomGraph:
    def __init__(self, seed):
        self.random = random.Random(f"graph {seed}")
        self.values = 0
        self.lines = []
        self.data = DATA[:self.random.choice([1, 2, 2, 3])]
        self.flow = FLOW[:self.random.choice([1, 2, 2, 3])]
        self.arrays = ["%m"] + ["%s"] * (self.random.random() < 0.3)

    def emit(self, text):
        """A new value."""
        self.values += 1
        self.lines.append(f"  %v{self.values} = {text}")
        return f"%v{self.values}"

    def do(self, text):
        self.lines.append("  " + text)

    # Values.

    def element(self, array):
        index = self.emit(f"and i32 {self.leaf(False)}, {7 if array == '%m' else 3}")
        return self.emit(f"getelementptr i32, ptr {array}, i32 {index}")

    def leaf(self, memory=True):
        pick = self.random.random()
        if pick < 0.15:
            return str(self.random.randint(-3, 40))
        if pick < 0.25:
            return self.random.choice(["%t", "%n"])
        if memory and pick < 0.35:
            return self.emit(f"load i32, ptr {self.element(self.random.choice(self.arrays))}")
        return self.emit(f"load i32, ptr %{self.random.choice(self.data + self.flow)}")

    def value(self):
        left, right = self.leaf(), self.leaf()
        operator = self.random.choice(["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr"])
        if self.random.random() < 0.03:  # they take long to compile
            operator = self.random.choice(["udiv", "urem"])
        if operator in ("shl", "lshr", "ashr"):
            right = self.emit(f"and i32 {right}, 31")
        elif operator in ("udiv", "urem"):
            right = self.emit(f"or i32 {right}, 1")
        return self.emit(f"{operator} i32 {left}, {right}")

    def condition(self):
        pick = self.random.random()
        if pick < 0.4:
            left = self.emit(f"load i32, ptr %{self.random.choice(self.flow)}")
            right = str(self.random.randint(-1, 5))
        elif pick < 0.5:
            left, right = self.emit(f"and i32 %n, {self.random.randint(1, 7)}"), "0"
        else:
            left, right = self.emit(f"and i32 {self.value()}, 15"), str(self.random.randint(0, 15))
        return self.emit(f"icmp {self.random.choice(['slt', 'sgt', 'eq', 'ne', 'sle'])} i32 {left}, {right}")

    # Blocks.

    def work(self):
        pick = self.random.random()
        if pick < 0.5:
            target = self.random.choice(self.flow)
            other = self.random.choice([target, target, self.random.choice(self.flow)])
            old = self.emit(f"load i32, ptr %{other}")
            new = self.emit(f"add i32 {old}, {self.random.randint(-2, 3)}")
            self.do(f"store i32 {self.random.choice([new, new, new, str(self.random.randint(0, 3))])}, ptr %{target}")
        elif pick < 0.8:
            self.do(f"store i32 {self.value()}, ptr %{self.random.choice(self.data)}")
        elif pick < 0.95:
            value = self.value()
            self.do(f"store i32 {value}, ptr {self.element(self.random.choice(self.arrays))}")
        else:
            self.do(f"store i32 {self.emit(f'call i32 @touch(ptr %m, i32 {self.value()})')}, "
                    f"ptr %{self.random.choice(self.data)}")

    def fuel(self):
        """Whether there was some left; takes one."""
        old = self.emit("load i32, ptr %fuel")
        self.do(f"store i32 {self.emit(f'sub i32 {old}, 1')}, ptr %fuel")
        return self.emit(f"icmp sgt i32 {old}, 0")

    def forward(self, block, last):
        """Mostly near: edges far ahead leave most blocks out."""
        return min(block + self.random.choice([1, 1, 1, 1, 2, 2, 3, 5]), last)

    def end(self, block, last):
        """The terminator. Blocks behind this one are free to go to; others cost fuel."""
        ahead = block + 1 if self.random.random() < 0.7 else self.forward(block, last)
        pick = self.random.random()
        if pick < 0.15:
            self.do(f"br label %b{ahead}")
        elif pick < 0.4:
            self.do(f"br i1 {self.condition()}, label %b{ahead}, label %b{self.forward(block, last)}")
        elif pick < 0.85:
            both = self.emit(f"and i1 {self.condition()}, {self.fuel()}")
            back = self.random.randint(max(0, block - self.random.choice([1, 3, 8, 24])), block)
            self.do(f"br i1 {both}, label %b{back}, label %b{ahead}")
        else:
            back = self.emit(f"select i1 {self.fuel()}, i32 {self.emit(f'and i32 {self.value()}, 7')}, i32 7")
            cases = " ".join(f"i32 {k}, label %b{self.random.choice([self.random.randint(0, block), ahead])}"
                             for k in range(self.random.randint(2, 5)))
            self.do(f"switch i32 {back}, label %b{self.forward(block, last)} [{cases}]")

    def blocks(self):
        """The text of all blocks; the last one is %bN, N their count, which ends a round or the thread."""
        large = self.random.randint(11, 23)  # few: they take long to compile
        count = self.random.choice([3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, large])
        meeting = self.random.random() < 0.5  # all threads come to the last block
        for block in range(count):
            self.lines.append(f"b{block}:")
            for _ in range(self.random.choice([0, 1, 1, 1, 2])):
                self.work()
            if not meeting and block > 1 and self.random.random() < 0.08:
                self.do(f"store i32 {self.value()}, ptr %m")
                self.do("ret void")
            else:
                self.end(block, count)
        self.lines.append(f"b{count}:")
        if meeting:
            how = self.random.choice(["BARRIER", "BARRIER", "BARRIER", "VOTE"])  # votes take long to compile
            late = self.random.random() < 0.3
            self.lines += [how] * (not late)
            self.do(f"store i32 {self.emit('load i32, ptr %x0')}, ptr {self.element(self.arrays[-1])}")
            self.lines += [how] * late
            round_ = self.emit("load i32, ptr %round")
            next_ = self.emit(f"add i32 {round_}, %other")
            self.do(f"store i32 {next_}, ptr %round")
            self.do("store i32 5, ptr %fuel")
            more = self.emit(f"icmp slt i32 {next_}, {self.random.randint(1, 3)}")
            self.do(f"br i1 {more}, label %b0, label %end")
        else:
            self.do("br label %end")
        return reachable("\n".join(self.lines) + "\n")

    def start(self):
        lines = []
        self.lines = []
        if "%s" in self.arrays:
            lines.append(f"  %s = alloca [{len(LOCAL)} x i32]")
            for k, value in enumerate(LOCAL):
                self.do(f"%s{k} = getelementptr i32, ptr %s, i32 {k}")
                self.do(f"store i32 {value}, ptr %s{k}")
        self.do("%x0.start = load i32, ptr %m")
        self.do(f"%x1.start = mul i32 %t, {self.random.randint(3, 9)}")
        starts = {"fuel": self.random.randint(5, 40), "round": 0,
                  **dict(zip(self.data, ["%x0.start", "%x1.start", "%n"])),
                  **{name: self.random.randint(0, 2) for name in self.flow}}
        for name, value in starts.items():
            lines.append(f"  %{name} = alloca i32")
            self.do(f"store i32 {value}, ptr %{name}")
        text = "\n".join(lines + self.lines) + "\n  br label %b0\n"
        self.lines = []
        return text

    def finish(self):
        self.lines = ["end:"]
        sum_ = "0"
        for name in self.data + self.flow + ["fuel"]:
            scaled = self.emit(f"mul i32 {sum_}, 31")
            sum_ = self.emit(f"add i32 {scaled}, {self.emit(f'load i32, ptr %{name}')}")
        self.do("%last = getelementptr i32, ptr %m, i32 7")
        self.do(f"store i32 {sum_}, ptr %last")
        self.do("ret void")
        return "\n".join(self.lines) + "\n"


def with_meetings(blocks, barrier, vote):
    return blocks.replace("BARRIER", barrier.rstrip()).replace("VOTE", vote.rstrip())


def functions(seed):
    """The graph of a seed as a kernel, and as a function for the host."""
    graph = RandomGraph(seed)
    start, blocks, finish = graph.start(), graph.blocks(), graph.finish()
    kernel = (f"define void @k{seed}(ptr %memory, i32 %n) {{\nentry:\n{DEVICE_START}{start}"
              f"{with_meetings(blocks, DEVICE_BARRIER, DEVICE_VOTE)}{finish}}}\n")
    body = (f"define void @body{seed}(ptr %m, i32 %t, i32 %n) {{\nentry:\n{start}"
            f"{with_meetings(blocks, HOST_MEETING, HOST_MEETING)}{finish}}}\n")
    return kernel, body


def modules(seeds):
    """IR for the device and for the host."""
    kernels, bodies = zip(*(functions(seed) for seed in seeds))
    names = ", ".join(f"!{k}" for k in range(len(kernels)))
    notes = "".join(f'!{k} = !{{ptr @k{seed}, !"kernel", i32 1}}\n' for k, seed in enumerate(seeds))
    device = (TARGET + DECLARATIONS + TOUCH + "".join(kernels) + f"!nvvm.annotations = !{{{names}}}\n" + notes)
    return device, TOUCH + "".join(bodies)
