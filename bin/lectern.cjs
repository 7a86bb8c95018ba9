#!/usr/bin/env node
// Sizes libuv's thread pool before anything starts it (sharp's jobs and file reads share it), then runs the command.
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(64, require('node:os').availableParallelism() * 4));
import('../dist/cli/main.js').then(
  ({ main }) => main(process.argv),
  (error) => {
    console.error(`lectern: not built or not complete (${error.message}). Run: npm run build`);
    process.exitCode = 1;
  },
);
