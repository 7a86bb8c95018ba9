import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createSealing, parseSessionKeys } from '../../../../src/features/sign-in/sealing.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-sealing-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const newKey = (): string => randomBytes(32).toString('base64url');

function sealingWith(keys: readonly string[]) {
  const file = path.join(scratch, newKey());
  writeFileSync(file, `# of servers\n${keys.join('\n')}\n`);
  return { file, sealing: createSealing(file) };
}

describe('a sealed value', () => {
  it('is opened as it was, whatever it is', async () => {
    const { sealing } = sealingWith([newKey()]);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(await sealing.open('a', await sealing.seal('a', plain))).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });

  it('is opened for its use alone, by a server with its key alone', async () => {
    const { sealing } = sealingWith([newKey()]);
    const text = await sealing.seal('session', { id: 1 });
    expect(await sealing.open('sign-in', text)).toBeUndefined();
    expect(await sealingWith([newKey()]).sealing.open('session', text)).toBeUndefined();
  });

  it('is opened by an older key, and sealed by the newest', async () => {
    const [first, second] = [newKey(), newKey()];
    const { sealing, file } = sealingWith([first]);
    const old = await sealing.seal('a', { id: 1 });
    writeFileSync(file, `${second}\n${first}\n`);
    utimesSync(file, 1, 1);
    expect(await sealing.open('a', old)).toEqual({ id: 1 });
    const text = await sealing.seal('a', { id: 2 });
    expect(await sealingWith([second]).sealing.open('a', text)).toEqual({ id: 2 });
  });

  it('is not opened where any character of it was changed', async () => {
    const { sealing } = sealingWith([newKey()]);
    const text = await sealing.seal('a', { id: 'anna' });
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom('A', 'x', '.', '', '-'), async (at, other) => {
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        // The last digit of base64url has bits that count for nothing.
        if (Buffer.from(changed, 'base64url').equals(Buffer.from(text, 'base64url'))) return;
        expect(await sealing.open('a', changed)).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });
});

describe('a file of keys', () => {
  it.each(['', '# none\n', 'short\n', `${newKey()}\nbroken`, 'A'.repeat(44)])('with %j is refused', (text) =>
    expect(() => parseSessionKeys(text)).toThrow('must have lines of 43 characters'),
  );
});
