/** Changes of a picture that depend on what is around each pixel: the same formulas as the shader of the stage. */
import type { ViewEffect } from '../view-state.ts';

/** How far around a pixel the average of its surroundings reaches, in halvings of the picture: fine detail, and a hand's breadth of text. */
export const blurHalvings = { fine: 1, wide: 5 } as const;

/** How much of the difference to its surroundings is added to a pixel. */
export const gains = { sharp: 1.2, local: 0.9 } as const;

/** Faded ink: a share of the brightness around it that is black, and one that is white. */
export const inkRange = { black: 0.55, white: 1.02 } as const;

const channels: Readonly<Partial<Record<ViewEffect, number>>> = { red: 0, green: 1, blue: 2 };

/** The channel that is shown alone, from 0; -1 for all. */
export const channelOf = (effects: readonly ViewEffect[]): number =>
  effects.map((name) => channels[name] ?? -1).find((channel) => channel >= 0) ?? -1;

export const needsBlur = (effects: readonly ViewEffect[], which: keyof typeof blurHalvings): boolean =>
  which === 'fine' ? effects.includes('sharp') : effects.includes('ink') || effects.includes('local');

const clamp = (value: number): number => Math.min(Math.max(value, 0), 255);

/** Pixels as red, green, blue and alpha; `fine` and `wide` are the averages of what is around each of them, of the same size. */
export interface Surroundings {
  readonly fine?: Uint8ClampedArray | undefined;
  readonly wide?: Uint8ClampedArray | undefined;
}

interface Formula {
  readonly isSharp: boolean;
  readonly isInk: boolean;
  readonly isLocal: boolean;
}

/** The value of a channel of a pixel, with those around it. */
function changed(own: number, fine: number, wide: number, { isSharp, isInk, isLocal }: Formula): number {
  let value = own;
  if (isSharp) value = clamp(value + gains.sharp * (own - fine));
  if (isInk) value = clamp((255 * (value / Math.max(wide, 1) - inkRange.black)) / (inkRange.white - inkRange.black));
  return isLocal ? clamp(value + gains.local * (own - wide)) : value;
}

/** Applies effects to pixels in place. */
export function applyEffects(
  pixels: Uint8ClampedArray,
  { fine = pixels, wide = pixels }: Surroundings,
  effects: readonly ViewEffect[],
): void {
  const only = channelOf(effects);
  const formula = {
    isSharp: effects.includes('sharp'),
    isInk: effects.includes('ink'),
    isLocal: effects.includes('local'),
  };
  const valueAt = (at: number): number => changed(pixels[at] ?? 0, fine[at] ?? 0, wide[at] ?? 0, formula);
  for (let start = 0; start < pixels.length; start += 4) {
    if (only >= 0) pixels.fill(valueAt(start + only), start, start + 3);
    else for (let at = start; at < start + 3; at += 1) pixels[at] = valueAt(at);
  }
}
