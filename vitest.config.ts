import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // What a command keeps for its user stays out of the cache of the one who runs the tests.
    env: { XDG_CACHE_HOME: path.join(tmpdir(), 'lectern-test-cache') },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
