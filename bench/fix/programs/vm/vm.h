// SPDX-License-Identifier: Apache-2.0
#ifndef VM_H
#define VM_H
#include <vector>

enum Opcode { PUSH, ADD, SUB, MUL, DIV, MOD, DUP, SWAP, OVER, POP, LOAD, STORE, JMP, JZ, LT, EQ, HALT };

const int STACK_SIZE = 16;
const int REGISTERS = 4;
const int STEP_LIMIT = 4000;

struct Instruction {
	int op;
	int arg;
};

struct Program {
	int start, length;
};

// programs.cpp: the code of all programs in one array
std::vector<Instruction> all_code(std::vector<Program> &programs);

#endif
