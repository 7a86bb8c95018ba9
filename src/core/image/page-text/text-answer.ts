/** What `GET {base_url}/api/text/{path}.json` answers: a schema, from which both the type and the API description come. */
import * as z from 'zod';
import type { Rect, Size } from '../model/geometry.ts';
import { type TextFormat, textFormats } from '../model/text-formats.ts';
import type { PageText } from './page-text.ts';

const text = z.string();

const box = z
  .tuple([z.int(), z.int(), z.int(), z.int()])
  .readonly()
  .describe('x, y, width and height in pixels of the upright image; absent where the file tells no place.');

const language = text.describe('BCP 47.');
const direction = z
  .enum(['ltr', 'rtl', 'ttb'])
  .describe('From left to right, from right to left, or from top to bottom in columns from the right.');

const word = z
  .strictObject({
    text: text.describe('As it is printed, with a hyphen that ends a line.'),
    box: box.optional(),
    confidence: z.number().optional().describe('How sure the recognition is, from 0 to 1.'),
    language: language.optional(),
    joined: text
      .optional()
      .describe('Of a word that a hyphen parts: the whole word on its first part, an empty text on its last.'),
  })
  .readonly();

const members = { box: box.optional(), language: language.optional(), direction: direction.optional() };

const line = z.strictObject({ ...members, words: z.array(word).readonly() }).readonly();
const block = z.strictObject({ ...members, lines: z.array(line).readonly() }).readonly();

const choice = z
  .strictObject({
    key: text.describe('For the parameter `text`, which the first one needs not.'),
    format: z.enum(Object.keys(textFormats) as TextFormat[]),
    name: text.describe('The name of the file.'),
    language: language.optional().describe('BCP 47, where the name of the file says it.'),
  })
  .readonly();

/** One of the texts of a page. */
export type AnsweredChoice = z.infer<typeof choice>;

/** The words of a page, in reading order. */
export type TextAnswer = z.infer<typeof textAnswer>;
export const textAnswer = z
  .strictObject({
    language: language.optional().describe('Of most of the page; BCP 47.'),
    direction,
    width: z.int().describe('Of the upright image, in pixels.'),
    height: z.int().describe('Of the upright image, in pixels.'),
    source: z
      .strictObject({
        format: z
          .enum(Object.keys(textFormats) as TextFormat[])
          .describe('The format of the file that the text comes from.'),
        name: text.describe('The name of that file.'),
      })
      .readonly(),
    blocks: z.array(block).readonly(),
    texts: z.array(choice).readonly().optional().describe('All texts of the page, where there are several.'),
  })
  .readonly();

type AnswerBox = z.infer<typeof box>;

const boxOf = (rect: Rect | undefined): { readonly box?: AnswerBox } =>
  rect === undefined ? {} : { box: [rect.x, rect.y, rect.width, rect.height] };

/** The answer for the text of an image, whose size is that of the upright image in pixels. */
export const textAnswerOf = (
  { blocks, language: main, direction: way }: PageText,
  { width, height }: Size,
  source: { readonly format: TextFormat; readonly name: string },
  texts: readonly AnsweredChoice[] = [],
): TextAnswer => ({
  ...(main === undefined ? {} : { language: main }),
  direction: way,
  width,
  height,
  source: { format: source.format, name: source.name },
  blocks: blocks.map(({ box: ofBlock, lines, ...block }) => ({
    ...block,
    ...boxOf(ofBlock),
    lines: lines.map(({ box: ofLine, words, ...line }) => ({
      ...line,
      ...boxOf(ofLine),
      words: words.map(({ box: ofWord, isShare, ...word }) => ({ ...word, ...boxOf(ofWord) })),
    })),
  })),
  ...(texts.length > 1 ? { texts } : {}),
});
