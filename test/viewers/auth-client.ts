/** The client of Authorization Flow 2.0 by Tom Crane, which is fetched in the run (`scripts/test-viewers.mjs`) and never copied. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css',
  '.png': 'image/png',
};

const folder = process.env['LECTERN_TEST_AUTH_CLIENT'];

const isThere = folder !== undefined && existsSync(path.join(folder, 'auth-probe-only.js'));

/** Throws where there is no checkout of it. */
export function requireAuthClient(): void {
  if (isThere) return;
  throw new Error(
    'The client of Authorization Flow 2.0 was not run: LECTERN_TEST_AUTH_CLIENT names no checkout of github.com/tomcrane/iiif-auth-client.',
  );
}

/** Its files at `/client/…`; none where there is no checkout of it. */
export function authClientFiles(): Readonly<Record<string, { readonly type: string; readonly body: Buffer }>> {
  if (!isThere) return {};
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const served = names.filter((name) => types[path.extname(name)] !== undefined);
  return Object.fromEntries(
    served.map((name) => [
      `/client/${name.replaceAll(path.sep, '/')}`,
      { type: types[path.extname(name)] ?? '', body: readFileSync(path.join(folder, name)) },
    ]),
  );
}
