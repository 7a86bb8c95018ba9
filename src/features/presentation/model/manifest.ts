/** Writes a manifest of either version as a whole, or piece by piece where it has very many canvases. */
import { type Additions, withAdditions } from './additions.ts';

/** A manifest whose canvases are made one by one. */
export interface Manifest {
  /** The number of canvases. */
  readonly length: number;
  /** A canvas, by its position from 0. */
  canvas(index: number): object;
  /** The document with these canvases. */
  document(canvases: readonly object[]): object;
  /** The names of the members that lead to the list of canvases; lists among them have one entry. */
  readonly listPath: readonly string[];
}

export const wholeManifest = (manifest: Manifest): object =>
  manifest.document(Array.from({ length: manifest.length }, (_, index) => manifest.canvas(index)));

/** The JSON of a value before and behind the entries of the list at a path. */
function jsonAround(value: unknown, [name, ...rest]: readonly string[]): readonly [before: string, behind: string] {
  if (name === undefined) return ['[', ']'];
  if (Array.isArray(value)) {
    const [before, behind] = jsonAround(value[0], [name, ...rest]);
    return [`[${before}`, `${behind}]`];
  }
  const members = Object.entries(value ?? {}).filter(([, member]) => member !== undefined);
  const at = members.findIndex(([key]) => key === name);
  const json = (some: typeof members) =>
    some.map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`);
  const [before, behind] = jsonAround(members[at]?.[1], rest);
  const first = [...json(members.slice(0, at)), `${JSON.stringify(name)}:${before}`].join(',');
  return [`{${first}`, `${[behind, ...json(members.slice(at + 1))].join(',')}}`];
}

/** Pieces of about this length leave other requests their turn every few milliseconds. */
const pieceLength = 64 * 1024;

/** The JSON of a manifest in pieces. */
export function* manifestPieces(manifest: Manifest, additions: Additions | undefined): Generator<string> {
  const [before, behind] = jsonAround(withAdditions(manifest.document([]), additions), manifest.listPath);
  let piece = before;
  for (let index = 0; index < manifest.length; index++) {
    piece += (index > 0 ? ',' : '') + JSON.stringify(manifest.canvas(index));
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece + behind;
}
