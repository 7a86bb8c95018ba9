/** A site's own units of length: the response for the reading room, and the error for an invalid file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp } from './running-app.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-units-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (text: string): string => {
  const file = path.join(folder, 'units.json');
  writeFileSync(file, text);
  return file;
};

describe('a site’s own units', () => {
  it('are an empty list if none are configured', async () => {
    const app = await startApp({ http: { contextPath: '/digilib' } });
    const { status, headers, body } = await app.get('/digilib/api/units.json');
    await app.close();
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(body.toString())).toEqual({ units: [] });
  });

  it('are sent as in the file, with 304 to a matching If-None-Match', async () => {
    const units = write('{ "units": [{ "name": "Elle", "place": "Ulm", "meters": 0.568, "source": "a book" }] }');
    const app = await startApp({ readingRoom: { units } });
    const first = await app.get('/api/units.json');
    const again = await app.get('/api/units.json', { headers: { 'if-none-match': String(first.headers['etag']) } });
    await app.close();
    const elle = { name: 'Elle', place: 'Ulm', meters: 0.568, source: 'a book' };
    expect(JSON.parse(first.body.toString())).toEqual({ units: [elle] });
    expect(again.status).toBe(304);
  });

  it.each([
    ['{ "units": [{ "name": "Elle" }] }', 'units: Unit 1 (“Elle”) needs “meters”, a number above 0.'],
    ['Elle', 'units: The file of units is no JSON object.'],
  ])('in an invalid file prevent the start, with a message: %s', async (text, sentence) => {
    await expect(startApp({ readingRoom: { units: write(text) } })).rejects.toThrow(sentence);
  });
});
