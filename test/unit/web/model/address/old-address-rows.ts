/** Addresses of digilib's viewers with their routes and the addresses that the reading room writes for them. */
import type { Route } from '../../../../../web/src/model/address/routes.ts';
import { plainColor, plainView, type ViewState } from '../../../../../web/src/model/view-state.ts';

export interface OldAddress {
  /** Below the base, as the browser has it. */
  readonly address: string;
  readonly route: Route;
  /** The address that the reading room writes for the route. */
  readonly current: string;
}

const view = (fn: string, changes: Partial<ViewState> = {}): Route => ({
  kind: 'view',
  state: { ...plainView(fn), ...changes },
  embedded: false,
});

const embedded = (fn: string, changes: Partial<ViewState> = {}): Route => ({
  kind: 'view',
  state: { ...plainView(fn), ...changes },
  embedded: true,
});

type Table = Extract<Route, { readonly kind: 'table' }>;

const table = (folder: string, changes: Partial<Table> = {}): Route => ({
  kind: 'table',
  folder,
  from: 1,
  columns: 4,
  rows: 5,
  operations: [],
  ...changes,
});

const color = (changes: Partial<ViewState['color']>): Partial<ViewState> => ({ color: { ...plainColor, ...changes } });

const row = (address: string, route: Route, current: string): OldAddress => ({ address, route, current });

/** Every page that digilib has been shipped with, at several context paths. */
const pages: readonly OldAddress[] = [
  row('digilib.html?fn=maps/a', view('maps/a'), 'view/maps/a'),
  row('jquery/digilib.html?fn=maps/a&pn=2', view('maps/a', { pn: 2 }), 'view/maps/a?pn=2'),
  row('embedded.html?fn=maps/a', embedded('maps/a'), 'embed/maps/a'),
  row('jquery/digicat.html?fn=maps', table('maps'), 'browse/maps?layout=table&columns=4&rows=5'),
  row('digicat.html?fn=maps', table('maps', { columns: 6, rows: 4 }), 'browse/maps?layout=table&columns=6&rows=4'),
  row('digicat.jsp?fn=maps', table('maps', { columns: 6, rows: 4 }), 'browse/maps?layout=table&columns=6&rows=4'),
  row('greyskin/digilib.html?fn=maps/a', view('maps/a'), 'view/maps/a'),
  row('greyskin/diginew.jsp?fn=maps/a', view('maps/a'), 'view/maps/a'),
  row('oldskin/digilib.html?fn=maps/a', view('maps/a'), 'view/maps/a'),
  row('oldskin/digilib.jsp?fn=maps/a', view('maps/a'), 'view/maps/a'),
  row('oldskin/digimage.jsp?fn=maps/a', view('maps/a'), 'view/maps/a'),
  row('oldskin/digicat.jsp?fn=m&mx=3x2', table('m', { columns: 3, rows: 2 }), 'browse/m?layout=table&columns=3&rows=2'),
  row('digitallibrary/digilib.html?fn=maps/a', view('maps/a'), 'view/maps/a'),
  row('digitallibrary/jquery/digilib.html?fn=maps/a', view('maps/a'), 'view/maps/a'),
  row('libraries/digilib/jquery/digicat.html?fn=m', table('m'), 'browse/m?layout=table&columns=4&rows=5'),
  row('a/b/c/embedded.html?fn=m&pn=3', embedded('m', { pn: 3 }), 'embed/m?pn=3'),
  row('digilib.html', view(''), 'view/'),
  row('digilib.html?pn=4', view('', { pn: 4 }), 'view/?pn=4'),
];

/** Names of images. */
const names: readonly OldAddress[] = [
  row(
    'digilib.html?fn=/permanent/library/X1/pageimg&pn=7',
    view('permanent/library/X1/pageimg', { pn: 7 }),
    'view/permanent/library/X1/pageimg?pn=7',
  ),
  row('digilib.html?fn=%2Fexperimental%2Fmaps%2F', view('experimental/maps'), 'view/experimental/maps'),
  row('digilib.html?fn=B%C3%BCcher/Tafel+1.tif', view('Bücher/Tafel 1.tif'), 'view/B%C3%BCcher/Tafel%201.tif'),
  row('digilib.html?fn=a//b/./c', view('a/b/c'), 'view/a/b/c'),
  row('digilib.html?fn=who%3F+100%25%23.jpg', view('who? 100%#.jpg'), 'view/who%3F%20100%25%23.jpg'),
  row('digilib.html?fn=x&fn=y', view('y'), 'view/y'),
  row('digilib.html?fn=a%FFb', view('a\uFFFDb'), 'view/a%EF%BF%BDb'),
  row('digilib.html?fn=../secret', view('../secret'), 'view/?fn=../secret'),
  row('digilib.html?fn=scan.tif;2', view('scan.tif;2'), 'view/scan.tif;2'),
];

/** Regions. */
const regions: readonly OldAddress[] = [
  row(
    'digilib.html?fn=a&wx=0.25&wy=0.5&ww=0.5&wh=0.25',
    view('a', { region: { x: 0.25, y: 0.5, width: 0.5, height: 0.25 } }),
    'view/a?wx=0.25&wy=0.5&ww=0.5&wh=0.25',
  ),
  row(
    'digilib.html?fn=a&wx=.1234&ww=.5',
    view('a', { region: { x: 0.1234, y: 0, width: 0.5, height: 1 } }),
    'view/a?wx=0.1234&ww=0.5',
  ),
  row('digilib.html?fn=a&wx=0.0&wy=0.0&ww=1.0&wh=1.0', view('a'), 'view/a'),
  row('digilib.html?fn=a&wx=left&ww=', view('a'), 'view/a'),
  row('digilib.html?fn=a&ww=0&wh=-1', view('a'), 'view/a'),
  row(
    'digilib.html?fn=a&wx=1e-1&wy=0.5f',
    view('a', { region: { x: 0.1, y: 0.5, width: 1, height: 1 } }),
    'view/a?wx=0.1&wy=0.5',
  ),
  row('digilib.html?fn=a&wx=0.2&wx=0.3', view('a', { region: { x: 0.3, y: 0, width: 1, height: 1 } }), 'view/a?wx=0.3'),
];

/** Orientation, scale and quality. */
const modes: readonly OldAddress[] = [
  row('digilib.html?fn=a&rot=90', view('a', { rotation: 90 }), 'view/a?rot=90'),
  row('digilib.html?fn=a&rot=-90', view('a', { rotation: 270 }), 'view/a?rot=270'),
  row('digilib.html?fn=a&rot=360.0', view('a'), 'view/a'),
  row(
    'digilib.html?fn=a&rot=12.5&mo=hmir',
    view('a', { rotation: 12.5, mirror: { horizontal: true, vertical: false } }),
    'view/a?rot=12.5&mo=hmir',
  ),
  row('digilib.html?fn=a&mo=fit,vmir', view('a', { mirror: { horizontal: false, vertical: true } }), 'view/a?mo=vmir'),
  row(
    'digilib.html?fn=a&mo=vmir,hmir,q2',
    view('a', { mirror: { horizontal: true, vertical: true }, quality: 2 }),
    'view/a?mo=hmir,vmir,q2',
  ),
  row('digilib.html?fn=a&mo=q0', view('a', { quality: 0 }), 'view/a?mo=q0'),
  row(
    'digilib.html?fn=a&mo=clip&wx=0.1&wy=0.2&ww=0.3&wh=0.4',
    view('a', { mode: 'pixels', region: { x: 0.1, y: 0.2, width: 1, height: 1 } }),
    'view/a?wx=0.1&wy=0.2&mo=clip',
  ),
  row(
    'digilib.html?fn=a&mo=osize&ddpi=96.5&ww=0.3',
    view('a', { mode: 'true-size', ddpi: 96.5 }),
    'view/a?mo=osize&ddpi=96.5',
  ),
  row('digilib.html?fn=a&mo=osize', view('a', { mode: 'true-size' }), 'view/a?mo=osize'),
  row('digilib.html?fn=a&mo=fit,lpic', view('a', { options: ['lpic'] }), 'view/a?mo=lpic'),
  row(
    'digilib.html?fn=a&mo=hires%2Cpng%2Chmir',
    view('a', { mirror: { horizontal: true, vertical: false }, options: ['hires', 'png'] }),
    'view/a?mo=hmir,hires,png',
  ),
  row('digilib.html?fn=a&ddpi=0', view('a'), 'view/a'),
  row('digilib.html?fn=a&ws=1.0', view('a'), 'view/a'),
  row('digilib.html?fn=a&ws=2.5', view('a', { unknown: [['ws', '2.5']] }), 'view/a?ws=2.5'),
];

const colors: readonly OldAddress[] = [
  row(
    'digilib.html?fn=a&cont=1&brgt=-127',
    view('a', color({ contrast: 1, brightness: -127 })),
    'view/a?cont=1&brgt=-127',
  ),
  row('digilib.html?fn=a&cont=-0.5', view('a', color({ contrast: -0.5 })), 'view/a?cont=-0.5'),
  row(
    'digilib.html?fn=a&rgbm=0.5/0/-0.5&rgba=10/20/-30',
    view('a', color({ multiply: [0.5, 0, -0.5], add: [10, 20, -30] })),
    'view/a?rgbm=0.5/0/-0.5&rgba=10/20/-30',
  ),
  row('digilib.html?fn=a&rgbm=1%2F2%2F3', view('a', color({ multiply: [1, 2, 3] })), 'view/a?rgbm=1/2/3'),
  row('digilib.html?fn=a&rgbm=1/2&rgba=1/2/3/4', view('a'), 'view/a'),
  row('digilib.html?fn=a&colop=grayscale', view('a', color({ operation: 'GRAYSCALE' })), 'view/a?colop=GRAYSCALE'),
  row(
    'digilib.html?fn=a&colop=MAP_GRAY_BGR',
    view('a', color({ operation: 'MAP_GRAY_BGR' })),
    'view/a?colop=MAP_GRAY_BGR',
  ),
  row('digilib.html?fn=a&colop=SEPIA', view('a'), 'view/a'),
  row('digilib.html?fn=a&cont=high&brgt=', view('a'), 'view/a'),
];

const places: readonly OldAddress[] = [
  row('digilib.html?fn=a&mk=0.5/0.5', view('a', { marks: [{ x: 0.5, y: 0.5 }] }), 'view/a?mk=0.5/0.5'),
  row(
    'digilib.html?fn=a&mk=0.1/0.2,0.3/0.4',
    view('a', {
      marks: [
        { x: 0.1, y: 0.2 },
        { x: 0.3, y: 0.4 },
      ],
    }),
    'view/a?mk=0.1/0.2,0.3/0.4',
  ),
  row(
    'digilib.html?fn=a&mk=0.1/0.2;0.3/0.4&pn=2',
    view('a', {
      pn: 2,
      marks: [
        { x: 0.1, y: 0.2 },
        { x: 0.3, y: 0.4 },
      ],
    }),
    'view/a?pn=2&mk=0.1/0.2,0.3/0.4',
  ),
  row(
    'digilib.html?fn=a&mk=0.5%2F0.5%2C0.1%2F0.9',
    view('a', {
      marks: [
        { x: 0.5, y: 0.5 },
        { x: 0.1, y: 0.9 },
      ],
    }),
    'view/a?mk=0.5/0.5,0.1/0.9',
  ),
  row('digilib.html?fn=a&mk=0.5,,x/y,0.1/0.9', view('a', { marks: [{ x: 0.1, y: 0.9 }] }), 'view/a?mk=0.1/0.9'),
  row('digilib.html?fn=a&mk=-0.1/1.5', view('a', { marks: [{ x: -0.1, y: 1.5 }] }), 'view/a?mk=-0.1/1.5'),
  row(
    'digilib.html?fn=a&rg=0.1/0.2/0.3/0.4,0.5/0.5/0.1/0.1',
    view('a', {
      rectangles: [
        { x: 0.1, y: 0.2, width: 0.3, height: 0.4 },
        { x: 0.5, y: 0.5, width: 0.1, height: 0.1 },
      ],
    }),
    'view/a?rg=0.1/0.2/0.3/0.4,0.5/0.5/0.1/0.1',
  ),
  row('digilib.html?fn=a&rg=0.1/0.2/0.3', view('a'), 'view/a'),
];

/** Parameters that pass through, and those that do not. */
const others: readonly OldAddress[] = [
  row('digilib.html?fn=a&dw=800&dh=600&pt=120', view('a'), 'view/a'),
  row(
    'digilib.html?fn=a&clop=x&vocab=y',
    view('a', {
      unknown: [
        ['clop', 'x'],
        ['vocab', 'y'],
      ],
    }),
    'view/a?clop=x&vocab=y',
  ),
  row(
    'digilib.html?fn=a&viewMode=a+b&u=h%3D1',
    view('a', {
      unknown: [
        ['viewMode', 'a b'],
        ['u', 'h=1'],
      ],
    }),
    'view/a?viewMode=a%20b&u=h%3D1',
  ),
  row('digilib.html?fn=a&u=h=1', view('a', { unknown: [['u', 'h=1']] }), 'view/a?u=h%3D1'),
  row(
    'digilib.html?fn=a&ddpix=90&ddpiy=91',
    view('a', {
      unknown: [
        ['ddpix', '90'],
        ['ddpiy', '91'],
      ],
    }),
    'view/a?ddpix=90&ddpiy=91',
  ),
  row('digilib.html?fn=a&id_token=x.y.z&ID_TOKEN=q', view('a'), 'view/a'),
  row('jquery/digilib.html?fn=a&pn=3#id_token=x.y.z', view('a', { pn: 3 }), 'view/a?pn=3'),
  row('digilib.html?fn=a&amp;pn=3&amp;rot=5', view('a', { pn: 3, rotation: 5 }), 'view/a?pn=3&rot=5'),
  row('digilib.html?fn=a&pn=0', view('a'), 'view/a'),
  row('digilib.html?fn=a&pn=2.5', view('a'), 'view/a'),
];

/** The positional form. */
const positional: readonly OldAddress[] = [
  row('jquery/digilib.html?maps/a+3', view('maps/a', { pn: 3 }), 'view/maps/a?pn=3'),
  row('oldskin/digilib.jsp?/maps/a++1.5', view('maps/a', { unknown: [['ws', '1.5']] }), 'view/maps/a?ws=1.5'),
  row(
    'digilib.jsp?a+2+1+hmir+0.5/0.5;0.1/0.2+0.1+0.2+0.3+0.4',
    view('a', {
      pn: 2,
      mirror: { horizontal: true, vertical: false },
      marks: [
        { x: 0.5, y: 0.5 },
        { x: 0.1, y: 0.2 },
      ],
      region: { x: 0.1, y: 0.2, width: 0.3, height: 0.4 },
    }),
    'view/a?pn=2&wx=0.1&wy=0.2&ww=0.3&wh=0.4&mo=hmir&mk=0.5/0.5,0.1/0.2',
  ),
  row('digilib.jsp?B%C3%BCcher%2Fa+4++fit', view('Bücher/a', { pn: 4 }), 'view/B%C3%BCcher/a?pn=4'),
  row('embedded.html?maps+5', embedded('maps', { pn: 5 }), 'embed/maps?pn=5'),
];

const sheets: readonly OldAddress[] = [
  row('jquery/digicat.html?fn=m&pg=3', table('m', { from: 41 }), 'browse/m?layout=table&from=41&columns=4&rows=5'),
  row(
    'jquery/digicat.html?fn=m&pg=2&rows=3&cols=7',
    table('m', { from: 22, columns: 7, rows: 3 }),
    'browse/m?layout=table&from=22&columns=7&rows=3',
  ),
  row(
    'jquery/digicat.html?fn=m&pn=9&mx=2x2&rot=90&mo=hmir',
    table('m', {
      operations: [
        ['rot', '90'],
        ['mo', 'hmir'],
      ],
    }),
    'browse/m?layout=table&columns=4&rows=5&rot=90&mo=hmir',
  ),
  row(
    'jquery/digicat.html?fn=m&wx=0.1&ww=0.5&colop=INVERT&pt=9&dw=3',
    table('m', {
      operations: [
        ['wx', '0.1'],
        ['ww', '0.5'],
        ['colop', 'INVERT'],
      ],
    }),
    'browse/m?layout=table&columns=4&rows=5&wx=0.1&ww=0.5&colop=INVERT',
  ),
  row(
    'oldskin/digicat.jsp?fn=m&pn=25',
    table('m', { from: 25, columns: 6, rows: 4 }),
    'browse/m?layout=table&from=25&columns=6&rows=4',
  ),
  row(
    'digicat.html?fn=m&pn=25&mx=8x3',
    table('m', { from: 25, columns: 8, rows: 3 }),
    'browse/m?layout=table&from=25&columns=8&rows=3',
  ),
  row(
    'digicat.html?fn=x&pg=2',
    table('x', { from: 25, columns: 6, rows: 4 }),
    'browse/x?layout=table&from=25&columns=6&rows=4',
  ),
  row(
    'digicat.jsp?fn=x&pg=3&pn=7&mx=2x2',
    table('x', { from: 7, columns: 2, rows: 2 }),
    'browse/x?layout=table&from=7&columns=2&rows=2',
  ),
  row('digicat.html?fn=m&mx=500', table('m', { columns: undefined, rows: undefined }), 'browse/m?layout=table'),
  row(
    'digicat.jsp?m+13',
    table('m', { from: 13, columns: 6, rows: 4 }),
    'browse/m?layout=table&from=13&columns=6&rows=4',
  ),
  row('jquery/digicat.html', table(''), 'browse/?layout=table&columns=4&rows=5'),
];

export const oldAddresses: readonly OldAddress[] = [
  ...pages,
  ...names,
  ...regions,
  ...modes,
  ...colors,
  ...places,
  ...others,
  ...positional,
  ...sheets,
];
