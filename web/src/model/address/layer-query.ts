/** Parses and formats which layers of a page are shown, and how. */
import { type LayersView, layerMixes, layerTints, plainLayers, type ShownLayer } from '../view-state.ts';
import { formatNumber, type Pair, pairUnless, parseCount, parseNumber } from './address-text.ts';

export const layerNames = ['layers', 'mix', 'edge'] as const;

type LayerName = (typeof layerNames)[number];

/** No page has as many: later ones are not read. */
const mostLayers = 200;

const fraction = (text: string | undefined, byDefault: number): number =>
  Math.min(Math.max(parseNumber(text ?? '') ?? byDefault, 0), 1);

/** `3` or `3/0.5` or `3/1/red`; undefined where it is malformed. */
function parseLayer(text: string): ShownLayer | undefined {
  const [count = '', opacity, tint] = text.split('/');
  const number = parseCount(count);
  if (number === undefined) return undefined;
  return { number, opacity: fraction(opacity, 1), tint: layerTints.find((name) => name === tint?.trim()) };
}

/** Each layer once, in their order; `none` is a page without any. */
function parseShown(text: string): readonly ShownLayer[] | undefined {
  if (text === 'none') return [];
  const layers = text
    .split(',')
    .slice(0, mostLayers)
    .flatMap((entry) => parseLayer(entry) ?? []);
  if (layers.length === 0) return undefined;
  return [...new Map(layers.map((layer) => [layer.number, layer])).values()].toSorted((a, b) => a.number - b.number);
}

/** `textOf` returns '' for a parameter that is absent. */
export const parseLayers = (textOf: (name: LayerName) => string): LayersView => ({
  shown: parseShown(textOf('layers').trim()),
  mix: layerMixes.find((mix) => mix === textOf('mix').trim()) ?? plainLayers.mix,
  edge: fraction(textOf('edge'), plainLayers.edge),
});

function formatLayer({ number, opacity, tint }: ShownLayer): string {
  if (tint !== undefined) return `${number}/${formatNumber(opacity)}/${tint}`;
  return opacity === 1 ? String(number) : `${number}/${formatNumber(opacity)}`;
}

const formatShown = (shown: LayersView['shown']): string => {
  if (shown === undefined) return '';
  return shown.length === 0 ? 'none' : shown.map(formatLayer).join(',');
};

/** Without those that have their default; `parseLayers` reads them back. */
export const formatLayers = ({ shown, mix, edge }: LayersView): readonly Pair[] => [
  ...pairUnless('', 'layers', formatShown(shown)),
  ...pairUnless(plainLayers.mix, 'mix', mix),
  ...pairUnless(formatNumber(plainLayers.edge), 'edge', formatNumber(edge)),
];
