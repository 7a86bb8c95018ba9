/** The words of a line that a correction quotes, with what stands around them, so that others find them again. */
import type { TextQuote } from '../view-state.ts';
import type { PageText } from './page-text.ts';

/** Characters that are quoted before and after the line. */
const around = 40;

const written = (text: PageText, from: number, to: number): string =>
  text.lines
    .slice(from, to)
    .map((line) =>
      text.words
        .slice(line.from, line.to)
        .map((word) => word.text)
        .join(' '),
    )
    .join(' ');

/** The lines from one to another, as they are written in the text (W3C Web Annotation, 4.2.4: TextQuoteSelector). */
export function correctionOf(text: PageText, from: number, to: number): TextQuote {
  const before = written(text, Math.max(0, from - 3), from);
  const after = written(text, to + 1, to + 4);
  return {
    exact: written(text, from, to + 1),
    ...(before === '' ? {} : { prefix: `${before} `.slice(-around) }),
    ...(after === '' ? {} : { suffix: ` ${after}`.slice(0, around) }),
  };
}
