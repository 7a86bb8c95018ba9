/** Parses and formats `mo`; entries that the reading room does not use pass through. */
import type { ScaleMode, ViewState } from './view-state.ts';

type Modes = Pick<ViewState, 'mode' | 'mirror' | 'quality' | 'options'>;

const qualities = [0, 1, 2, 3] as const;

const ownEntries: ReadonlySet<string> = new Set(['fit', 'clip', 'osize', 'hmir', 'vmir', 'q0', 'q1', 'q2', 'q3']);

/** Of several modes, the same takes precedence as in the Scaler. */
function scaleModeOf(entries: ReadonlySet<string>): ScaleMode {
  if (entries.has('fit')) return 'fit';
  if (entries.has('clip')) return 'pixels';
  return entries.has('osize') ? 'true-size' : 'fit';
}

export function parseModes(text: string): Modes {
  const entries = new Set(text.split(',').map((entry) => entry.trim()));
  return {
    mode: scaleModeOf(entries),
    mirror: { horizontal: entries.has('hmir'), vertical: entries.has('vmir') },
    quality: qualities.find((quality) => entries.has(`q${quality}`)),
    options: [...entries].filter((entry) => entry !== '' && !ownEntries.has(entry)),
  };
}

const modeEntries: Readonly<Record<ScaleMode, readonly string[]>> = {
  fit: [],
  pixels: ['clip'],
  'true-size': ['osize'],
};

/** The entries of `mo` that mirror. */
export const mirrorEntries = ({ horizontal, vertical }: ViewState['mirror']): readonly string[] => [
  ...(horizontal ? ['hmir'] : []),
  ...(vertical ? ['vmir'] : []),
];

/** Empty for the defaults. */
export const formatModes = ({ mode, mirror, quality, options }: Modes): string =>
  [...modeEntries[mode], ...mirrorEntries(mirror), ...(quality === undefined ? [] : [`q${quality}`]), ...options].join(
    ',',
  );
