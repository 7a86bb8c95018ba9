// What becomes of digilib's rules for finding images and for access, and the tests that show it.
import { shownBy } from './evidence.mjs';
import { differs, setting, works } from './status.mjs';

const authFile = 'test/unit/config/digilib-config/auth-file.test.ts';
const access = 'test/protocol/access.test.ts';
const scaler = 'test/protocol/scaler.test.ts';

/** Feature, status, test. */
export const libraryRows = [
  ['list of base directories, prescaled versions', works, shownBy(scaler, "await length('&dw=1501')")],
  [
    'names with, without or with another extension; `pn`',
    works,
    shownBy(scaler, "'/Scaler?fn=photos/tiny100x80.tif&dw=50'"),
  ],
  [
    '`..`, NUL, backslash in a path',
    differs(
      'names nothing, and no list has such a file, though `pn` counts it; digilib serves images one level above its base directory',
    ),
    shownBy('test/protocol/survive-names.test.ts', "'plain%00.jpg'"),
  ],
  [
    'virtual directories (`digilib-map.xml`)',
    works,
    shownBy('test/unit/config/digilib-config/read.test.ts', '<mapping link="old" dir="photos"/>'),
  ],
  [
    '`.meta` files, `index.meta`, also one folder up',
    differs('each fact comes from the nearest file that states it; dpi, contexts, access, title'),
    shownBy('test/unit/core/library/metadata/image-metadata.test.ts', "['two folders up', 'index.meta'"),
  ],
  [
    'symbolic links',
    differs(`those that lead out of the folders are left out, unless ${setting('library.followLinksOutside')} is set`),
    shownBy('test/protocol/survive-files.test.ts', 'followLinksOutside: true'),
  ],
  [
    'pages inside of multi-page files',
    differs('`file.tif;2`; digilib shows the first page only'),
    shownBy('test/unit/core/library/metadata/image-metadata.test.ts', "'books/one/leaf.tif;2'"),
  ],
  ['JPEG 2000', works, shownBy('test/pixels/jpeg2000-decoding.test.ts', 'decodeWithOpj(')],
  [
    'EXIF orientation',
    differs(`applied, unless ${setting('library.orientation')} is \`ignore\``),
    shownBy('test/protocol/golden.test.ts', "'scaler-path-053'"),
  ],
  [
    'ICC profiles',
    differs(`converted to sRGB, unless ${setting('render.profiles')} is \`keep\``),
    shownBy('test/pixels/profiles.test.ts', 'dw=45&brgt=20&mo='),
  ],
];

/** Feature, status, test. */
export const accessRows = [
  ['`IpAuthnOps`: roles by address', `${works}; CIDR ranges too`, shownBy(authFile, "['IpAuthnOps', 'PathAuthzOps'")],
  [
    '`OpenIdAuthnOps`: roles by ID token',
    differs('issuer, audience, expiry and signature are all required; keys also from a JWKS address'),
    shownBy(authFile, "['OpenIdAuthnOps', 'PathAuthzOps'"),
  ],
  ['`IpOpenIdAuthnOps`', works, shownBy(authFile, "['IpOpenIdAuthnOps', 'MetaAccessAuthzOps'")],
  [
    '`IpServletAuthnOps`: container logins',
    differs(`a trusted proxy names the roles in a header, ${setting('access.rolesHeader')}`),
    shownBy(access, "'x-roles': 'guests, staffer'"),
  ],
  [
    '`PathAuthzOps`: roles by path',
    differs('no spelling or link circumvents a rule'),
    shownBy(access, "'open/../secret/hidden.jpg'"),
  ],
  [
    '`MetaAccessAuthzOps`: roles by access type',
    differs('a type that no rule lists is closed unless there is a `default`; digilib opens it'),
    shownBy(authFile, "'authzops-class': 'digilib.auth.MetaAccessAuthzOps'"),
  ],
  [
    'information endpoints',
    differs('tell nothing about an image before the caller is admitted'),
    shownBy(access, "'typed/closed.jpg'"),
  ],
];

const limits = 'test/protocol/survive-limits.test.ts';

/** What the Image API says where servers differ. */
export const imageApiRows = [
  [
    'any region and size',
    differs(
      'pixel k of n shows exactly [a + k(b - a)/n, a + (k + 1)(b - a)/n) of the region from a to b (3.0, section 4)',
    ),
    shownBy('test/pixels/letter.test.ts', "describe('every level, composed of its tiles"),
  ],
  [
    '`!w,h` where the region is smaller',
    differs('the region’s own size, since without `^` nothing is enlarged (3.0, section 4.2)'),
    shownBy('test/unit/core/image/plan/region-framing.test.ts', "['full', '!3000,3000'"),
  ],
  [
    '`max`, `^max`',
    differs('`max` never enlarges; `^max` enlarges up to the limits of info.json (3.0, section 4.2)'),
    shownBy(limits, "'iiif/3/plain.jpg/full/^max/0/default.jpg'"),
  ],
  [
    'how far `^` enlarges',
    differs(
      `to 4 times the image’s sides, unless ${setting('limits.maxUpscale')} says otherwise; the specification has no member for a factor, so info.json tells it as \`maxWidth\` and \`maxHeight\` of each image, or the lesser limits that are set (3.0, section 5.2)`,
    ),
    shownBy(limits, '"maxWidth": 240'),
  ],
];

const viewers = 'test/viewers/exported-notes.test.ts';
const searching = 'test/viewers/content-search.test.ts';

/** What other viewers show of what the server gives: viewer with the version that was tried, what, test. */
export const viewerRows = [
  [
    'Mirador 4.0.0',
    'annotations of a page, through the manifests of versions 3 and 2: points, boxes and polygons on their spots, within 3 pixels of the screen; texts and tags in its list',
    shownBy(viewers, 'describe(`Mirador'),
  ],
  [
    'Mirador 4.0.0',
    'searches texts by Content Search 1.0 with autocomplete, through the manifests of versions 3 and 2: a list of hits with the text around them, the next hit, boxes on the words, within 3 pixels of the screen',
    shownBy(searching, 'describe(`Mirador'),
  ],
  [
    'Universal Viewer 4.4.0',
    'the same, with the pages of hits in its thumbnails and on its line of pages in place of a list',
    shownBy(searching, 'describe(`Universal Viewer'),
  ],
  [
    'OpenSeadragon 6.1.1',
    'the same as overlays at the boxes and points of the annotations',
    shownBy(viewers, "it('shows exported notes on their spots, as overlays"),
  ],
  [
    'Annotorious 3.8.10 on OpenSeadragon 6.1.1',
    'the same, drawn by Annotorious',
    shownBy(viewers, 'it(`shows exported notes on their spots with Annotorious'),
  ],
];
