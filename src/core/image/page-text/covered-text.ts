/** Leaves out of the text of a page what lies under redactions: whatever may stand there goes, too. */
import { isTransposed, type Rect, type Size, transpose } from '../model/geometry.ts';
import { type ImageSet, onShown } from '../model/image-set.ts';
import { overlap } from '../model/redaction.ts';
import type { PageText, SourcePage, TextBlock, TextLine, TextWord } from './page-text.ts';
import { isRecognizedUpright, type PlacedOn } from './place-text.ts';

/** Shapes that differ by less are those of one image: sizes of smaller scans are rounded. */
const sameShape = 0.02;

const differs = (one: Size, other: Size): boolean =>
  Math.abs(Math.log(one.width / one.height / (other.width / other.height))) > sameShape;

/** Whether the boxes of a page can only be meant so on an image: its file tells its size, and which way up it was. */
export function isSurelyPlaced({ size }: SourcePage, image: PlacedOn): boolean {
  if (size === undefined) return false;
  const { stored, orientation } = image;
  const [target, other] = isRecognizedUpright(size, image) ? [transpose(stored), stored] : [stored, transpose(stored)];
  if (differs(size, target)) return false;
  return orientation === 1 || (isTransposed(orientation) && differs(size, other));
}

/** Words that are the parts of one, by the first of them. */
interface Parts {
  readonly first: TextWord;
  readonly second: TextWord;
}

function partsIn({ blocks }: PageText): readonly Parts[] {
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  return words.flatMap((second, index) => {
    const first = words[index - 1];
    return second.joined === '' && first !== undefined ? [{ first, second }] : [];
  });
}

/** Whether a word is seen: all of the place where it may stand is open. */
const isSeen = ({ box, isShare }: TextWord, line: TextLine, redactions: readonly Rect[]): boolean => {
  const place = isShare ? line.box : box;
  return place !== undefined && !redactions.some((rect) => overlap(rect, place));
};

const alone = ({ joined, ...word }: TextWord): TextWord => word;

/** The words that are seen, each as it is shown: without the whole word of which a part is covered. */
function seenWords(text: PageText, redactions: readonly Rect[]): ReadonlyMap<TextWord, TextWord> {
  const lines = text.blocks.flatMap((block) => block.lines);
  const seen = new Map(
    lines.flatMap((line) =>
      line.words.filter((word) => isSeen(word, line, redactions)).map((word) => [word, word] as const),
    ),
  );
  const parts = partsIn(text);
  for (const { first, second } of parts) {
    if (seen.has(first) && seen.has(second)) continue;
    for (const part of [first, second]) if (seen.has(part)) seen.set(part, alone(part));
  }
  // Of a whole word whose last part does not follow, nobody knows where that stands.
  const firsts = new Set(parts.map(({ first }) => first));
  for (const [word] of seen) if (word.joined && !firsts.has(word)) seen.set(word, alone(word));
  return seen;
}

/** The text of a page of an image without what is covered of it; as it is where nothing is. */
export function withoutCovered(text: PageText, image: ImageSet): PageText {
  const redactions = image.covers?.redactions.map((rect) => onShown(rect, image)) ?? [];
  if (redactions.length === 0) return text;
  const seen = seenWords(text, redactions);
  const lineOf = (line: TextLine): TextLine => ({ ...line, words: line.words.flatMap((word) => seen.get(word) ?? []) });
  const blockOf = (block: TextBlock): TextBlock => ({
    ...block,
    lines: block.lines.map(lineOf).filter(({ words }) => words.length > 0),
  });
  return { ...text, blocks: text.blocks.map(blockOf).filter(({ lines }) => lines.length > 0) };
}

/** The fingerprint of a text without what is covered, by the key of that. */
export const coveredFingerprint = (fingerprint: string, covered: string): string => `${fingerprint}~${covered}`;

/** Whether a text was read without what is covered now. */
export const isWithoutCovered = (fingerprint: string | undefined, covered: string): boolean =>
  covered === '' || fingerprint?.endsWith(coveredFingerprint('', covered)) === true;
