// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

// A test of the page waits for a browser most of the time, so files run two at a time. More would not leave the machine to other tests.
export default defineConfig({ test: { testTimeout: 240000, hookTimeout: 60000, pool: 'threads', poolOptions: { threads: { minThreads: 1, maxThreads: 2 } } } });
