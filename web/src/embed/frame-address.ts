/** The address of the frame that an element's attributes mean, and the parameters in it. */

/** Attributes that have the names of digilib's parameters. */
const parameterNames = [
  'wx',
  'wy',
  'ww',
  'wh',
  'rot',
  'mo',
  'brgt',
  'cont',
  'rgbm',
  'rgba',
  'colop',
  'mk',
  'rg',
  'pages',
] as const;

/** Names that are easier to read, with the parameters that they stand for. */
const readableNames: Readonly<Record<string, readonly string[]>> = {
  region: ['wx', 'wy', 'ww', 'wh'],
  rotation: ['rot'],
  brightness: ['brgt'],
  contrast: ['cont'],
  operation: ['colop'],
  marks: ['mk'],
  rectangles: ['rg'],
};

/** The attributes that say what is shown of the image. */
export const viewAttributes: readonly string[] = [...parameterNames, ...Object.keys(readableNames)];

/** The parameters of an attribute: a region has its four numbers between commas. None of them is an empty one each. */
export function parametersOf(name: string, value: string): readonly (readonly [name: string, value: string])[] {
  const names = readableNames[name] ?? [name];
  if (names.length === 1) return [[names[0] ?? name, value.trim()]];
  const values = value.split(',');
  return names.map((parameter, index) => [parameter, values[index]?.trim() ?? ''] as const);
}

/** An element's attributes as far as they say what is in the frame. */
export interface FrameAttributes {
  /** An address of the reading room: of a view, or of the same inside of another page. */
  readonly src: string | null;
  /** Or the path of an image, in the library whose address is the base. */
  readonly path: string | null;
  readonly base: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** The same view without the frame of the reading room. The first name that says so: folders can be called "view" too. */
const toEmbedPath = (path: string): string => path.replace(/\/(?:view|embed)\//, '/embed/');

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

function pageAddress({ src, path, base }: FrameAttributes, page: string): URL | undefined {
  try {
    if (src !== null) return new URL(src, page);
    const root = new URL(base.endsWith('/') ? base : `${base}/`, page);
    return path === null ? undefined : new URL(`embed/${encodePath(path)}`, root);
  } catch {
    return undefined;
  }
}

/** The frame's address; undefined where the attributes name nothing of the web. `page` is the address they are relative to. */
export function frameAddress(attributes: FrameAttributes, page: string): URL | undefined {
  const address = pageAddress(attributes, page);
  // A script in an address would run in the page's own name.
  if (address === undefined || !/^https?:$/.test(address.protocol)) return undefined;
  address.pathname = toEmbedPath(address.pathname);
  for (const [name, value] of attributes.parameters) if (value !== '') address.searchParams.set(name, value);
  return address;
}
