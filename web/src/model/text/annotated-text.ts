/** The text of a page from annotations on its canvas that transcribe or translate it: one text for each of their languages. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { TextAnswer } from '../../../../src/core/image/page-text/text-answer.ts';
import { listOf, memberOf, textOf } from '../json-value.ts';
import { firstOf, itemsOf, plainText } from '../manifest/members.ts';
import { transcribes } from '../manifest/text-sources.ts';
import { itemsOf as annotationsIn, bodiesOf } from '../notes/annotation-reader.ts';
import { parseTarget } from '../notes/annotation-target.ts';
import { boxAround, boxInPixels, cornersOf, pointOnImage } from '../view/geometry.ts';
import type { Rect } from '../view-state.ts';
import { around } from './page-text.ts';

export type WrittenText = Omit<TextAnswer, 'source'>;

/** The most annotations that are read of a page. */
const maxAnnotations = 20_000;

interface Piece {
  readonly text: string;
  /** In pixels of the canvas's size; undefined for the whole page. */
  readonly box: Rect | undefined;
  readonly language: string;
  /** `word`, `line`, `block` …; empty where nothing is said (IIIF Text Granularity). */
  readonly granularity: string;
}

export interface CanvasOfText {
  /** Undefined where all annotations are about it. */
  readonly id: string | undefined;
  readonly size: Size;
  /** The place of the image on it, in fractions of it. */
  readonly place: Rect;
}

function boxOf(target: unknown, { size, place }: CanvasOfText): Rect | undefined {
  const { shape } = parseTarget(target, size);
  const corners =
    shape?.kind === 'rectangle' ? cornersOf(shape.rectangle) : shape?.kind === 'figure' ? shape.measure.points : [];
  const box = boxAround(corners.map((corner) => pointOnImage(corner, place)));
  return box && boxInPixels(box, size);
}

const sameAddress = (one: string, other: string): boolean =>
  one.replace(/^https?:/, '') === other.replace(/^https?:/, '');

function pieceOf(annotation: unknown, canvas: CanvasOfText): readonly Piece[] {
  const [target] = itemsOf(firstOf(annotation, 'target', 'on'), 1);
  const { source } = parseTarget(target, canvas.size);
  if (!transcribes(annotation) || (source !== '' && canvas.id !== undefined && !sameAddress(source, canvas.id)))
    return [];
  const text = plainText(bodiesOf(annotation).text);
  const [body] = listOf(firstOf(annotation, 'body', 'resource'));
  const language = textOf(listOf(memberOf(body, 'language'))[0]);
  const granularity = textOf(memberOf(annotation, 'textGranularity'));
  return text === '' ? [] : [{ text, box: boxOf(target, canvas), language, granularity }];
}

/** Whether a word stands in the line of another one, behind it. */
function goesOn(before: Rect | undefined, next: Rect | undefined): boolean {
  if (before === undefined || next === undefined) return false;
  const shared = Math.min(before.y + before.height, next.y + next.height) - Math.max(before.y, next.y);
  return shared > Math.min(before.height, next.height) / 2 && next.x >= before.x;
}

/** Words as the lines in which they stand. */
function asLines(words: readonly Piece[]): readonly Piece[] {
  const lines: Piece[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && goesOn(last.box, word.box)) {
      const box = around([last.box, word.box].filter((one) => one !== undefined));
      lines[lines.length - 1] = { ...last, text: `${last.text} ${word.text}`, box };
    } else lines.push(word);
  }
  return lines;
}

/** Of several granularities of the same text, that of lines, else the finest. */
function oneGranularity(pieces: readonly Piece[]): readonly Piece[] {
  for (const wanted of ['line', 'word', 'paragraph', 'block', 'page']) {
    const found = pieces.filter(({ granularity }) => granularity === wanted);
    if (found.length > 0) return wanted === 'word' ? asLines(found) : found;
  }
  return pieces;
}

const boxMember = (box: Rect | undefined): { readonly box?: readonly [number, number, number, number] } =>
  box === undefined ? {} : { box: [box.x, box.y, box.width, box.height] };

const wordsOf = (line: string) =>
  line
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((text) => ({ text }));

/** Pieces of one line are the lines of a paragraph, longer ones are paragraphs of their own. */
function blocksOf(pieces: readonly Piece[]): WrittenText['blocks'] {
  const blocks: {
    box?: readonly [number, number, number, number];
    lines: WrittenText['blocks'][number]['lines'][number][];
  }[] = [];
  let open: (typeof blocks)[number] | undefined;
  for (const { text, box } of pieces) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (lines.length === 1) {
      if (open === undefined) {
        open = { lines: [] };
        blocks.push(open);
      }
      open.lines.push({ ...boxMember(box), words: wordsOf(text) });
      continue;
    }
    open = undefined;
    // A paragraph says where it stands as a whole; its lines share it.
    const share = box && { ...box, height: box.height / lines.length };
    const placed = lines.map((line, at) => ({
      ...boxMember(share && { ...share, y: share.y + at * share.height }),
      words: wordsOf(line),
    }));
    blocks.push({ ...boxMember(box), lines: placed });
  }
  return blocks;
}

/** The texts in a page of annotations, by their languages; an empty language where none is said. */
export function annotatedTexts(json: unknown, canvas: CanvasOfText): ReadonlyMap<string, WrittenText> {
  const pieces = annotationsIn(json)
    .slice(0, maxAnnotations)
    .flatMap((annotation) => pieceOf(annotation, canvas));
  const languages = [...new Set(pieces.map(({ language }) => language))];
  return new Map(
    languages.map((language) => [
      language,
      {
        direction: 'ltr',
        ...canvas.size,
        ...(language === '' ? {} : { language }),
        blocks: blocksOf(oneGranularity(pieces.filter((piece) => piece.language === language))),
      },
    ]),
  );
}
