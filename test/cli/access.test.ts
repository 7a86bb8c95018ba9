/** The commands `lectern access explain` and `lectern password`. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPassword } from '../../src/features/sign-in/passwords.ts';
import { type CommandResult, runCommand, runInProcess } from './run-command.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-access-'));
const config = path.join(scratch, 'lectern.json');
const images = fileURLToPath(new URL('../fixtures/golden/images/hires', import.meta.url));

beforeAll(() => {
  writeFileSync(path.join(scratch, 'keys'), 'A'.repeat(43));
  writeFileSync(
    path.join(scratch, 'users.xml'),
    '<tomcat-users><user username="anna" password="x" roles="guests"/></tomcat-users>',
  );
  const settings = {
    library: { folders: [images] },
    access: {
      addresses: [{ address: '10.0.0.0/8', roles: ['house'] }],
      tiers: [
        { name: 'medium', maxSide: 100 },
        { name: 'small', maxSide: 50 },
      ],
      claims: [
        { claim: 'groups', value: 'staff', roles: ['members'] },
        { claim: 'email', value: '*@library.example', roles: ['house'] },
      ],
      paths: [
        { path: 'books', roles: ['members', 'guests'] },
        { path: 'books/book2', roles: ['house'] },
        { path: 'png', roles: [] },
        { path: 'photos', roles: ['members'], tiers: [{ tier: 'medium', roles: ['house'] }], everyone: 'small' },
      ],
    },
    signIn: {
      keysFile: 'keys',
      usersFile: 'users.xml',
      provider: { issuer: 'https://login.example', clientId: 'lectern', rolesClaim: 'realm.roles' },
    },
  };
  writeFileSync(config, JSON.stringify(settings));
});
afterAll(() => rmSync(scratch, { recursive: true }));

const explain = (at: string, ...as: readonly string[]): Promise<CommandResult> =>
  runInProcess(['access', 'explain', at, ...as.flatMap((one) => ['--as', one]), '--config', config]);

const photos = 'photos: members, medium for house, small for everyone';

describe('access explain', () => {
  it.each([
    ['books', [], 1, 'none', 'books: members, guests', 'no: You may not see this image. (401)'],
    ['books', ['{"groups":["staff","x"]}'], 0, 'members', 'books: members, guests', 'yes'],
    ['books', ['{"groups":["x"]}'], 1, 'none', 'books: members, guests', 'no: You may not see this image. (403)'],
    ['books', ['{"realm":{"roles":["guests"]}}'], 0, 'guests', 'books: members, guests', 'yes'],
    ['books', ['user:anna'], 0, 'guests', 'books: members, guests', 'yes'],
    ['gif', ['10.1.2.3'], 0, 'house', 'none by path', 'yes'],
    ['photos', ['10.1.2.3'], 0, 'house', photos, 'yes'],
    ['photos/gray900x675.jpg', ['10.1.2.3'], 0, 'house', photos, 'yes, in the tier medium: 100 x 75 pixels'],
    ['photos/gray900x675.jpg', [], 0, 'none', photos, 'yes, in the tier small: 50 x 37 pixels'],
    ['photos/gray900x675.jpg', ['role:members'], 0, 'members', photos, 'yes'],
    ['png', ['role:admin'], 1, 'admin', 'png: nobody', 'no: You may not see this image. (403)'],
    ['books/book2', ['{"email":"a@library.example"}'], 0, 'house', 'books: members, guests; books/book2: house', 'yes'],
    ['nowhere', [], 1, 'none', 'none by path', 'no: There is no image of this name. (404)'],
  ])('of %s for %j ends with %i', async (at, as, code, roles, rules, said) => {
    const result = await explain(at, ...as);
    expect(result.stdout.trimEnd().split('\n')).toEqual([`roles   ${roles}`, `rules   ${rules}`, `access  ${said}`]);
    expect(result.code).toBe(code);
  });

  it('tells what is covered of an image, and what is drawn on it', async () => {
    const library = path.join(scratch, 'library');
    mkdirSync(path.join(library, 'book'), { recursive: true });
    const bytes = readFileSync(path.join(images, 'photos/gray900x675.jpg'));
    for (const name of ['a.jpg', 'b.jpg']) writeFileSync(path.join(library, 'book', name), bytes);
    const regions = '["10,20,30,40", { region: full, roles: archivists }]';
    writeFileSync(path.join(library, 'book/metadata.yaml'), `redactions: { a: ${regions} }`);
    const marked = path.join(scratch, 'marked.json');
    const tiers = [{ name: 'marked', watermark: { text: 'Library', place: 'center' } }];
    const types = [{ type: 'default', roles: ['archivists'], everyone: 'marked' }];
    const settings = { library: { folders: [library] }, access: { rolesHeader: 'x-roles', tiers, types } };
    writeFileSync(marked, JSON.stringify(settings));
    const coversFor = async (name: string, ...as: readonly string[]) => {
      const options = as.flatMap((one) => ['--as', one]);
      const { stdout } = await runInProcess(['access', 'explain', `book/${name}`, ...options, '--config', marked]);
      return /^covers {2}(.*)$/m.exec(stdout)?.[1];
    };
    expect(await coversFor('a.jpg')).toBe('redacted at 10,20,30,40 and 0,0,900,675; a watermark, center');
    expect(await coversFor('a.jpg', 'role:archivists')).toBe('redacted at 10,20,30,40');
    expect(await coversFor('b.jpg', 'role:archivists')).toBeUndefined();
  });

  it.each([
    ['nonsense', 'must be an address, claims as JSON, user:NAME or role:NAME'],
    ['{"groups"', 'the claims must be an object of JSON'],
    ['user:nobody', 'the settings have no user of this name'],
  ])('for %s says what is wrong', async (as, problem) => {
    const { code, stderr } = await explain('books', as);
    expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});

describe('password', () => {
  it('prints a hash of the first line of the input', async () => {
    const { code, stdout, stderr } = await runCommand(['password'], { input: 'langes Passwort\nmore\n' }).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(await isPassword('langes Passwort', stdout.trim())).toBe(true);
    expect(await isPassword('langes Passwort ', stdout.trim())).toBe(false);
  });

  it('refuses a short one', async () => {
    const { code, stderr } = await runCommand(['password'], { input: 'short\n' }).ended;
    expect([code, stderr]).toEqual([2, 'lectern: a password has at least 8 characters\n']);
  });

  it('prints keys of sessions', async () => {
    const keys = [await runInProcess(['password', '--session-key']), await runInProcess(['password', '--session-key'])];
    expect(new Set(keys.map(({ stdout }) => stdout)).size).toBe(2);
    for (const { stdout } of keys) expect(stdout).toMatch(/^[\w-]{43}\n$/);
  });
});
