/** The color of a site's pages: its hue on all surfaces, which stay as light, or as dark, as what is written on them needs (WCAG 2.2, 1.4.3). */
import { luminance, parseColor } from './accent.ts';

/** The usual surfaces of both themes, by the names of their tokens (web/src/styles/tokens.css). */
const usual = {
  light: { paper: '#fbf9f4', wash: '#f2ede2', line: '#e3ddd0', stage: '#e9e5dc' },
  dark: { paper: '#191816', card: '#232120', raised: '#2a2826', wash: '#2e2b28', line: '#3a3733', stage: '#100f0e' },
} as const;

type Theme = keyof typeof usual;

/** The surfaces of a theme by their names; `#rrggbb` each. */
export type PaperColors = Readonly<Record<Theme, Readonly<Record<string, string>>>>;

/** Surfaces are pale, and what lies on them keeps its color. */
const mostSaturation = { light: 0.6, dark: 0.3 } as const;

interface Hsl {
  /** In degrees. */
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
}

function hslOf(color: string): Hsl {
  const [red, green, blue] = parseColor(color).map((part) => part / 255) as [number, number, number];
  const most = Math.max(red, green, blue);
  const range = most - Math.min(red, green, blue);
  const lightness = most - range / 2;
  if (range === 0) return { hue: 0, saturation: 0, lightness };
  const sector =
    most === red ? (green - blue) / range : most === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return { hue: (sector * 60 + 360) % 360, saturation: range / (1 - Math.abs(2 * lightness - 1)), lightness };
}

function hexOf({ hue, saturation, lightness }: Hsl): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number): string => {
    const at = (offset + hue / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

const steps = 400;

/** A surface in another hue: at least as light as the usual one of a light theme, and at most as light as that of a dark one. */
function tinted(surface: string, { hue, saturation }: Hsl, theme: Theme): string {
  const limit = luminance(surface);
  const { lightness } = hslOf(surface);
  const end = theme === 'light' ? 1 : 0;
  const isLegible = (color: string): boolean =>
    theme === 'light' ? luminance(color) >= limit : luminance(color) <= limit;
  for (let step = 0; step < steps; step += 1) {
    const candidate = hexOf({
      hue,
      saturation: Math.min(saturation, mostSaturation[theme]),
      lightness: lightness + ((end - lightness) * step) / steps,
    });
    if (isLegible(candidate)) return candidate;
  }
  return theme === 'light' ? '#ffffff' : '#000000';
}

/** The surfaces of both themes for a wished color, `#rrggbb`. */
export function paperColors(wished: string): PaperColors {
  const color = hslOf(wished);
  const surfacesOf = (theme: Theme): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(usual[theme]).map(([name, surface]) => [name, tinted(surface, color, theme)] as const),
    );
  return { light: surfacesOf('light'), dark: surfacesOf('dark') };
}
