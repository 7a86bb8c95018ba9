/** Computes the address of the frame from the attributes of `<lectern-viewer>`. */

/** Readable attributes with the parameters that they set. */
const readableNames: Readonly<Record<string, readonly string[]>> = {
  region: ['wx', 'wy', 'ww', 'wh'],
  rotation: ['rot'],
  brightness: ['brgt'],
  contrast: ['cont'],
  operation: ['colop'],
  marks: ['mk'],
  rectangles: ['rg'],
};

/** Attributes with the names of digilib's parameters. */
const parameterNames = [...Object.values(readableNames).flat(), 'mo', 'rgbm', 'rgba', 'pages'];

/** The attributes that change the view; of `view`, which has parameters of its own, the others take precedence. */
export const viewAttributes: readonly string[] = ['view', ...parameterNames, ...Object.keys(readableNames)];

/** The parameters that a changed attribute sets; those that it no longer has are empty. */
export function changedParameters(name: string, before: string, now: string): URLSearchParams {
  const gone = name === 'view' ? parametersOf(name, before).map(([key]) => [key, ''] as const) : [];
  return new URLSearchParams(Object.fromEntries([...gone, ...parametersOf(name, now)]));
}

/** The parameters that an attribute sets: four for `region`, which has numbers between commas; empty for missing ones. */
export function parametersOf(name: string, value: string): readonly (readonly [name: string, value: string])[] {
  if (name === 'view') return [...new URLSearchParams(value)];
  const names = readableNames[name] ?? [name];
  if (names.length === 1) return [[names[0] ?? name, value.trim()]];
  const values = value.split(',');
  return names.map((parameter, index) => [parameter, values[index]?.trim() ?? ''] as const);
}

export interface FrameAttributes {
  /** An address of the reading room: `/view/…` or `/embed/…`. */
  readonly src: string | null;
  /** The path of an image in the library with the address `base`; used without `src`. */
  readonly path: string | null;
  readonly base: string;
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** Options of the frame, which are the fragment of its address. */
  readonly options: readonly (readonly [name: string, value: string])[];
}

/** Replaces the first such segment only, since folders can be called "view" too. */
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

/** Relative to the address `page`; undefined if the attributes do not result in an HTTP address. */
export function frameAddress(attributes: FrameAttributes, page: string): URL | undefined {
  const address = pageAddress(attributes, page);
  // A `javascript:` address would run in the origin of the page.
  if (address === undefined || !/^https?:$/.test(address.protocol)) return undefined;
  address.pathname = toEmbedPath(address.pathname);
  for (const [name, value] of attributes.parameters) if (value !== '') address.searchParams.set(name, value);
  const options = attributes.options.filter(([, value]) => value !== '').map(([name, value]) => [name, value]);
  if (options.length > 0) address.hash = String(new URLSearchParams(options));
  return address;
}
