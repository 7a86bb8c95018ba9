/** Regular expressions for the segments of an IIIF image address, for the API description. */
import { decimal, integer } from './image-path.ts';
import { formatExtensions, type Version, versions } from './version.ts';

/** A pattern without its anchors, for use inside of another one. */
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

/** Everything that the parser accepts matches. Of what matches, it rejects zeros, more than 360 degrees and sizes beyond the limits. */
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
