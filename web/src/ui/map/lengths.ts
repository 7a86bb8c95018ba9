/** Lengths on the earth in the reader's language. */
import { language } from '../../messages/messages.ts';

/** In kilometers from one on; below ten meters with decimals. */
export function formatMeters(meters: number): string {
  const [value, unit] = meters >= 1000 ? [meters / 1000, 'km'] : [meters, 'm'];
  const maximumFractionDigits = value < 1 ? 2 : value < 100 ? 1 : 0;
  return `${value.toLocaleString(language.value, { maximumFractionDigits })}\u00a0${unit}`;
}
