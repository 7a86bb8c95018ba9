/** The accent color of a site in both themes: as near to the wished one as the contrast of text allows (WCAG 2.2, 1.4.3). */

type Rgb = readonly [red: number, green: number, blue: number];

/** The colors of a theme that the accent has as text, and on which it lies as a surface; `#rrggbb` each. */
export interface AccentColors {
  readonly light: string;
  readonly dark: string;
}

/** The surfaces of both themes on which links are written (web/src/styles/tokens.css). */
const surfaces = {
  light: ['#fbf9f4', '#ffffff', '#f2ede2'],
  dark: ['#191816', '#232120', '#2a2826', '#2e2b28'],
} as const;

/** What is written on the accent itself. */
export const onAccent: AccentColors = { light: '#ffffff', dark: '#16120f' };

const leastContrast = 4.5;

export const parseColor = (color: string): Rgb => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return [red, green, blue];
};

const format = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** Relative luminance, from 0 to 1. */
export function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = parseColor(color).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colors, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const mixed = (color: Rgb, target: Rgb, share: number): Rgb => {
  const at = (index: 0 | 1 | 2): number => color[index] + (target[index] - color[index]) * share;
  return [at(0), at(1), at(2)];
};

const steps = 64;

/** The first mixture of a color with black or white that all surfaces of a theme contrast with. */
function legible(color: string, theme: keyof AccentColors): string {
  const target: Rgb = theme === 'light' ? [0, 0, 0] : [255, 255, 255];
  const others = [...surfaces[theme], onAccent[theme]];
  for (let step = 0; step < steps; step += 1) {
    const candidate = format(mixed(parseColor(color), target, step / steps));
    if (others.every((surface) => contrast(candidate, surface) >= leastContrast)) return candidate;
  }
  return format(target);
}

/** The accent in both themes for a wished color, `#rrggbb`. */
export const accentColors = (wished: string): AccentColors => ({
  light: legible(wished, 'light'),
  dark: legible(wished, 'dark'),
});
