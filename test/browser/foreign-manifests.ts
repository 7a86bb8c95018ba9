/** Manifests of the other library, in the shapes of the IIIF cookbook, for both versions of Presentation. */
import { imageSize } from './foreign-host.ts';

const context3 = 'http://iiif.io/api/presentation/3/context.json';
const context2 = 'http://iiif.io/api/presentation/2/context.json';

const profiles = {
  1: 'http://library.stanford.edu/iiif/image-api/1.1/compliance.html#level1',
  2: 'http://iiif.io/api/image/2/level1.json',
} as const;

const oldService = (id: string, version: 1 | 2): object => ({
  '@context':
    version === 1
      ? 'http://library.stanford.edu/iiif/image-api/1.1/context.json'
      : 'http://iiif.io/api/image/2/context.json',
  '@id': id,
  profile: profiles[version],
});

export interface Painted {
  readonly label: string;
  readonly body: object | undefined;
  /** The fragment of the canvas that the image covers. */
  readonly part?: string;
  readonly more?: object;
}

const canvas3 = (url: string, { label, body, part = '', more = {} }: Painted, index: number): object => {
  const id = `${url}/3/canvas/${index + 1}`;
  const painting = { id: `${id}/a`, type: 'Annotation', motivation: 'painting', body, target: `${id}${part}` };
  const items = body === undefined ? [] : [{ id: `${id}/page`, type: 'AnnotationPage', items: [painting] }];
  return { id, type: 'Canvas', label: { none: [label] }, ...imageSize, items, ...more };
};

const picture = (address: string, service?: object): object => ({
  id: address,
  type: 'Image',
  format: 'image/png',
  ...imageSize,
  ...(service && { service: [service] }),
});

const service3 = (id: string, profile: string): object => ({ id, type: 'ImageService3', profile });

/** The pages of the book in version 3, by the kinds of their images. */
export const pages3 = (url: string): readonly Painted[] => [
  {
    label: 'cover',
    body: picture(`${url}/iiif/3/one/full/max/0/default.jpg`, service3(`${url}/iiif/3/one`, 'level2')),
  },
  { label: '1r', body: picture(`${url}/iiif/2/two/full/full/0/default.jpg`, oldService(`${url}/iiif/2/two`, 2)) },
  { label: '1v', body: picture(`${url}/static/full/150,113/0/default.jpg`, service3(`${url}/static`, 'level0')) },
  { label: '2r', body: picture(`${url}/pictures/plain.png`) },
  { label: '2v', body: picture(`${url}/iiif/1/old/full/full/0/native.jpg`, oldService(`${url}/iiif/1/old`, 1)) },
  { label: 'sound', body: { id: `${url}/sound.mp3`, type: 'Sound', format: 'audio/mpeg', duration: 9 } },
  { label: 'unshared', body: picture(`${url}/closed/pictures/closed.png`) },
  {
    label: 'part',
    body: { type: 'Choice', items: [picture(`${url}/pictures/plain.png`), picture(`${url}/pictures/one.png`)] },
    part: '#xywh=600,450,600,450',
  },
];

export const manifest3 = (url: string, more: object = {}, pages = pages3(url)): object => ({
  '@context': context3,
  id: `${url}/3/manifest.json`,
  type: 'Manifest',
  label: { en: ['A book of dots'], de: ['Ein Buch der Punkte'] },
  summary: { en: ['Eight <b>pages</b>, each with a dot.'] },
  metadata: [
    { label: { en: ['Author'] }, value: { none: ['<span>Jane &amp; John</span><script>alert(1)</script>'] } },
    { label: { en: ['More'] }, value: { none: ['<a href="https://more.example/book">the catalog</a>'] } },
    { label: { en: ['Bad'] }, value: { none: ['<a href="javascript:alert(1)">press here</a>'] } },
  ],
  requiredStatement: { label: { en: ['Held by'] }, value: { en: ['The Other Library'] } },
  rights: 'http://creativecommons.org/licenses/by/4.0/',
  behavior: ['paged'],
  viewingDirection: 'right-to-left',
  items: pages.map((page, index) => canvas3(url, page, index)),
  structures: [
    {
      id: `${url}/3/range/1`,
      type: 'Range',
      label: { en: ['First part'] },
      items: [
        { id: `${url}/3/canvas/1`, type: 'Canvas' },
        {
          id: `${url}/3/range/2`,
          type: 'Range',
          label: { en: ['Inside of it'] },
          items: [
            { type: 'SpecificResource', source: `${url}/3/canvas/3` },
            { id: `${url}/3/range/1`, type: 'Range' },
          ],
        },
      ],
    },
  ],
  ...more,
});

export const manifest2 = (url: string, more: object = {}): object => ({
  '@context': context2,
  '@id': `${url}/2/manifest.json`,
  '@type': 'sc:Manifest',
  label: { '@value': 'An older book', '@language': 'en' },
  description: 'Two pages.',
  metadata: [
    {
      label: 'Author',
      value: [
        { '@value': 'Jemand', '@language': 'de' },
        { '@value': 'Someone', '@language': 'en' },
      ],
    },
  ],
  attribution: 'The Older Library',
  license: 'http://rightsstatements.org/vocab/InC/1.0/',
  sequences: [
    {
      '@type': 'sc:Sequence',
      viewingHint: 'paged',
      canvases: [
        ['two', 'recto', 2],
        ['old', 'verso', 1],
      ].map(([name, label, version], index) => ({
        '@id': `${url}/2/canvas/${index + 1}`,
        '@type': 'sc:Canvas',
        label,
        ...imageSize,
        images: [
          {
            '@type': 'oa:Annotation',
            motivation: 'sc:painting',
            on: `${url}/2/canvas/${index + 1}`,
            resource: {
              '@id': `${url}/iiif/${version}/${name}/full/full/0/native.jpg`,
              '@type': 'dctypes:Image',
              format: 'image/jpeg',
              ...imageSize,
              service: oldService(`${url}/iiif/${version}/${name}`, version as 1 | 2),
            },
          },
        ],
        ...(index === 0 && { otherContent: [{ '@id': `${url}/2/list.json`, '@type': 'sc:AnnotationList' }] }),
      })),
    },
  ],
  structures: [
    {
      '@id': `${url}/2/range/top`,
      '@type': 'sc:Range',
      label: 'All',
      viewingHint: 'top',
      ranges: [`${url}/2/range/1`],
    },
    { '@id': `${url}/2/range/1`, '@type': 'sc:Range', label: 'Second page', canvases: [`${url}/2/canvas/2`] },
  ],
  ...more,
});
