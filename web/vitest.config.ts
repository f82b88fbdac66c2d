// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

// Two workers at most share the machine with other tests. A test of the page waits for a browser.
export default defineConfig({ test: { testTimeout: 60000, hookTimeout: 60000, pool: 'threads', poolOptions: { threads: { singleThread: true } } } });
