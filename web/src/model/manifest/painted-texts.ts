/** Texts that are painted on a canvas, with the few styles that are read of them: size, color and background. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { memberOf, textOf } from '../json-value.ts';
import { partOnImage } from '../view/geometry.ts';
import { type Rect, wholeImage } from '../view-state.ts';
import { colorOfClass, styleValue } from './css-rules.ts';
import { firstOf, itemsOf, plainText, typeOf } from './members.ts';
import { paintingsOf, placeIn, targetText } from './painted-images.ts';

export interface PaintedText {
  readonly text: string;
  readonly language: string;
  /** In fractions of the image that the page stands for. */
  readonly place: Rect;
  /** The size of the font, and the space around the text, in fractions of the width of that image. */
  readonly size: number;
  readonly padding: number;
  /** As CSS writes colors; undefined for the room’s own. */
  readonly color: string | undefined;
  readonly background: string | undefined;
}

const maxTexts = 50;
const maxLength = 10_000;

/** What browsers take for a text that says nothing, in units of the canvas. */
const plainSize = 16;

const pixelsOf = (value: string | undefined): number | undefined => {
  const [, number] = /^([\d.]{1,9})px$/.exec(value ?? '') ?? [];
  return number === undefined || !Number.isFinite(Number(number)) ? undefined : Number(number);
};

/** The style of the first element of an HTML text, or that of the body itself. */
const styleOf = (body: unknown, html: string): string =>
  textOf(memberOf(body, 'style')) ||
  (/^\s*<[a-z]+[^>]*\sstyle\s*=\s*(?:'([^']*)'|"([^"]*)")/i.exec(html)?.slice(1).join('') ?? '');

/** `place` is that of the image which the page stands for, in fractions of the canvas. */
export function paintedTextsOf(canvas: unknown, size: Size | undefined, place: Rect): readonly PaintedText[] {
  if (size === undefined) return [];
  return paintingsOf(canvas)
    .flatMap((annotation): readonly PaintedText[] => {
      const [body] = itemsOf(firstOf(annotation, 'body', 'resource'), 1);
      if (typeOf(body) !== 'TextualBody') return [];
      const html = textOf(memberOf(body, 'value')).slice(0, maxLength);
      const text = plainText(html);
      const style = styleOf(body, html);
      const width = size.width * place.width;
      return text === ''
        ? []
        : [
            {
              text,
              language: textOf(memberOf(body, 'language')).slice(0, 40),
              place: partOnImage(placeIn(targetText(annotation), size) ?? wholeImage, place),
              size: (pixelsOf(styleValue(style, 'font-size')) ?? plainSize) / width,
              padding: (pixelsOf(styleValue(style, 'padding')) ?? 0) / width,
              color: colorOfClass(`.t{${style}}`, 't'),
              background: colorOfClass(`.t{${style}}`, 't', 'background-color'),
            },
          ];
    })
    .slice(0, maxTexts);
}
