/** `robots.txt` says what a site wishes, leaves plain pages open, and closes addresses of which there is no end. */
import { describe, expect, it } from 'vitest';
import { robotsText } from '../../../../../src/features/reading-room/pages/robots.ts';
import { mayVisit } from '../../../../robots-reader.ts';

const places = { base: 'https://library.example/books/', iiifPrefix: 'IIIF' };
const all = robotsText({ allow: 'all' }, places);

describe('addresses for every robot', () => {
  it.each([
    '',
    'browse/herbal',
    'browse/herbal?from=101',
    'view/herbal/page-001.jpg',
    'view/full/0,0,10,10',
    'view/comparison/embed',
    'digilib.html?fn=herbal/page-001',
    'embedded.html?fn=herbal/page-001',
    'Scaler?fn=herbal/page-001&dw=800',
    'iiif/3/herbal!page-001/info.json',
    'iiif/3/herbal!page-001/full/1200,800/0/default.jpg',
    'iiif/2/a,b,c,d/full/max/0/default.jpg',
    'Scaler/IIIF/herbal!page-001/full/max/0/default.jpg',
    'presentation/3/herbal/manifest.json',
    'activity/all-changes.json',
    'activity/page-0.json',
    'dataset/herbal.zip',
    'sitemap.xml',
    'sitemap-part.xml?folder=herbal&from=0',
    'api/folder.json?fn=herbal',
    'room/index.js',
  ])('%s is open', (address) => expect(mayVisit(all, 'AnyBot', `/books/${address}`)).toBe(true));

  it.each([
    'embed/herbal/page-001.jpg',
    'embed?manifest=https://iiif.example/m.json',
    'compare',
    'compare?fn=a&fn=b',
    'light-table',
    'light-table?1=0/0/10,,a.png',
    'view?fn=herbal/page-001&pn=3',
    'view?manifest=https://iiif.example/m.json',
    'view/herbal/page-001.jpg?wx=0.1&wy=0.1&ww=0.2&wh=0.2',
    'view/herbal?pn=3',
    'digilib.html?fn=herbal/page-001&wx=0.2&wy=0.1&ww=0.2&wh=0.2',
    'Scaler?wh=0.5&fn=herbal/page-001&dw=800',
    'browse/?q=rose',
    'browse/herbal?from=101&q=rose',
    'browse/herbal?layout=table&columns=4',
    'browse/herbal?from=25&layout=table',
    'api/search.json?fn=&q=rose',
    'iiif/3/herbal!page-001/0,0,512,512/512,/0/default.jpg',
    'iiif/3/herbal!page-001/pct:10,10,20,20/max/0/default.jpg',
    'iiif/3/herbal!page-001/full/max/90/default.jpg',
    'iiif/3/herbal!page-001/full/max/0/gray.png',
    'Scaler/IIIF/herbal!page-001/0,0,512,512/512,/0/default.jpg',
    'servlet/Scaler/IIIF/herbal!page-001/square/max/0/default.jpg',
  ])('%s is closed', (address) => expect(mayVisit(all, 'AnyBot', `/books/${address}`)).toBe(false));

  it('say nothing of what is outside of the base', () => expect(mayVisit(all, 'AnyBot', '/compare')).toBe(true));

  it('are followed by the sitemap', () =>
    expect(all).toMatch(/\n\nSitemap: https:\/\/library\.example\/books\/sitemap\.xml\n$/));
});

it('robots that gather what models are trained with are kept out by name, and no others', () => {
  const training = { date: '2026-11-26', names: ['GPTBot', 'Kangaroo Bot'] };
  const text = robotsText({ allow: 'all-but-training', training }, places);
  for (const name of training.names) expect(mayVisit(text, name, '/books/view/herbal/page-001.jpg')).toBe(false);
  expect(mayVisit(text, 'Googlebot', '/books/view/herbal/page-001.jpg')).toBe(true);
  expect(mayVisit(text, 'Googlebot', '/books/compare')).toBe(false);
  expect(text).toContain('is of 2026-11-26.');
});

it('nobody is asked in, without a sitemap, where the site wishes so', () =>
  expect(robotsText({ allow: 'none' }, places)).toBe('User-agent: *\nDisallow: /books/\n'));

it('a site’s own lines stand as they are, with the sitemap', () =>
  expect(robotsText({ allow: 'own-lines', lines: ['User-agent: *', 'Crawl-delay: 10', 'Disallow:'] }, places)).toBe(
    'User-agent: *\nCrawl-delay: 10\nDisallow:\n\nSitemap: https://library.example/books/sitemap.xml\n',
  ));
