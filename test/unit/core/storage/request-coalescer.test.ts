import { expect, it } from 'vitest';
import { ImageError } from '../../../../src/core/image/model/errors.ts';
import { RequestCoalescer } from '../../../../src/core/storage/request-coalescer.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

interface Operation {
  readonly key: string;
  readonly resolve: (result: string) => void;
  readonly reject: (error: Error) => void;
}

/** A coalescer with the operations that it has started. */
function createCoalescer() {
  const started: Operation[] = [];
  const coalescer = new RequestCoalescer<string>(
    (key) => new Promise((resolve, reject) => started.push({ key, resolve, reject })),
  );
  return { started, coalescer };
}

it('runs once for all requests of one turn', async () => {
  const { started, coalescer } = createCoalescer();
  const results = [coalescer.run('a'), coalescer.run('b'), coalescer.run('a')];
  await settle();
  expect(started.map(({ key }) => key)).toEqual(['a', 'b']);
  for (const { key, resolve } of started) resolve(`of ${key}`);
  expect(await Promise.all(results)).toEqual(['of a', 'of b', 'of a']);
});

it('gives no request the result of an operation that started before it', async () => {
  const { started, coalescer } = createCoalescer();
  const early = coalescer.run('a');
  await settle();
  const late = [coalescer.run('a'), coalescer.run('a')];
  await settle();
  expect(started).toHaveLength(1);
  started[0]?.resolve('before');
  expect(await early).toBe('before');
  await settle();
  expect(started).toHaveLength(2);
  started[1]?.resolve('after');
  expect(await Promise.all(late)).toEqual(['after', 'after']);
});

it('rejects the requests that share an operation, and runs again for the others', async () => {
  const { started, coalescer } = createCoalescer();
  const early = [coalescer.run('a'), coalescer.run('a')].map((one) => one.catch((error: Error) => error.message));
  await settle();
  const late = coalescer.run('a');
  started[0]?.reject(new Error('broken'));
  expect(await Promise.all(early)).toEqual(['broken', 'broken']);
  await settle();
  started[1]?.resolve('after');
  expect(await late).toBe('after');
});

it('rejects also the waiting requests where an operation had no answer', async () => {
  const { started, coalescer } = createCoalescer();
  const early = coalescer.run('a').catch((error: Error) => error.message);
  await settle();
  const late = coalescer.run('a').catch((error: Error) => error.message);
  started[0]?.reject(new ImageError('disk-late', 'no answer'));
  expect(await Promise.all([early, late])).toEqual(['no answer', 'no answer']);
  const next = coalescer.run('a');
  await settle();
  started[1]?.resolve('again');
  expect(await next).toBe('again');
});
