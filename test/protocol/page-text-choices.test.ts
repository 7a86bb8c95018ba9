/** Several texts of a page: a transcription, its translations, the same words in other formats; each by its key. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { altoOf, jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import { type RunningApp, startApp } from './running-app.ts';

let library: LibraryFolder;
let app: RunningApp;

beforeAll(async () => {
  library = makeLibraryFolder();
  const page = await jpegOf(1000, 1500);
  for (const name of ['several', 'several.fr', 'single', 'translated', 'untagged'])
    library.write(`book/${name}.jpg`, page);
  library.write('book/alto/several.xml', altoOf([['Rosa', 100, 200, 80, 40]]));
  library.write('book/several.txt', 'Rosa');
  library.write('book/several.de.txt', 'Die Rose');
  library.write('book/txt/several.de.txt', 'Eine Rose');
  library.write('book/several.en.alto.xml', altoOf([['rose', 100, 200, 80, 40]]));
  // The text of another scan, and what is no language.
  library.write('book/several.fr.txt', 'La rose');
  library.write('book/several.jpg.txt', 'Rosa alba');
  library.write('book/several.log.txt', 'nothing');
  library.write('book/single.txt', 'One');
  library.write('book/translated.la.txt', 'Rosa rubra');
  library.write('partly/page.jpg', page);
  library.write('partly/page.txt', 'Rosa');
  library.write('partly/txt/page.de.txt', 'Die Rose');
  library.write('partly/txt/page.en.txt', 'The rose');
  app = await startApp({
    library: { folders: [library.root] },
    access: { paths: [{ path: 'partly/txt', roles: ['staff'] }], rolesHeader: 'x-roles' },
    http: { trustedProxies: ['127.0.0.1'] },
  });
});
afterAll(async () => {
  await app.close();
  library.remove();
});

const jsonOf = async (name: string, key?: string) => {
  const { status, body } = await app.get(`/api/text/${name}.json${key === undefined ? '' : `?text=${key}`}`);
  return { status, answer: JSON.parse(body.toString()) };
};

const plainOf = async (name: string, key: string) => {
  const { status, body } = await app.get(`/api/text/${name}.txt?text=${key}`);
  return status === 200 ? body.toString() : status;
};

describe('the texts of a page', () => {
  it('are all named by the answer, that with places first, with the languages of their names', async () => {
    const { answer } = await jsonOf('book/several.jpg');
    expect(answer.source.format).toBe('alto');
    expect(answer.texts).toEqual([
      { key: 'alto', format: 'alto', name: 'several.xml' },
      { key: 'plain', format: 'plain', name: 'several.txt' },
      { key: 'plain-2', format: 'plain', name: 'several.jpg.txt' },
      { key: 'en', format: 'alto', name: 'several.en.alto.xml', language: 'en' },
      { key: 'de', format: 'plain', name: 'several.de.txt', language: 'de' },
      { key: 'de-2', format: 'plain', name: 'several.de.txt', language: 'de' },
    ]);
  });

  it('are not named where there is one', async () => {
    expect((await jsonOf('book/single.jpg')).answer).not.toHaveProperty('texts');
  });

  it('are sent by their keys, in the language of their names', async () => {
    expect(await plainOf('book/several.jpg', 'de')).toBe('Die Rose\n');
    expect(await plainOf('book/several.jpg', 'de-2')).toBe('Eine Rose\n');
    const { answer } = await jsonOf('book/several.jpg', 'de');
    expect([answer.language, answer.source.name, answer.texts.length]).toEqual(['de', 'several.de.txt', 6]);
    const file = await app.get('/api/text/book/several.jpg.xml?text=en');
    expect(file.body.toString()).toContain('CONTENT="rose"');
  });

  it('are answered 404 by other keys', async () => {
    expect(await plainOf('book/several.jpg', 'fr')).toBe(404);
    expect((await jsonOf('book/single.jpg', '../book/several')).status).toBe(404);
  });

  it('are not named, and not sent, to those who may not see their files', async () => {
    const { answer } = await jsonOf('partly/page.jpg');
    expect(answer).not.toHaveProperty('texts');
    expect(await plainOf('partly/page.jpg', 'de')).toBe(404);
    const headers = { 'x-roles': 'staff' };
    const seen = JSON.parse((await app.get('/api/text/partly/page.jpg.json', { headers })).body.toString());
    expect(seen.texts.map(({ key }: { key: string }) => key)).toEqual(['plain', 'de', 'en']);
    expect((await app.get('/api/text/partly/page.jpg.txt?text=de', { headers })).body.toString()).toBe('Die Rose\n');
  });

  it('are the text of the page where no other is there', async () => {
    const { status, answer } = await jsonOf('book/translated.jpg');
    expect([status, answer.language]).toEqual([200, 'la']);
    const listing = await app.get('/api/folder.json?fn=book');
    const cards = JSON.parse(listing.body.toString()).images as { name: string; hasText: boolean }[];
    expect(cards.filter(({ hasText }) => hasText).map(({ name }) => name)).toEqual([
      'several.fr.jpg',
      'several.jpg',
      'single.jpg',
      'translated.jpg',
    ]);
  });
});
