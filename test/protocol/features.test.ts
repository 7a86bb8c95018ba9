/** Features that are left out: their addresses are gone, all others answer, and nothing of them is loaded. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileErrors, validate } from '@readme/openapi-parser';
import { afterAll, describe, expect, it } from 'vitest';
import { features, loadFeatures } from '../../src/app/features.ts';
import { featureNames, settingsSchema } from '../../src/app/settings/settings.ts';
import { coreSettings } from '../../src/config/core-settings.ts';
import { exampleRequest, operationsOf, readDescription } from './openapi-reader.ts';
import { type RunningApp, startApp } from './running-app.ts';

/** An address of each feature, answered 200 by a server that has it. */
const addresses: Readonly<Record<(typeof featureNames)[number], string>> = {
  // It has an address for notifications alone.
  catalogue: '/catalogue/events',
  'sign-in': '/sign-in',
  'iiif-auth': '/iiif-auth/logout',
  // It has no address, but settings and metrics.
  audit: '/metrics',
  // It has an address for new links alone.
  'signed-links': '/api/links',
  // It has no address, but a number in the metrics.
  shield: '/metrics',
  // It has an address for what has changed alone.
  purge: '/api/purge',
  'iiif-image': '/iiif/3/books!book1!page0001.jpg/info.json',
  digilib: '/Scaler?fn=books/book1&dw=20',
  texts: '/Texter?fn=nowhere',
  // The samples have neither sound nor video.
  media: '/media/nowhere.mp3',
  // The samples have no guided views.
  tours: '/tours/nowhere.tour.json',
  search: '/api/search.json?q=page',
  documents: '/api/pdf.json?fn=books/book1',
  presentation: '/presentation/3/books/book1/manifest.json',
  discovery: '/activity/all-changes.json',
  'reading-room': '/browse',
  duty: '/admin/costs.json',
  operations: '/healthz',
};

/** Digilib's Texter answers 404 where there is no text, in words of its own. */
const isThere = async (app: RunningApp, feature: (typeof featureNames)[number]): Promise<boolean> => {
  if (feature === 'catalogue') return (await app.get(addresses[feature], { method: 'POST' })).status === 401;
  if (feature === 'audit')
    return (await app.get(addresses[feature])).body.toString().includes('lectern_audit_lines_total');
  if (feature === 'signed-links' || feature === 'purge')
    return (await app.get(addresses[feature], { method: 'POST' })).status === 403;
  const { status, body } = await app.get(addresses[feature]);
  if (feature === 'media') return body.toString().includes('no file of sound or video');
  if (feature === 'tours') return body.toString().includes('no guided views');
  if (feature === 'shield') return body.toString().includes('lectern_pictures_made_for_total');
  return feature === 'texts' ? body.toString().startsWith('Text-File not found') : status < 400;
};

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-features-'));
const eventsTokenFile = path.join(scratch, 'token');
writeFileSync(eventsTokenFile, 'token');
const keysFile = path.join(scratch, 'keys');
writeFileSync(keysFile, 'A'.repeat(43));
const linkKeysFile = path.join(scratch, 'link-keys');
writeFileSync(linkKeysFile, `one ${'A'.repeat(43)}`);
const usersFile = path.join(scratch, 'users.xml');
writeFileSync(usersFile, '<tomcat-users/>');

const opened: RunningApp[] = [];
afterAll(async () => {
  for (const app of opened) await app.close();
  rmSync(scratch, { recursive: true });
});

async function start(withoutFeatures: readonly string[]): Promise<RunningApp> {
  const app = await startApp({
    withoutFeatures: [...withoutFeatures] as (typeof featureNames)[number][],
    // Nothing answers there, which changes nothing for folders.
    catalogue: { postgres: 'postgres://lectern@127.0.0.1:1/none', eventsTokenFile },
    signIn: { keysFile, usersFile },
    signedLinks: { keysFile: linkKeysFile },
    purge: { targets: [{ name: 'none', template: 'varnish', address: 'http://127.0.0.1:1/' }], watch: false },
  });
  opened.push(app);
  return app;
}

describe('a server without a feature', () => {
  it('can leave out each of those in the list', () =>
    expect(features.map(({ name }) => name)).toEqual([...featureNames]));

  it('has the settings of the core and those that the features name, and no others', async () => {
    const own = (await loadFeatures([])).map(({ settings }) => settings);
    const { withoutFeatures: _names, ...groups } = settingsSchema.shape;
    expect(groups).toEqual(Object.assign({}, coreSettings, ...own));
  });

  it.each(featureNames)('%s answers the addresses of all others, and none of its own', async (left) => {
    const app = await start([left]);
    // The Texter is digilib’s, with the files of texts; tokens of IIIF stand for sessions; numbers in the metrics have a page; and
    // without manifests nothing changes of them.
    const needs: Readonly<Record<string, string>> = {
      texts: 'digilib',
      'iiif-auth': 'sign-in',
      audit: 'operations',
      discovery: 'presentation',
      shield: 'operations',
    };
    const others = featureNames.filter((name) => name !== left && needs[name] !== left);
    expect(await isThere(app, left)).toBe(false);
    for (const name of others) expect(await isThere(app, name), name).toBe(true);
  });

  it.each(featureNames)('%s describes only addresses that it has', async (left) => {
    const app = await start([left]);
    const text = (await app.get('/openapi.json')).body.toString();
    const result = await validate(JSON.parse(text));
    expect(result.valid ? '' : compileErrors(result)).toBe('');
    for (const [template, operation] of operationsOf(await readDescription(text))) {
      const { status, body } = await app.get(exampleRequest(template, operation));
      expect(`${status} ${body.toString()}`, template).not.toMatch(/^404 There is nothing at this address/);
    }
  });

  it('does without all of them', async () => {
    const app = await start(featureNames);
    for (const name of featureNames) expect(await isThere(app, name), name).toBe(false);
    expect((await app.get('/openapi.json')).status).toBe(200);
  });

  it('names no manifest, PDF or search that it does not have', async () => {
    const app = await start(['presentation', 'documents', 'search']);
    expect((await app.get(addresses['iiif-image'])).body.toString()).not.toContain('partOf');
    const other = await start(['documents', 'search']);
    const manifest = (await other.get(addresses.presentation)).body.toString();
    expect(manifest).not.toMatch(/\.pdf"|SearchService/);
  });
});

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => `src/${file.replaceAll(path.sep, '/')}`);

/** The files that are loaded with each: neither types nor what is loaded later. */
const imports = new Map(
  sources.map((file) => {
    const statements = readFileSync(path.join(root, file), 'utf8').matchAll(
      /^(?:import|export) (?:(type )?[^;]*?from )?'(\.[^']+)';$/gms,
    );
    return [
      file,
      [...statements].flatMap(([, type, name = '']) =>
        type === undefined ? [path.posix.join(path.posix.dirname(file), name)] : [],
      ),
    ] as const;
  }),
);

describe('what is loaded', () => {
  it.each(featureNames)('of %s is loaded by nothing but the list of features', (name) => {
    const folder = `src/features/${name}/`;
    const outside = [...imports].filter(([file]) => !file.startsWith(folder) && !file.startsWith('src/cli/'));
    const isOwn = (target: string): boolean => target.startsWith(folder) && !target.endsWith('-settings.ts');
    const users = outside.filter(([, targets]) => targets.some(isOwn));
    // The process that indexes texts, which the search starts, is a program of its own.
    expect(users.map(([file]) => file).filter((file) => file !== 'src/app/run-indexing.ts')).toEqual([]);
  });
});
