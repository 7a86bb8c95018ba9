/** Reads digilib's parameters for the public addresses of the site (digilib.md, section 7). */
import { valueAt } from '../sources/tree.ts';
import { type DigilibContext, type Piece, textOf } from './values.ts';

const withoutEnd = (address: string, end: string): string | undefined =>
  address.endsWith(end) ? address.slice(0, -end.length || undefined) : undefined;

/** The public address of the site; it can be used only where all given addresses are below it. */
export function readPublicAddress(context: DigilibContext): Piece {
  const prefix = textOf(context, 'iiif-prefix') ?? 'IIIF';
  const contextPath = String(valueAt(context.others, ['http', 'contextPath']) ?? '').replace(/\/+$/, '');
  const ends = [
    ['webapp-base-url', ''],
    ['iiif-image-base-url', `/Scaler/${prefix}`],
    ['iiif-manifest-base-url', `/Manifester/${prefix}`],
  ] as const;
  const given = ends.flatMap(([name, end]) => {
    const address = textOf(context, name)?.replace(/\/+$/, '');
    return address === undefined ? [] : [{ name, base: withoutEnd(address, end), end }];
  });
  const base = given.find((one) => one.base !== undefined)?.base;
  const publicAddress = base === undefined ? undefined : withoutEnd(base, contextPath);
  const unused = given.flatMap(({ name, base: own, end }) => {
    if (own === undefined) return [`${name}: it must end with ${end}, where Lectern’s addresses begin`];
    if (own !== base) return [`${name}: its addresses are not below ${base}, which another parameter names`];
    return publicAddress === undefined ? [`${name}: it must end with the context path ${contextPath}`] : [];
  });
  return { ...(publicAddress === undefined ? {} : { values: { http: { publicAddress } } }), unused };
}
