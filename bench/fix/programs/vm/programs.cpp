// SPDX-License-Identifier: Apache-2.0
#include "vm.h"

/* register 0 holds the input; the result is what lies on top of the stack in the end */
static const Instruction collatz[] = {
	{PUSH, 0}, {STORE, 1},
	/* 2 */ {LOAD, 0}, {PUSH, 2}, {LT, 0}, {JZ, 8}, {LOAD, 1}, {HALT, 0},
	/* 8 */ {LOAD, 1}, {PUSH, 1}, {ADD, 0}, {STORE, 1}, {LOAD, 0}, {PUSH, 2}, {MOD, 0}, {JZ, 23},
	/* 16 */ {LOAD, 0}, {PUSH, 3}, {MUL, 0}, {PUSH, 1}, {ADD, 0}, {STORE, 0}, {JMP, 2},
	/* 23 */ {LOAD, 0}, {PUSH, 2}, {DIV, 0}, {STORE, 0}, {JMP, 2},
};

static const Instruction gcd_with_360[] = {
	{PUSH, 360}, {STORE, 1},
	/* 2 */ {LOAD, 1}, {JZ, 12}, {LOAD, 0}, {LOAD, 1}, {MOD, 0}, {LOAD, 1}, {STORE, 0}, {STORE, 1}, {JMP, 2},
	/* 11 */ {HALT, 0},
	/* 12 */ {LOAD, 0}, {HALT, 0},
};

static const Instruction smallest_divisor[] = {
	{PUSH, 2}, {STORE, 1},
	/* 2 */ {LOAD, 1}, {DUP, 0}, {MUL, 0}, {LOAD, 0}, {SWAP, 0}, {LT, 0}, {JZ, 11}, {LOAD, 0}, {HALT, 0},
	/* 11 */ {LOAD, 0}, {LOAD, 1}, {MOD, 0}, {JZ, 20}, {LOAD, 1}, {PUSH, 1}, {ADD, 0}, {STORE, 1}, {JMP, 2},
	/* 20 */ {LOAD, 1}, {HALT, 0},
};

static const Instruction sum_of_digits[] = {
	{PUSH, 0},
	/* 1 */ {LOAD, 0}, {JZ, 11}, {LOAD, 0}, {PUSH, 10}, {MOD, 0}, {ADD, 0}, {LOAD, 0}, {PUSH, 10}, {DIV, 0}, {JMP, 12},
	/* 11 */ {HALT, 0},
	/* 12 */ {STORE, 0}, {JMP, 1},
};

template <int N>
static void append(std::vector<Instruction> &code, std::vector<Program> &programs, const Instruction (&p)[N])
{
	Program entry = {(int)code.size(), N};
	programs.push_back(entry);
	code.insert(code.end(), p, p + N);
}

std::vector<Instruction> all_code(std::vector<Program> &programs)
{
	std::vector<Instruction> code;
	append(code, programs, collatz);
	append(code, programs, gcd_with_360);
	append(code, programs, smallest_divisor);
	append(code, programs, sum_of_digits);
	return code;
}
