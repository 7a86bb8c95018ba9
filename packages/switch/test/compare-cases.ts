/** The table of comparisons: the responses of the old and the new server, and the cause that is reported. */
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import {
  type FakeAnswer,
  type FakeRoute,
  goldenImage,
  infoObject,
  json,
  scaled,
} from '../../../test/protocol/fake-digilib.ts';
import type { Cause } from '../src/causes.ts';

/** A request, the response of each server, and the expected result of the comparison. */
export interface Row {
  readonly cause: Cause;
  readonly when: string;
  readonly target: string;
  readonly method?: 'GET' | 'HEAD';
  /** The old server’s response, if it is not the one recorded from digilib. */
  readonly old?: FakeRoute;
  /** The old server’s response to the request for the true status. */
  readonly status?: FakeRoute;
  /** The response in place of the new server’s, if any. */
  readonly now?: FakeRoute;
  readonly detail?: string | RegExp;
}

export const scaler = (name: string, rest = '&dw=100'): string => `/Scaler?fn=${name}${rest}`;

const page: FakeAnswer = { type: 'text/html', body: '<p>page</p>' };
const picture = scaled('photos/odd1201x799.jpg', 100, 67);
const statusOnly = (status: number): FakeAnswer => ({ status, type: 'text/html', body: '' });

/** digilib’s gray values: it takes them for linear light and encodes them once more. */
async function tooBright(): Promise<FakeAnswer> {
  const { data, info } = await sharp(goldenImage('photos/gray900x675.jpg'))
    .resize(100, 75)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const curve = (value: number): number => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
  const bright = Buffer.from(data.map((value) => Math.round(255 * curve(value / 255))));
  return {
    type: 'image/jpeg',
    body: await sharp(bright, { raw: { ...info } })
      .jpeg()
      .toBuffer(),
  };
}

const imageInformation = json({
  '@context': 'http://iiif.io/api/image/2/context.json',
  '@id': 'http://digilib.example/digilib/Scaler/IIIF/2/photos!odd1201x799',
  protocol: 'http://iiif.io/api/image',
  width: 1201,
  height: 799,
  profile: ['http://iiif.io/api/image/2/level2.json'],
});

const manifestOf = (sizes: readonly (readonly [number, number])[]): FakeAnswer =>
  json({
    '@context': 'http://iiif.io/api/presentation/2/context.json',
    '@id': 'http://digilib.example/digilib/Manifester/IIIF/books!book2/manifest',
    sequences: [
      { canvases: sizes.map(([width, height], at) => ({ label: `leaf0${at + 1}`, width, height, images: [] })) },
    ],
  });

/** At least one case for each cause, except those that need another server. */
export const rows: readonly Row[] = [
  {
    cause: 'same',
    when: 'a picture is the same but for its compression',
    target: scaler('photos/odd1201x799'),
    old: picture,
  },
  { cause: 'same', when: 'both say 404', target: scaler('photos/nosuch', '&dw=100&mo=errcode') },
  {
    cause: 'same',
    when: 'HEAD of a picture is requested',
    method: 'HEAD',
    target: scaler('photos/odd1201x799', '&dw=101'),
    old: { type: 'image/jpeg', body: '' },
  },
  {
    cause: 'same',
    when: 'the original file is sent',
    target: scaler('photos/tiny100x80', '&mo=file'),
    old: { type: 'image/jpg', body: readFileSync(goldenImage('photos/tiny100x80.jpg')) },
  },
  { cause: 'own-address', when: 'the info object is plain', target: '/api/dlInfo-json.jsp?dw=5' },
  {
    cause: 'own-members',
    when: 'digilib adds a parameter that it does not know',
    target: '/api/dlInfo-json.jsp?zzz=1',
    old: infoObject({ zzz: '1', 'docu.image': 'digilib.io.DocuDirentImpl@77' }),
    detail: 'docu.image: "" instead of "digilib.io.DocuDirentImpl@77"',
  },
  {
    cause: 'image-facts',
    when: 'an image is named',
    target: '/api/dlInfo-json.jsp?fn=photos/land3000x2000.jpg',
    old: infoObject({ fn: 'photos/land3000x2000.jpg' }),
    detail: /^img\./,
  },
  {
    cause: 'image-facts',
    when: 'nothing is named and digilib describes the root',
    target: '/api/dlInfo-json.jsp?dw=8',
    old: infoObject({ dw: '8' }, { 'img.pix_x': '20', 'img.pix_y': '10' }),
  },
  {
    cause: 'other-content',
    when: 'an image has another size',
    target: '/api/dlInfo-json.jsp?fn=photos/odd1201x799',
    old: infoObject({ fn: 'photos/odd1201x799' }, { 'img.pix_x': '20', 'img.pix_y': '10' }),
    detail: 'img.pix_x: "1201" instead of "20"',
  },
  {
    cause: 'number-form',
    when: 'a number is none',
    target: '/api/dlInfo-json.jsp?wx=NaN',
    old: infoObject({ wx: 'NaN' }),
    detail: 'wx: "0.0" instead of "NaN"',
  },
  {
    cause: 'escaped',
    when: 'digilib writes a quote as it is',
    target: '/api/dlInfo-json.jsp?fn=a%22b',
    old: json('{"fn":"a"b"}'),
  },
  {
    cause: 'own-document',
    when: 'info.json says what the server can do',
    target: '/Scaler/IIIF/2/photos!odd1201x799/info.json',
    old: imageInformation,
  },
  {
    cause: 'own-document',
    when: 'a manifest has the same pages under other addresses',
    target: '/Manifester/IIIF/books!book2',
    old: manifestOf([
      [600, 848],
      [600, 848],
      [600, 848],
    ]),
  },
  {
    cause: 'true-status',
    when: 'digilib sends an error picture under 200',
    target: scaler('photos/nosuch'),
    detail: '404 instead of 200, which stands for 404',
  },
  {
    cause: 'true-status',
    when: 'digilib sends an error text under 200',
    target: scaler('photos/nosuch', '&dw=1&mo=errtxt'),
  },
  {
    cause: 'upright',
    when: 'an orientation exchanges the sides',
    target: scaler('photos/exif6_800x533'),
    old: scaled('photos/exif6_800x533.jpg', 100, 67),
    detail: '100x150 instead of 100x67',
  },
  {
    cause: 'upright',
    when: 'info.json has the sides exchanged',
    target: '/Scaler/IIIF/2/photos!exif6_800x533/info.json',
    old: json({
      '@context': 'http://iiif.io/api/image/2/context.json',
      '@id': 'http://digilib.example/digilib/Scaler/IIIF/2/photos!exif6_800x533',
      protocol: 'http://iiif.io/api/image',
      width: 800,
      height: 533,
    }),
  },
  {
    cause: 'factor-ws',
    when: 'ws is given',
    target: scaler('photos/odd1201x799', '&dw=100&ws=2'),
    old: picture,
    detail: '200x133 instead of 100x67',
  },
  { cause: 'gray-values', when: 'digilib scales a gray image', target: scaler('photos/gray900x675'), old: tooBright },
  {
    cause: 'gray-weights',
    when: 'gray is requested',
    target: scaler('photos/odd1201x799', '&dw=100&colop=grayscale'),
    old: scaled('photos/odd1201x799.jpg', 100, 67, (image) => image.grayscale().linear(0.6, 90)),
  },
  {
    cause: 'picture-differs',
    when: 'gray is requested and the response is another image',
    target: scaler('photos/odd1201x799', '&dw=102&colop=GRAYSCALE'),
    old: scaled('photos/odd1201x799.jpg', 102, 68, (image) => image.grayscale().rotate(180)),
    status: page,
  },
  {
    cause: 'missing-old',
    when: 'digilib has no such page',
    target: '/Scaler/IIIF/2/photos!odd1201x799/full/50,/0/default.jpg',
    detail: '200 instead of 404',
  },
  {
    cause: 'missing-old',
    when: 'digilib hides that behind a picture',
    target: scaler('photos/odd1201x799', '&dw=103'),
    detail: '200 instead of 404, as asked with mo=errcode',
  },
  {
    cause: 'denied-old',
    when: 'digilib wants a login',
    target: scaler('photos/port641x1003'),
    status: statusOnly(403),
    detail: '200 instead of 403, as asked with mo=errcode',
  },
  {
    cause: 'other-status',
    when: 'digilib leads elsewhere',
    target: scaler('photos/odd1201x799', '&dw=104'),
    old: { status: 302, type: 'text/html', body: '', headers: { location: 'http://elsewhere.example/' } },
    status: statusOnly(302),
  },
  {
    cause: 'other-content',
    when: 'the original file is another one',
    target: scaler('photos/tiny100x80', '&mo=rawfile'),
    old: { type: 'application/octet-stream', body: 'abc' },
    status: { type: 'application/octet-stream', body: 'abc' },
    detail: /^\d+ bytes instead of 3; SHA-256 [0-9a-f]{12}… instead of ba7816bf8f01…$/,
  },
  {
    cause: 'other-content',
    when: 'a member of the info object is another',
    target: '/api/dlInfo-json.jsp?dw=6',
    old: infoObject({ dw: '7' }),
    detail: 'dw: "6" instead of "7"',
  },
  {
    cause: 'other-content',
    when: 'a page of a manifest has another size',
    target: '/Manifester/IIIF/books!book2/manifest',
    old: manifestOf([
      [600, 848],
      [600, 849],
      [600, 848],
    ]),
    detail: 'sequences > 0 > canvases > 1 > height: 848 instead of 849',
  },
  {
    cause: 'other-content',
    when: 'a page of a manifest is missing',
    target: '/Manifester/IIIF/2/books!book2',
    old: manifestOf([
      [600, 848],
      [600, 848],
    ]),
    detail: 'sequences > 0 > canvases > 2: an object instead of nothing',
  },
  {
    cause: 'picture-differs',
    when: 'another image comes',
    target: scaler('photos/odd1201x799', '&dw=105'),
    old: scaled('photos/progressive801x600.jpg', 105, 70),
    status: page,
    detail: /^\d+\.\d of 255 apart$/,
  },
  {
    cause: 'other-size',
    when: 'the size is another by more than a pixel',
    target: scaler('photos/odd1201x799', '&dw=106'),
    old: scaled('photos/odd1201x799.jpg', 104, 69),
    status: page,
    detail: '106x71 instead of 104x69',
  },
  {
    cause: 'same',
    when: 'the size is another by one pixel',
    target: scaler('photos/odd1201x799', '&dw=107'),
    old: scaled('photos/odd1201x799.jpg', 106, 70),
  },
  {
    cause: 'other-type',
    when: 'digilib sends PNG',
    target: scaler('photos/odd1201x799', '&dw=108'),
    old: { type: 'image/png', body: 'png' },
    status: page,
    detail: 'image/jpeg instead of image/png',
  },
  {
    cause: 'old-failed',
    when: 'digilib says 500',
    target: scaler('photos/odd1201x799', '&dw=109'),
    old: statusOnly(500),
  },
  {
    cause: 'old-failed',
    when: 'digilib does not answer in time',
    target: scaler('photos/odd1201x799', '&dw=110'),
    old: 'hang',
    detail: 'no answer within 5 s; the new server: status 200',
  },
  {
    cause: 'old-failed',
    when: 'digilib cuts the connection',
    target: scaler('photos/odd1201x799', '&dw=111'),
    old: 'cut',
    detail: 'the connection was cut; the new server: status 200',
  },
  { cause: 'both-failed', when: 'both fail', target: '/api/both', old: statusOnly(500), now: 'cut' },
  {
    cause: 'reading-room',
    when: 'a viewer is requested',
    target: '/jquery/digilib.html?fn=photos&pn=2',
    old: page,
  },
  {
    cause: 'page-of-webapp',
    when: 'another page of the web application is requested',
    target: '/jquery/help.html',
    old: page,
  },
  {
    cause: 'page-of-webapp',
    when: 'a style sheet is requested',
    target: '/css/x.css?v=1',
    old: { type: 'text/css', body: 'a{}' },
  },
  {
    cause: 'against-iiif',
    when: 'digilib is lenient',
    target: '/Scaler/IIIF/2/photos!odd1201x799/full/100,/400/default.jpg',
    old: picture,
    detail: '400 instead of 200',
  },
  {
    cause: 'not-made',
    when: 'the new server can’t make the picture',
    target: scaler('photos/scan.jp2'),
    old: picture,
    status: picture,
    now: statusOnly(501),
  },
  {
    cause: 'denied-new',
    when: 'the new server denies it',
    target: scaler('photos/odd1201x799', '&dw=112'),
    old: picture,
    status: page,
    now: statusOnly(403),
  },
  {
    cause: 'missing-new',
    when: 'the new server has no such image',
    target: scaler('photos/only-old'),
    old: picture,
    status: page,
    detail: '404 instead of 200',
  },
  {
    cause: 'new-failed',
    when: 'the new server says 500',
    target: scaler('photos/odd1201x799', '&dw=113'),
    old: picture,
    now: statusOnly(500),
    detail: 'status 500; the old server: status 200',
  },
];
