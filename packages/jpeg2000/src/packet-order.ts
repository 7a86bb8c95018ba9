/** The order in which the packets of a tile follow each other (ISO 15444-1, section B.12). */
import type { ProgressionVolume, TileCoding } from './coding.ts';
import type { Resolution } from './geometry.ts';

/** One precinct of a resolution of a component. */
export interface PrecinctPlace {
  readonly component: number;
  readonly resolution: number;
  /** Row by row. */
  readonly index: number;
  /** Where its turn comes in the progressions by position, on the reference grid. */
  readonly x: number;
  readonly y: number;
}

/** A component’s resolutions with what places them on the reference grid. */
export interface PlacedComponent {
  readonly dx: number;
  readonly dy: number;
  /** How often its samples are halved. */
  readonly levels: number;
  /** The smallest ones, or all. */
  readonly resolutions: readonly Resolution[];
}

/** The precincts of a tile, ordered by component, resolution and index. `left` and `top` are the tile’s, on the reference grid. */
export function placePrecincts(components: readonly PlacedComponent[], left: number, top: number): PrecinctPlace[] {
  return components.flatMap(({ dx, dy, levels, resolutions }, component) =>
    resolutions.flatMap(({ box, columns, rows, precinctWidth, precinctHeight }, resolution) => {
      const halvings = levels - resolution;
      const [width, height] = [2 ** (precinctWidth + halvings) * dx, 2 ** (precinctHeight + halvings) * dy];
      const firstColumn = Math.floor(box.left / 2 ** precinctWidth);
      const firstRow = Math.floor(box.top / 2 ** precinctHeight);
      return Array.from({ length: columns * rows }, (_, index) => ({
        component,
        resolution,
        index,
        // The first row and column begin with the tile.
        x: Math.max(left, (firstColumn + (index % columns)) * width),
        y: Math.max(top, (firstRow + Math.floor(index / columns)) * height),
      }));
    }),
  );
}

type Key = keyof PrecinctPlace;

/** By what the precincts are ordered, and after how many of these keys the layers take turns. */
const orders: Readonly<Record<ProgressionVolume['progression'], { keys: readonly Key[]; layersAfter: number }>> = {
  LRCP: { keys: ['resolution', 'component', 'index'], layersAfter: 0 },
  RLCP: { keys: ['resolution', 'component', 'index'], layersAfter: 1 },
  RPCL: { keys: ['resolution', 'y', 'x', 'component', 'index'], layersAfter: 5 },
  PCRL: { keys: ['y', 'x', 'component', 'resolution', 'index'], layersAfter: 5 },
  CPRL: { keys: ['component', 'y', 'x', 'resolution', 'index'], layersAfter: 5 },
};

function compare(keys: readonly Key[]): (one: PrecinctPlace, other: PrecinctPlace) => number {
  return (one, other) => {
    for (const key of keys) if (one[key] !== other[key]) return one[key] - other[key];
    return 0;
  };
}

/** Groups of consecutive precincts that are equal in the first keys: the layers of each group follow each other. */
function groupBy<P extends PrecinctPlace>(precincts: readonly P[], keys: readonly Key[]): readonly (readonly P[])[] {
  const groups: P[][] = [];
  let last: P | undefined;
  for (const precinct of precincts) {
    const before = last;
    const joins = before !== undefined && keys.every((key) => precinct[key] === before[key]);
    if (joins) groups.at(-1)?.push(precinct);
    else groups.push([precinct]);
    last = precinct;
  }
  return groups;
}

const wholeVolume = ({ progression, layers }: TileCoding): ProgressionVolume => ({
  progression,
  layerEnd: layers,
  resolutionStart: 0,
  resolutionEnd: Number.POSITIVE_INFINITY,
  componentStart: 0,
  componentEnd: Number.POSITIVE_INFINITY,
});

const isIn = ({ component, resolution }: PrecinctPlace, volume: ProgressionVolume): boolean =>
  component >= volume.componentStart &&
  component < volume.componentEnd &&
  resolution >= volume.resolutionStart &&
  resolution < volume.resolutionEnd;

/** The packets of a tile in their order, each as its precinct and its layer. Each layer of a precinct comes once. */
export function* packetOrder<P extends PrecinctPlace>(
  precincts: readonly P[],
  coding: TileCoding,
): Generator<{ readonly precinct: P; readonly layer: number }> {
  const nextLayers = new Map<P, number>();
  for (const volume of coding.changes.length > 0 ? coding.changes : [wholeVolume(coding)]) {
    const { keys, layersAfter } = orders[volume.progression];
    const nextLayerOf = (precinct: P): number => nextLayers.get(precinct) ?? 0;
    // Without those that are complete already: a file can repeat a progression, and with it all of their layers.
    const chosen = precincts.filter((precinct) => isIn(precinct, volume) && nextLayerOf(precinct) < volume.layerEnd);
    for (const group of groupBy(chosen.sort(compare(keys)), keys.slice(0, layersAfter))) {
      const firstLayer = group.reduce((least, precinct) => Math.min(least, nextLayerOf(precinct)), volume.layerEnd);
      for (let layer = firstLayer; layer < volume.layerEnd; layer++) {
        for (const precinct of group) {
          if (nextLayerOf(precinct) !== layer) continue;
          nextLayers.set(precinct, layer + 1);
          yield { precinct, layer };
        }
      }
    }
  }
}
