/** What the codes of file system errors mean. */
import { describe, expect, it, test } from 'vitest';
import { codeOf, ifFound, ifReadable, isSystemError } from '../../../../src/core/storage/file-errors.ts';

const failure = (code: string): Error => Object.assign(new Error(code), { code });

const meanings: readonly (readonly [code: string, found: boolean, readable: boolean])[] = [
  ['ENOENT', false, false],
  ['ENOTDIR', false, false],
  ['EACCES', true, false],
  ['EPERM', true, false],
  ['ELOOP', true, false],
  ['ENAMETOOLONG', true, false],
  ['EINVAL', true, false],
  ['EIO', true, true],
  ['EMFILE', true, true],
  ['ESTALE', true, true],
];

describe.each(meanings)('an operation that rejects with %s', (code, isFailure, isDiskFailure) => {
  it(`is ${isFailure ? 'a failure' : 'undefined'} where only a missing file is expected`, async () => {
    const result = ifFound(Promise.reject(failure(code)));
    await (isFailure ? expect(result).rejects.toThrow(code) : expect(result).resolves.toBeUndefined());
  });

  it(`is ${isDiskFailure ? 'a failure' : 'undefined'} where the path may be invalid or unreadable`, async () => {
    const result = ifReadable(Promise.reject(failure(code)));
    await (isDiskFailure ? expect(result).rejects.toThrow(code) : expect(result).resolves.toBeUndefined());
  });
});

it('an operation that succeeds gives its result', async () => {
  expect([await ifFound(Promise.resolve(1)), await ifReadable(Promise.resolve(2))]).toEqual([1, 2]);
});

test.each<[unknown, string | undefined, boolean]>([
  [failure('ENOSPC'), 'ENOSPC', true],
  [failure('ERR_INVALID_ARG_TYPE'), 'ERR_INVALID_ARG_TYPE', false],
  [new Error('no code'), undefined, false],
  ['ENOENT', undefined, false],
])('the code of %s is %s', (error, code, isOfSystem) => {
  expect([codeOf(error), isSystemError(error)]).toEqual([code, isOfSystem]);
});
