import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const compiled = new URL('../../../../dist/cli/serve/keep-tick-shape.js', import.meta.url).href;

/** Prints whether our tick has the hidden class of Node's, and whether another object has it. */
const program = `
  import { createHook } from 'node:async_hooks';
  import { createTick } from '${compiled}';

  let ofNode;
  const hook = createHook({
    init(_id, type, _triggerId, resource) {
      if (type === 'TickObject') ofNode ??= resource;
    },
  }).enable();
  await new Promise((resolve) => process.nextTick(resolve));
  hook.disable();
  console.log(%HaveSameMap(createTick(), ofNode), %HaveSameMap({ args: undefined }, ofNode));
`;

// In a process of its own: V8 replaces hidden classes by others as more code runs.
test.runIf(process.versions.node.startsWith('20.'))('a tick of ours has the hidden class of Node’s', () => {
  const options = ['--allow-natives-syntax', '--input-type=module', '--eval', program];
  expect(execFileSync(process.execPath, options, { encoding: 'utf8' })).toBe('true false\n');
});
