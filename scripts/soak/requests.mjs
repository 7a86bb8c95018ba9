// The requests of the soak: those that viewers send, by class, and a random tenth that nobody should send.
import { randomNumbers } from '../../test/fixtures/files/random.mjs';

/** Names of the golden images and folders, and names that nothing has. */
const names = [
  'photos/odd1201x799',
  'photos/tiny100x80.jpg',
  'photos/port641x1003',
  'photos/exif6_800x533',
  'photos/cmyk500x400',
  'photos/gray900x675',
  'photos/progressive801x600',
  'png/rgba640x480',
  'png/gray16_400x300',
  'png/bitonal600x848',
  'png/palette512x384',
  'tiff/tiled1500x1001',
  'tiff/g4_1000x1414',
  'tiff/lzw1500x1001',
  'gif/anim0_320x240',
  'sort',
  'books/book1',
  'books/book2/leaf02',
  'names/with space',
  'names/ünïcödé 漢字',
  'names/quote"s',
  'nested/a/b/c/deep',
  'broken/empty',
  'broken/garbage',
  'broken/truncated',
  'broken/wrongext',
  'nosuch',
  '..',
  'photos/..',
  '%2e%2e',
  '',
  '/',
  '\0',
  'a\\b',
  '/etc/passwd',
  '.hidden',
];
const numbers = [
  '0',
  '1',
  '2',
  '17',
  '100',
  '300',
  '0.5',
  '-1',
  '1e9',
  'NaN',
  '',
  'abc',
  '0.001',
  '1e-9',
  '99999999999',
  '１',
];
const options = [
  'fit',
  'crop',
  'fill',
  'squeeze',
  'clip',
  'osize',
  'ascale',
  'hmir',
  'vmir',
  'png',
  'jpg',
  'webp',
  'pxarea',
  'sqarea',
  'hires',
  'lores',
  'errtxt',
  'errcode',
  'file',
  'rawfile',
  'q0',
  'q1',
  'bogus',
  '',
];
const fields = ['dw', 'dh', 'wx', 'wy', 'ww', 'wh', 'rot', 'scale', 'pn', 'ddpi', 'brgt', 'cont', 'ws', 'rgbm', 'rgba'];

/** The side in pixels of the images that are made for the soak, which are large enough for pyramids. */
export const largeSize = { width: 2400, height: 1800 };

/** `count` requests, the same for the same seed: `{ kind, target, method, abortAfterMs }`. */
export function soakRequests(large, count, seed) {
  const random = randomNumbers(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const maybe = (chance, text) => (random() < chance ? text() : '');
  const upTo = (most) => Math.floor(random() * most);

  function digilibQuery() {
    const separator = pick(['&', '&', '&', '&', ';', '&amp;']);
    const parts = [`fn=${encodeURIComponent(pick(names))}`];
    if (random() < 0.8) parts.push(`dw=${Math.floor(20 + random() * 400)}`);
    for (let extra = Math.floor(random() * 4); extra > 0; extra--) parts.push(`${pick(fields)}=${pick(numbers)}`);
    parts.push(maybe(0.5, () => `mo=${pick(options)},${pick(options)}`));
    return parts.filter(Boolean).join(separator);
  }

  const region = () =>
    pick(['full', 'square', '0,0,512,512', '100,50,200,300', 'pct:10,10,50,50', '5000,0,1,1', '0,0,0,0', 'x', '1,2,3']);
  const size = () =>
    pick(['max', 'full', '200,', ',150', '!100,100', '50,80', 'pct:30', '^700,', '0,', '9999999,', 'x', '^']);
  const rotation = () => pick(['0', '90', '!180', '22.5', '360', '361', '-1', 'x']);
  const quality = () => pick(['default.jpg', 'gray.png', 'bitonal.webp', 'color.jpg', 'default.bmp', 'x', '.jpg']);
  const identifier = () => encodeURIComponent(pick(names)).replaceAll('%2F', pick(['!', '%2F', '%2F', '/']));
  const iiifPrefix = () =>
    pick(['/iiif/3', '/iiif/2', '/iiif/1', '/Scaler/IIIF', '/Scaler/IIIF/3', '/servlet/Scaler/IIIF/2', '/iiif/9']);

  const anyOther = [
    () => `/Scaler?${digilibQuery()}`,
    () => `/servlet/Scaler/${encodeURI(pick(names))}?${digilibQuery()}`,
    () => `/api/dlInfo-json.jsp?${digilibQuery()}`,
    () => `/api/dlInfo-json.jsp?${pick(names.slice(0, 5))}+${pick(numbers)}+1+fit`,
    () => `${iiifPrefix()}/${identifier()}/info.json`,
    () => `${iiifPrefix()}/${identifier()}/${region()}/${size()}/${rotation()}/${quality()}`,
    () => `${iiifPrefix()}/${identifier()}`,
    () =>
      `/presentation/${pick(['3', '2', '4'])}/${encodeURI(pick(names))}/${pick(['manifest.json', 'collection.json', 'canvas/x', 'x'])}`,
    () =>
      `/Manifester/IIIF${pick(['', '/2', '/3'])}/${identifier()}${pick(['', '/manifest', '/sequence/default', '/canvas/p1'])}`,
    () =>
      pick([
        '/',
        '/nosuch',
        '/%zz',
        '//',
        '/api/',
        '/Scaler/%C3',
        `/Scaler?${'x=1&'.repeat(200)}`,
        `/Scaler?${'x'.repeat(9000)}`,
      ]),
  ];

  const tileOf = (name) => {
    const factor = pick([1, 1, 2, 4]);
    const side = 512 * factor;
    const [x, y] = [upTo(largeSize.width / side) * side, upTo(largeSize.height / side) * side];
    const [width, height] = [Math.min(side, largeSize.width - x), Math.min(side, largeSize.height - y)];
    return `/iiif/3/${name}/${x},${y},${width},${height}/${Math.ceil(width / factor)},${Math.ceil(height / factor)}/0/default.jpg`;
  };
  const good = names.slice(0, 13).map(encodeURIComponent);

  /** The classes of requests, with their share of a hundred. */
  const classes = [
    ['tiles', 35, () => tileOf(pick(large))],
    [
      'info',
      20,
      () =>
        pick([
          `/api/dlInfo-json.jsp?fn=${pick(good)}&dw=${upTo(900)}`,
          `/iiif/3/${pick([...large, ...good])}/info.json`,
        ]),
    ],
    [
      'thumbnails',
      15,
      () =>
        pick([
          `/iiif/3/${pick([...large, ...good])}/full/!${100 + 20 * upTo(6)},200/0/default.jpg`,
          `/Scaler?fn=${pick(good)}&dw=${80 + 10 * upTo(8)}`,
        ]),
    ],
    [
      'full sizes',
      4,
      () =>
        `/iiif/3/${pick(large)}/full/${pick(['max', 'pct:70', '1600,', '^!2500,2500'])}/0/${pick(['default.jpg', 'gray.png', 'color.webp'])}`,
    ],
    ['originals', 3, () => `/Scaler?fn=${pick(large).replace('!', '/')}&mo=${pick(['file', 'rawfile'])}`],
    [
      'documents',
      8,
      () =>
        pick([
          '/presentation/3/books%2Fbook1/manifest.json',
          '/presentation/2/photos/manifest.json',
          '/Manifester/IIIF/books!book1',
          '/api/folder.json?fn=books/book1',
          '/api/folder.json',
          '/',
        ]),
    ],
    ['any other', 15, () => pick(anyOther)()],
  ];

  function makeRequest() {
    let drawn = random() * 100;
    const below = (share) => {
      drawn -= share;
      return drawn < 0;
    };
    const [kind, , make] = classes.find(([, share]) => below(share)) ?? classes[0];
    const target = make().replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));
    const method = kind === 'any other' ? pick(['GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE']) : 'GET';
    // One request in a hundred is given up by its client before the answer arrives.
    return { kind, target, method, ...(random() < 0.01 ? { abortAfterMs: random() * 20 } : {}) };
  }

  return Array.from({ length: count }, makeRequest);
}
