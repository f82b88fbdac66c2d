# SPDX-License-Identifier: Apache-2.0
# Two commands matter: `make demo` and `make test`. Each sets up a fresh Debian 12 machine by itself.

PRESET ?= release
MINUTES ?= 5
PREFIX ?= /usr/local
HEDDLE := build/$(PRESET)/bin/heddle

.PHONY: help setup build install package demo test quick test-clang test-asan check fuzz bench measure format clean

help:
	@echo "make demo    set up, build, show what heddle does"
	@echo "make test    set up, build, run all checks and tests"
	@echo "make quick   build and test what differs from the last commit: a minute for one source file"
	@echo "make test-clang, make test-asan   the tests of a build with clang; units and programs under sanitizers, each with a build of its own"
	@echo "make build   set up and build; the program is $(HEDDLE)"
	@echo "make install build and install below PREFIX ($(PREFIX)), or DESTDIR and PREFIX"
	@echo "make package a Debian package in build/$(PRESET)/"
	@echo "make check   format, tidy, layers, spelling, shell, file sizes"
	@echo "make fuzz    random kernels and graphs, engine against scalar, and before against after rewrites (MINUTES=5)"
	@echo "make bench   the measurements in bench/"
	@echo "make measure the device library and the studies on this machine's GPU"
	@echo "make format  rewrite the sources in the house style"
	@echo "make clean   remove build/"
	@echo "PRESET=dev|release|asan|ci picks the build (default release)"

setup:
	@scripts/setup

build: setup
	@cmake --preset $(PRESET) > build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
	@rm -f build-configure.log
	@cmake --build --preset $(PRESET)

install: build
	@DESTDIR=$(DESTDIR) cmake --install build/$(PRESET) --prefix $(PREFIX)

package: build
	@cd build/$(PRESET) && cpack -G DEB

demo: build
	@scripts/demo $(HEDDLE)

test: build
	@scripts/check build/$(PRESET)
	@ctest --preset $(PRESET)

quick:
	@scripts/quick build/$(PRESET)

# What does not fit beside `make test`: two more builds of everything. Meant for the night.
test-clang:
	@$(MAKE) build PRESET=ci
	@ctest --preset ci -L 'unit|programs|cli|golden|error|rewrite'

test-asan:
	@$(MAKE) build PRESET=asan
	@ctest --preset asan -L 'unit|programs'

check: build
	@scripts/check build/$(PRESET)

fuzz: build
	@test/fuzz/fuzz_kernels $(HEDDLE) --minutes $(MINUTES) --seed $$(date +%s)
	@test/fuzz/fuzz_graphs $(HEDDLE) --minutes $(MINUTES) --seed $$(date +%s)
	@test/fuzz/fuzz_rewrites $(HEDDLE) --minutes $(MINUTES) --seed $$(date +%s)

bench: build
	@scripts/bench build/$(PRESET)

measure:
	@scripts/measure programs

format: setup
	@scripts/format

clean:
	rm -rf build
