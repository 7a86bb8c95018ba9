// The operations that select the image, size, area, mode, resolution, mirroring and rotation, and format.

const photo = 'fn=objects/photo-rotated';
const chart = 'fn=maps/coast-pyramid';
const coin = 'fn=objects/coin';
const sign = `${photo}&wx=0.12&wy=0.4&ww=0.24&wh=0.32`;
const rose = 'wx=0.44&wy=0.58';
const letters = `${photo}&wx=0.18&wy=0.57&ww=0.05&wh=0.05&dw=320`;

/** An entry with one picture, in the file `file`. */
const one = (shows, file, query, text, more = {}) => ({ shows, text, pictures: [{ file, query }], ...more });

const image = {
  title: 'The image',
  intro: `The examples show images of the bundled samples: a photograph (1200 × 900 pixels), a chart (4000 × 3000), a coin that is
transparent around its edge (900 × 900) and a page of a book (1200 × 1700).`,
  entries: [
    one(
      ['fn'],
      'photo',
      `${photo}&dw=320`,
      'With or without the extension. The path can also follow the servlet’s name: <code>/Scaler/objects/photo-rotated?dw=320</code>.',
    ),
    one(['pn'], 'page', 'fn=herbal&pn=4&dw=170', 'Counted among the folder’s image files, sorted by name.'),
  ],
};

const size = {
  title: 'Size',
  intro:
    'A call needs <code>dw</code> or <code>dh</code>, except with <code>mo=ascale</code>. The result has at least 2 pixels on each side.',
  entries: [
    one(['dw'], 'width', `${photo}&dw=240`, 'The height follows: 240 · 900 / 1200 = 180.'),
    one(['dh'], 'height', `${photo}&dh=120`, 'The width follows: 120 · 1200 / 900 = 160. With both, the mode decides.'),
    one(
      ['ws'],
      'factor',
      `${photo}&dw=160&ws=1.5`,
      'width = <code>dw</code> · <code>ws</code>, height = <code>dh</code> · <code>ws</code>, rounded.',
    ),
    {
      shows: ['mo=deny_upscale'],
      text: 'Here 60 pixels of the photograph would become 320.',
      refused: `${letters}&mo=deny_upscale,errtxt`,
    },
  ],
};

const area = {
  title: 'Area',
  intro: `Fractions become pixels of the resolution that is read: x = <code>wx</code> · width, and so on, each rounded half up.
The area is cut at the image’s edge, and the result shrinks with it.`,
  entries: [
    one(
      ['wx', 'wy', 'ww', 'wh'],
      'area',
      `${photo}&wx=0.08&wy=0.4&ww=0.32&wh=0.32&dw=320`,
      'The corner at 8 % of the width and 40 % of the height; 32 % wide and high.',
    ),
    one(
      ['mo=pxarea'],
      'pixel-area',
      `${chart}&wx=1930&wy=1875&ww=640&wh=480&dw=320&mo=pxarea`,
      'Here 640 × 480 pixels of 4000 × 3000.',
    ),
    one(
      ['mo=sqarea'],
      'square-area',
      `${photo}&dw=240&mo=sqarea`,
      'side = min(width, height). <code>wx</code>, <code>wy</code>, <code>ww</code>, <code>wh</code> have no effect.',
    ),
    one(
      ['wx', 'ww'],
      'area-cut',
      `${photo}&wx=0.7&wy=0.4&ww=0.6&wh=0.32&dw=320`,
      'Half of the area lies beyond the right edge, so half of the 320 pixels are left.',
    ),
  ],
};

const modes = {
  title: 'Modes',
  intro: `How the area becomes <code>dw</code> × <code>dh</code>. The first four calls request the same square area of 288 × 288 pixels
as 320 × 160. If several modes are given, the first of fit, squeeze, clip, osize, ascale counts.`,
  entries: [
    one(
      ['mo=fit'],
      'fit',
      `${sign}&dw=320&dh=160&mo=fit`,
      'factor = min(<code>dw</code> / area width, <code>dh</code> / area height). Nothing is cut, nothing added.',
    ),
    one(
      ['mo=crop'],
      'crop',
      `${sign}&dw=320&dh=160&mo=crop`,
      'factor = max(<code>dw</code> / area width, <code>dh</code> / area height). Here the top and the bottom are cut.',
    ),
    one(
      ['mo=fill'],
      'fill',
      `${sign}&dw=320&dh=160&mo=fill`,
      'factor = min(<code>dw</code> / area width, <code>dh</code> / area height). Here the area is extended to the left and the right.',
    ),
    one(
      ['mo=squeeze'],
      'squeeze',
      `${sign}&dw=320&dh=160&mo=squeeze`,
      'factor x = <code>dw</code> / area width, factor y = <code>dh</code> / area height.',
    ),
    one(
      ['mo=clip'],
      'clip',
      `${photo}&wx=0.09&wy=0.42&dw=320&dh=240&mo=clip`,
      'factor = 1. <code>ww</code> and <code>wh</code> have no effect.',
    ),
    one(
      ['mo=osize', 'ddpi'],
      'true-size',
      `${chart}&${rose}&dw=320&dh=240&mo=osize&ddpi=96`,
      'factor = 96 / 300: an inch of the chart is an inch of the screen. The area starts at <code>wx</code>, <code>wy</code> and is as large as <code>dw</code> / factor, <code>dh</code> / factor. The image has to say its own resolution.',
    ),
    one(
      ['ddpix', 'ddpiy'],
      'true-size-axes',
      `${chart}&${rose}&dw=320&dh=160&mo=osize&ddpix=96&ddpiy=48`,
      'factor x = 96 / 300, factor y = 48 / 300: for a display whose pixels are not square.',
    ),
    one(
      ['mo=ascale', 'scale'],
      'factor-absolute',
      `${chart}&${rose}&dw=320&dh=240&mo=ascale&scale=0.2`,
      'factor = 0.2, whichever resolution is read. The area starts at <code>wx</code>, <code>wy</code> and is <code>dw</code> / <code>scale</code> × <code>dh</code> / <code>scale</code>; without <code>dw</code> and <code>dh</code> these are the selected area’s own pixels.',
    ),
  ],
};

const resolutions = {
  title: 'Resolution that is read',
  intro: `If the library has prescaled versions, the smallest is read whose width or height reaches
<code>dw</code> / <code>ww</code> or <code>dh</code> / <code>wh</code>. Here the photograph has a version of 300 × 225 pixels, and the call needs 800.`,
  entries: [
    one(
      ['mo=autores', 'mo=hires'],
      'resolution-sufficient',
      `${photo}&wx=0.08&wy=0.4&ww=0.4&wh=0.4&dw=320&mo=hires`,
      'Both read 1200 × 900 here. For the whole at <code>dw=300</code>, <code>autores</code> would read the small version and <code>hires</code> the large one.',
      { library: 'prescaled' },
    ),
    one(
      ['mo=lores'],
      'resolution-lower',
      `${photo}&wx=0.08&wy=0.4&ww=0.4&wh=0.4&dw=320&mo=lores`,
      'Reads 300 × 225 and enlarges it: quick and soft.',
      { library: 'prescaled' },
    ),
  ],
};

const quality = {
  title: 'Interpolation',
  intro: '60 × 45 pixels of the signpost, enlarged to 320 × 240.',
  entries: [
    one(['mo=q0'], 'quality-0', `${letters}&mo=q0`, 'The nearest pixel.'),
    one(['mo=q1'], 'quality-1', `${letters}&mo=q1`, 'Linear, between 2 × 2 pixels.'),
    one(['mo=q2'], 'quality-2', `${letters}&mo=q2`, 'Cubic, between 4 × 4 pixels.'),
    one(['mo=q3'], 'quality-3', `${letters}&mo=q3`, 'Lanczos, between 6 × 6 pixels.'),
  ],
};

const turning = {
  title: 'Mirroring and rotation',
  intro:
    'First left to right, then top to bottom, then the angle. Quarter turns exchange width and height without loss.',
  entries: [
    one(['mo=hmir'], 'mirror-left-right', `${photo}&dw=320&mo=hmir`, 'x′ = width − 1 − x.'),
    one(['mo=vmir'], 'mirror-top-bottom', `${photo}&dw=320&mo=vmir`, 'y′ = height − 1 − y.'),
    one(['rot'], 'rotation-quarter', `${photo}&dw=240&rot=90`, 'By 90°, 180° and 270° without loss.'),
    one(
      ['rot', 'mo=hmir'],
      'mirror-then-rotation',
      `${photo}&dw=240&mo=hmir&rot=90`,
      'Mirrored first, then turned: the arrow still points to the right.',
    ),
    one(
      ['rot'],
      'rotation-clear',
      `${photo}&dw=260&rot=15&mo=webp`,
      'At any other angle the canvas grows: width′ = w · |cos| + h · |sin|, height′ = w · |sin| + h · |cos|. The corners are transparent in PNG and WebP …',
    ),
    one(['rot'], 'rotation-black', `${photo}&dw=260&rot=15&mo=jpg`, '… and black in JPEG.'),
  ],
};

const formats = {
  title: 'Format',
  columns: 3,
  intro: 'Without an option, JPEG and JPEG 2000 sources give JPEG, all others PNG.',
  entries: [
    one(['mo=png'], 'format-png', `${coin}&dw=200&mo=png`, 'Without loss, with transparency.'),
    one(['mo=webp'], 'format-webp', `${coin}&dw=200&mo=webp`, 'Small, with transparency.'),
    one(['mo=jpg'], 'format-jpg', `${coin}&dw=200&mo=jpg`, 'Small. Transparent pixels become white.'),
  ],
};

export const framingSections = [image, size, area, modes, resolutions, quality, turning, formats];
