import { expect, it } from 'vitest';
import { ImageError } from '../../../../src/image/model/errors.ts';
import { RequestCoalescer } from '../../../../src/library/stats/request-coalescer.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

interface Question {
  readonly key: string;
  readonly answer: (answer: string) => void;
  readonly fail: (error: Error) => void;
}

/** Questions that wait to be answered. */
function questions() {
  const asked: Question[] = [];
  const shared = new RequestCoalescer<string>(
    (key) => new Promise((resolve, reject) => asked.push({ key, answer: resolve, fail: reject })),
  );
  return { asked, shared };
}

it('asks once for all who come in one turn', async () => {
  const { asked, shared } = questions();
  const answers = [shared.run('a'), shared.run('b'), shared.run('a')];
  await settle();
  expect(asked.map(({ key }) => key)).toEqual(['a', 'b']);
  for (const { key, answer } of asked) answer(`of ${key}`);
  expect(await Promise.all(answers)).toEqual(['of a', 'of b', 'of a']);
});

it('answers nobody with what was asked before', async () => {
  const { asked, shared } = questions();
  const early = shared.run('a');
  await settle();
  const late = [shared.run('a'), shared.run('a')];
  await settle();
  expect(asked).toHaveLength(1);
  asked[0]?.answer('before');
  expect(await early).toBe('before');
  await settle();
  expect(asked).toHaveLength(2);
  asked[1]?.answer('after');
  expect(await Promise.all(late)).toEqual(['after', 'after']);
});

it('hands an error to those who share the question, and asks anew for the others', async () => {
  const { asked, shared } = questions();
  const early = [shared.run('a'), shared.run('a')].map((one) => one.catch((error: Error) => error.message));
  await settle();
  const late = shared.run('a');
  asked[0]?.fail(new Error('broken'));
  expect(await Promise.all(early)).toEqual(['broken', 'broken']);
  await settle();
  asked[1]?.answer('after');
  expect(await late).toBe('after');
});

it('lets nobody wait for a second question where the first one had no answer', async () => {
  const { asked, shared } = questions();
  const early = shared.run('a').catch((error: Error) => error.message);
  await settle();
  const late = shared.run('a').catch((error: Error) => error.message);
  asked[0]?.fail(new ImageError('overloaded', 'no answer'));
  expect(await Promise.all([early, late])).toEqual(['no answer', 'no answer']);
  const next = shared.run('a');
  await settle();
  asked[1]?.answer('again');
  expect(await next).toBe('again');
});
