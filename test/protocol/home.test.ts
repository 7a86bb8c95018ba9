import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from './running-app.ts';

const images = fileURLToPath(new URL('../fixtures/golden/images/', import.meta.url));

let app: RunningApp;
let page: string;
beforeAll(async () => {
  app = await startApp({ folders: [path.join(images, 'hires')], contextPath: '/digilib' });
  page = (await app.get('/digilib/')).body.toString();
});
afterAll(() => app.close());

const linksOf = (html: string): readonly string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(([, link = '']) => link.replaceAll('&amp;', '&'))
    .filter((link) => !link.startsWith('data:'));

describe('the start page', () => {
  it('lists the top folders with their counts', () => {
    for (const name of ['books', 'photos', 'names', 'broken', 'empty'])
      expect(page).toContain(`<strong>${name}</strong>`);
    expect(page).toContain('8 images');
    expect(page).toContain('2 folders');
  });

  it('has only links that answer, each below the context path', async () => {
    const links = linksOf(page);
    expect(links.length).toBeGreaterThan(25);
    for (const link of links) {
      const { pathname, search } = new URL(link, `${app.url}/digilib/`);
      expect(pathname).toMatch(/^\/digilib\//);
      // Only decoding tells that the truncated image is one, and the page decodes nothing.
      const expected = link.includes('truncated') && link.startsWith('Scaler') ? 404 : 200;
      expect((await app.get(pathname + search)).status, link).toBe(expected);
    }
  });

  it('is found from the address without its slash, and allows nothing but its own parts', async () => {
    const { status, headers } = await app.get('/digilib');
    expect([status, headers.location]).toEqual([303, '/digilib/']);
    expect((await app.get('/digilib/')).headers['content-security-policy']).toMatch(/^default-src 'none'/);
  });
});
