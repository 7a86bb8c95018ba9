import { expect, it } from 'vitest';
import { hashPassword, isPassword, isPasswordHash } from '../../../../src/features/sign-in/passwords.ts';

it('a password is known by its hash, and no other is', async () => {
  const hash = await hashPassword('Käse & Brot');
  expect(hash).toMatch(/^scrypt:131072:8:1:[\w-]{22}:[\w-]{43}$/);
  expect(await hashPassword('Käse & Brot')).not.toBe(hash);
  expect(await isPassword('Käse & Brot', hash)).toBe(true);
  expect(await isPassword('Käse & Brot'.normalize('NFD'), hash)).toBe(true);
  expect(await isPassword('Kase & Brot', hash)).toBe(false);
  expect(await isPassword('', hash)).toBe(false);
});

const [salt, key] = ['A'.repeat(22), 'B'.repeat(43)];

it.each([
  [`scrypt:16384:8:1:${salt}:${key}`, true],
  [`scrypt:1000:8:1:${salt}:${key}`, false],
  [`scrypt:16777216:8:1:${salt}:${key}`, false],
  [`scrypt:16384:8:99:${salt}:${key}`, false],
  [`scrypt:16384:0:1:${salt}:${key}`, false],
  [`scrypt:16384:8:1::${key}`, false],
  ['secret', false],
])('%s is a hash: %s', (text, expected) => expect(isPasswordHash(text)).toBe(expected));
