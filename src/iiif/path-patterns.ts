/** What the segments of an IIIF image address look like, as regular expressions for those who check addresses beforehand. */
import { decimal, integer } from './image-path.ts';
import { formatExtensions, type Version, versions } from './version.ts';

/** A form without its anchors, to stand inside of another. */
const inside = ({ source }: RegExp): string => source.replace(/^\^|\$$/g, '');

const wholes = (count: number): string => Array(count).fill(inside(integer)).join(',');
const decimals = (count: number): string => Array(count).fill(inside(decimal)).join(',');

const anyOf = (forms: readonly string[]): string => `^(?:${forms.join('|')})$`;

/** The patterns and the lists of one version (Image API, section 4). */
export interface PathPatterns {
  readonly region: string;
  readonly size: string;
  readonly rotation: string;
  readonly qualities: readonly string[];
  readonly formats: readonly string[];
}

/** All that the parser takes matches; of what matches, it refuses what is 0, over 360 degrees or beyond the limits. */
export function pathPatterns(version: Version): PathPatterns {
  const { fullSize, square, upscaling, qualities } = versions[version];
  const whole = inside(integer);
  const caret = upscaling === 'caret' ? '\\^?' : '';
  const sizes = [...fullSize, `${whole},`, `,${whole}`, `!?${wholes(2)}`, `pct:${decimals(1)}`];
  return {
    region: anyOf(['full', ...(square ? ['square'] : []), wholes(4), `pct:${decimals(4)}`]),
    size: `^${caret}(?:${sizes.join('|')})$`,
    rotation: `^!?${inside(decimal)}$`,
    qualities: Object.keys(qualities),
    formats: Object.keys(formatExtensions),
  };
}
