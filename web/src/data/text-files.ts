/** The words of text files of other hosts: ALTO, PAGE and hOCR, which browsers parse themselves, and plain text. */
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { TextFileFormat } from '../model/manifest/text-sources.ts';
import type { WrittenText } from '../model/text/annotated-text.ts';
import { boxAround } from '../model/view/geometry.ts';
import type { Rect } from '../model/view-state.ts';

type Block = WrittenText['blocks'][number];
type Line = Block['lines'][number];
type Box = readonly [x: number, y: number, width: number, height: number];

const named = (parent: Element | Document, name: string): readonly Element[] => [
  ...parent.getElementsByTagNameNS('*', name),
];

const numberOf = (element: Element | undefined, name: string): number =>
  Number(element?.getAttribute(name) ?? Number.NaN);

/** Maps lengths of a file to the size of the canvas; the same where the file does not say its size. */
type Scale = (box: Rect | undefined) => { readonly box?: Box };

function scaleOf(width: number, height: number, canvas: Size): Scale {
  const across = width > 0 ? canvas.width / width : 1;
  const down = height > 0 ? canvas.height / height : 1;
  return (box) =>
    box === undefined || ![box.x, box.y, box.width, box.height].every(Number.isFinite)
      ? {}
      : { box: [box.x * across, box.y * down, box.width * across, box.height * down] };
}

const wordsOf = (text: string): Line['words'] =>
  text
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => ({ text: word }));

const altoBox = (element: Element): Rect => ({
  x: numberOf(element, 'HPOS'),
  y: numberOf(element, 'VPOS'),
  width: numberOf(element, 'WIDTH'),
  height: numberOf(element, 'HEIGHT'),
});

function altoBlocks(page: Element, scale: Scale): readonly Block[] {
  return named(page, 'TextBlock').map((block) => ({
    lines: named(block, 'TextLine').map((line) => ({
      ...scale(altoBox(line)),
      words: named(line, 'String').map((word) => ({
        text: word.getAttribute('CONTENT') ?? '',
        ...scale(altoBox(word)),
      })),
    })),
  }));
}

function pointsBox(element: Element): Rect | undefined {
  const coordinates =
    [...element.children].find(({ localName }) => localName === 'Coords')?.getAttribute('points') ?? '';
  const points = [...coordinates.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => ({
    x: Number(x),
    y: Number(y),
  }));
  return boxAround(points);
}

const unicodeOf = (element: Element): string => {
  const own = [...element.children].find(({ localName }) => localName === 'TextEquiv');
  return (own && named(own, 'Unicode')[0]?.textContent) ?? '';
};

function pageBlocks(page: Element, scale: Scale): readonly Block[] {
  return named(page, 'TextRegion').map((region) => ({
    lines: [...region.children]
      .filter(({ localName }) => localName === 'TextLine')
      .map((line) => ({
        ...scale(pointsBox(line)),
        words: wordsOf(unicodeOf(line) || named(line, 'Word').map(unicodeOf).join(' ')),
      })),
  }));
}

function hocrBox(element: Element): Rect | undefined {
  const [, x, y, right, bottom] =
    /bbox\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)/.exec(element.getAttribute('title') ?? '') ?? [];
  if (x === undefined) return undefined;
  return { x: Number(x), y: Number(y), width: Number(right) - Number(x), height: Number(bottom) - Number(y) };
}

const hocrLines = '.ocr_line, .ocr_header, .ocr_caption, .ocr_textfloat';

function hocrBlocks(page: Element, scale: Scale): readonly Block[] {
  const paragraphs = [...page.querySelectorAll('.ocr_par')];
  return (paragraphs.length === 0 ? [page] : paragraphs).map((paragraph) => ({
    lines: [...paragraph.querySelectorAll(hocrLines)].map((line) => {
      const words = [...line.querySelectorAll('.ocrx_word')];
      return {
        ...scale(hocrBox(line)),
        words:
          words.length === 0
            ? wordsOf(line.textContent ?? '')
            : words.map((word) => ({ text: (word.textContent ?? '').trim(), ...scale(hocrBox(word)) })),
      };
    }),
  }));
}

const plainBlocks = (text: string): readonly Block[] =>
  text.split(/\n[^\S\n]*\n/).map((block) => ({ lines: block.split('\n').map((line) => ({ words: wordsOf(line) })) }));

function blocksIn(format: TextFileFormat, text: string, canvas: Size): readonly Block[] {
  if (format === 'plain') return plainBlocks(text.replace(/\r\n?/g, '\n'));
  const parser = new DOMParser();
  if (format === 'hocr') {
    const page = parser.parseFromString(text, 'text/html').querySelector('.ocr_page');
    const size = page === null ? undefined : hocrBox(page);
    return page === null ? [] : hocrBlocks(page, scaleOf(size?.width ?? 0, size?.height ?? 0, canvas));
  }
  const [page] = named(parser.parseFromString(text, 'application/xml'), 'Page');
  if (page === undefined) return [];
  return format === 'alto'
    ? altoBlocks(page, scaleOf(numberOf(page, 'WIDTH'), numberOf(page, 'HEIGHT'), canvas))
    : pageBlocks(page, scaleOf(numberOf(page, 'imageWidth'), numberOf(page, 'imageHeight'), canvas));
}

/** The words of a file, with boxes in pixels of the canvas; without any where the file is none of its format. */
export const readTextFile = (format: TextFileFormat, text: string, canvas: Size): WrittenText => ({
  direction: 'ltr',
  ...canvas,
  blocks: blocksIn(format, text, canvas).map((block) => ({
    ...block,
    lines: block.lines.map((line) => ({ ...line, words: line.words.filter(({ text: word }) => word !== '') })),
  })),
});
