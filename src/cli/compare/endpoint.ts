/** Finds which of digilib's endpoints an address belongs to, and requests of the Scaler for the true status. */

import { splitTarget } from '../../core/http/target.ts';
import { percentDecoded } from '../../core/text/parse.ts';
import { formatValue, type ParameterName, type ParameterValues } from '../../features/digilib/parameters.ts';
import { parseQuery } from '../../features/digilib/query.ts';

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

/** The endpoint of a target behind the context path. */
export function endpointOf(target: string): Endpoint {
  const { path } = splitTarget(target);
  const decoded = percentDecoded(path) ?? path;
  return endpoints.find(([form]) => form.test(decoded))?.[1] ?? 'page';
}

/** The values of a query; undefined where it has too many parameters to be read. */
export function valuesOf(target: string): ParameterValues | undefined {
  try {
    return parseQuery(splitTarget(target).query);
  } catch {
    return undefined;
  }
}

const formOptions = ['errimg', 'errtxt', 'errcode'] as const;

/**
 * The same request of the Scaler with errors as a status code alone (digilib.md, section 5): so digilib tells whether a
 * picture with status 200 is an error. Undefined where the query can't be read.
 */
export function withErrorCode(target: string): string | undefined {
  const values = valuesOf(target);
  if (values === undefined) return undefined;
  const options = new Set(values.mo);
  for (const form of formOptions) options.delete(form);
  const mo = [...options, 'errcode'].join(',');
  const names = (Object.keys(values) as ParameterName[]).filter((name) => name !== 'mo');
  const query = new URLSearchParams(names.map((name): [string, string] => [name, formatValue(name, values[name])]));
  query.set('mo', mo);
  return `${splitTarget(target).path}?${query}`;
}
