/** What digilib reads from an address: the endpoint, and the parameters of its query in all forms. */

/** The kind of resource at an address below the context path. */
export type Endpoint =
  | 'scaler'
  | 'iiif-image'
  | 'iiif-info'
  | 'manifest'
  | 'info-object'
  | 'image-info'
  | 'folder-info'
  | 'context'
  /** Anything else: the pages, scripts and pictures of the web application. */
  | 'page';

const endpoints: readonly (readonly [RegExp, Endpoint])[] = [
  [/^(?:\/servlet)?\/Scaler\/IIIF\/.*\/info\.json$/, 'iiif-info'],
  [/^(?:\/servlet)?\/Scaler\/IIIF(?:\/|$)/, 'iiif-image'],
  [/^(?:\/servlet)?\/Scaler(?:\/|$)/, 'scaler'],
  [/^\/Manifester(?:\/|$)/, 'manifest'],
  [/^\/api\/dlInfo-(?:json|xml)\.jsp$/, 'info-object'],
  [/^\/api\/ImgInfo-json\.jsp$/, 'image-info'],
  [/^\/api\/dirInfo-(?:json|xml)\.jsp$/, 'folder-info'],
  [/^\/api\/dlContext-xml\.jsp$/, 'context'],
];

/** The members of the info object: of the Scaler's parameters, and facts that the server adds. */
export const infoMembers: ReadonlySet<string> = new Set(
  [
    'fn pn dw dh wx wy ww wh ws mo rot cont brgt rgbm rgba ddpi ddpix ddpiy scale colop id_token',
    'request.path base.url request.iiif.elements docu.image servlet.request',
    'img.fn img.dpix img.dpiy img.pix_x img.pix_y',
  ].flatMap((names) => names.split(' ')),
);

/** The names in the order of the old positional form. */
const positionalNames = ['fn', 'pn', 'ws', 'mo', 'mk', 'wx', 'wy', 'ww', 'wh'];

/** A percent-encoded text decoded; undefined where it is malformed, or not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The query of a target, raw; empty where there is none. */
export const queryOf = (target: string): string => (target.includes('?') ? target.slice(target.indexOf('?') + 1) : '');

const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';

/** The endpoint of a target behind the context path. */
export function endpointOf(target: string): Endpoint {
  const path = pathOf(target);
  const decoded = percentDecoded(path) ?? path;
  return endpoints.find(([form]) => form.test(decoded))?.[1] ?? 'page';
}

const decoded = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  return percentDecoded(spaced) ?? spaced;
};

function pairOf(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  return at < 0 ? [decoded(text), ''] : [decoded(text.slice(0, at)), decoded(text.slice(at + 1))];
}

/**
 * The parameters of a raw query in each of digilib's four forms: separated by `&`, where the first of a name counts; by `&amp;` or `;`,
 * where the last does; or values alone, separated by `+`, in a fixed order.
 */
export function parametersOf(query: string): ReadonlyMap<string, string> {
  const separator = ['&amp;', ';'].find((each) => query.includes(each));
  if (separator !== undefined) return new Map(query.split(separator).map(pairOf));
  if (query.includes('=')) return new Map(query.split('&').map(pairOf).reverse());
  const values = query.split('+').map((text, index) => [positionalNames[index] ?? '', text] as const);
  return new Map(values.filter(([name, text]) => name !== '' && text !== ''));
}

const formOptions = ['errimg', 'errtxt', 'errcode'];

/**
 * The same request of the Scaler with errors as a status code alone (option `errcode` of `mo`): so digilib tells whether a picture with
 * status 200 is an error.
 */
export function withErrorCode(target: string): string {
  const parameters = [...parametersOf(queryOf(target))].reverse();
  const query = new URLSearchParams(Object.fromEntries(parameters.filter(([name]) => name !== 'mo')));
  const options = (new Map(parameters).get('mo') ?? '').split(',').filter((each) => each !== '');
  query.set('mo', [...options.filter((each) => !formOptions.includes(each)), 'errcode'].join(','));
  return `${pathOf(target)}?${query}`;
}
