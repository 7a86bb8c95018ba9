import { createHook } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createTick } from '../../../../src/cli/serve/keep-tick-shape.ts';

setFlagsFromString('--allow-natives-syntax');
const haveSameHiddenClass: (one: unknown, other: unknown) => boolean = runInNewContext(
  '(one, other) => %HaveSameMap(one, other)',
);

/** The object that Node makes for a call of `process.nextTick`. */
async function tickOfNode(): Promise<object | undefined> {
  let tick: object | undefined;
  const hook = createHook({
    init(_id, type, _triggerId, resource) {
      if (type === 'TickObject') tick ??= resource;
    },
  }).enable();
  await new Promise<void>((resolve) => process.nextTick(resolve));
  hook.disable();
  return tick;
}

test.runIf(process.versions.node.startsWith('20.'))('a tick of ours has the hidden class of Node’s', async () => {
  expect(haveSameHiddenClass(createTick(), await tickOfNode())).toBe(true);
  expect(haveSameHiddenClass({ args: undefined }, await tickOfNode())).toBe(false);
});
