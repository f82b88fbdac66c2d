// SPDX-License-Identifier: Apache-2.0
// A stack machine on the GPU: each thread interprets one of the programs with an input of its own.
#include <iostream>
#include <cstdlib>
#include <cuda_runtime.h>
#include "vm.h"

struct Outcome {
	int value;
	int steps;  // -1: a fault, or the limit was reached
};

__host__ __device__ Outcome interpret(const Instruction *code, int length, int input)
{
	int stack[STACK_SIZE], reg[REGISTERS] = {input, 0, 0, 0};
	int sp = 0, pc = 0, steps = 0, t;
	Outcome bad = {0, -1};
	while (steps < STEP_LIMIT) {
		if (pc < 0 || pc >= length || sp > STACK_SIZE - 2)
			return bad;
		Instruction in = code[pc++];
		steps++;
		switch (in.op) {
		case PUSH:
			stack[sp++] = in.arg;
			break;
		case ADD:
			sp--;
			stack[sp - 1] += stack[sp];
			break;
		case SUB:
			sp--;
			stack[sp - 1] -= stack[sp];
			break;
		case MUL:
			sp--;
			stack[sp - 1] *= stack[sp];
			break;
		case DIV:
			sp--;
			if (stack[sp] == 0)
				return bad;
			stack[sp - 1] /= stack[sp];
			break;
		case MOD:
			sp--;
			if (stack[sp] == 0)
				return bad;
			stack[sp - 1] %= stack[sp];
			break;
		case DUP:
			stack[sp] = stack[sp - 1];
			sp++;
			break;
		case SWAP:
			t = stack[sp - 1];
			stack[sp - 1] = stack[sp - 2];
			stack[sp - 2] = t;
			break;
		case OVER:
			stack[sp] = stack[sp - 2];
			sp++;
			break;
		case POP:
			sp--;
			break;
		case LOAD:
			stack[sp++] = reg[in.arg];
			break;
		case STORE:
			reg[in.arg] = stack[--sp];
			break;
		case JMP:
			pc = in.arg;
			break;
		case JZ:
			if (stack[--sp] == 0)
				pc = in.arg;
			break;
		case LT:
			sp--;
			stack[sp - 1] = stack[sp - 1] < stack[sp];
			break;
		case EQ:
			sp--;
			stack[sp - 1] = stack[sp - 1] == stack[sp];
			break;
		case HALT: {
			Outcome o = {sp > 0 ? stack[sp - 1] : 0, steps};
			return o;
		}
		default:
			return bad;
		}
	}
	return bad;
}

__global__ void run(const Instruction *code, const Program *programs, int kinds, const int *input, Outcome *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	Program p = programs[i % kinds];
	out[i] = interpret(code + p.start, p.length, input[i]);
}

#define DO(x) if ((x) != cudaSuccess) { std::cerr << "failed: " #x << std::endl; return EXIT_FAILURE; }

int main()
{
	std::vector<Program> programs;
	std::vector<Instruction> code = all_code(programs);
	const int n = 2000;
	std::vector<int> input(n);
	for (int i = 0; i < n; i++)
		input[i] = 3 + (i * 2654435u + i / 7) % 3000;

	Instruction *d_code;
	Program *d_programs;
	int *d_input;
	Outcome *d_out;
	DO(cudaMalloc(&d_code, code.size() * sizeof(Instruction)));
	DO(cudaMalloc(&d_programs, programs.size() * sizeof(Program)));
	DO(cudaMalloc(&d_input, n * sizeof(int)));
	DO(cudaMalloc(&d_out, n * sizeof(Outcome)));
	DO(cudaMemcpy(d_code, code.data(), code.size() * sizeof(Instruction), cudaMemcpyHostToDevice));
	DO(cudaMemcpy(d_programs, programs.data(), programs.size() * sizeof(Program), cudaMemcpyHostToDevice));
	DO(cudaMemcpy(d_input, input.data(), n * sizeof(int), cudaMemcpyHostToDevice));
	run<<<(n + 127) / 128, 128>>>(d_code, d_programs, (int)programs.size(), d_input, d_out, n);
	std::vector<Outcome> out(n);
	DO(cudaMemcpy(out.data(), d_out, n * sizeof(Outcome), cudaMemcpyDeviceToHost));

	long long sums[8] = {0}, steps = 0;
	int wrong = 0, faults = 0;
	for (int i = 0; i < n; i++) {
		const Program &p = programs[i % programs.size()];
		Outcome o = interpret(&code[p.start], p.length, input[i]);
		if (o.value != out[i].value || o.steps != out[i].steps)
			wrong++;
		if (o.steps < 0)
			faults++;
		else
			steps += o.steps;
		sums[i % programs.size()] += out[i].value;
	}
	std::cout << "sums:";
	for (size_t k = 0; k < programs.size(); k++)
		std::cout << " " << sums[k];
	std::cout << "\n" << steps << " steps, " << faults << " faults, " << wrong << " wrong" << std::endl;
	cudaFree(d_code);
	cudaFree(d_programs);
	cudaFree(d_input);
	cudaFree(d_out);
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
