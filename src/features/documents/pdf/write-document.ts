/** Writes a PDF piece by piece while its pages come: memory holds one page at a time. */
import type { Orientation } from '../../../core/image/model/geometry.ts';
import { drawCover, drawNote } from './cover.ts';
import {
  a4,
  type DocumentPage,
  type DocumentPlan,
  layoutOf,
  type OutlineEntry,
  type PicturedPage,
  type SheetLayout,
} from './document.ts';
import type { CoverFonts } from './fonts.ts';
import { addWordsFont, type WordsFont } from './invisible-font.ts';
import { type JpegFacts, jpegFacts } from './jpeg-facts.ts';
import { type Conformance, JpegImages, openDocument, type Pdf, type StructureElement } from './open-document.ts';
import { blockOperators, invisibleFontName, placedBlocks } from './text-layer.ts';

/** An image whose bytes are no JPEG file that a PDF can contain. */
export class UnusableJpegError extends Error {}

/** The unit square of an image as its stored pixels are turned upright: a, b, c, d, e, f (ISO 32000-1, 8.3.4). */
const turns: Readonly<Record<Orientation, readonly [number, number, number, number, number, number]>> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};

function imageOperators({ image }: SheetLayout, orientation: Orientation): string {
  const place = [image.width, 0, 0, image.height, image.x, image.y];
  return `q ${place.join(' ')} cm ${turns[orientation].join(' ')} cm /Scan Do Q`;
}

/** Operators are in the coordinates of PDF; PDFKit has turned its own upside down before. */
const inPdfCoordinates = (pdf: Pdf, height: number, operators: readonly string[]): void =>
  pdf.addContent(['q', `1 0 0 -1 0 ${height} cm`, ...operators, 'Q'].join('\n'));

/** Inks without a profile, such as those of a printing press that nobody named. */
const isWithoutMeaning = ({ components, profile }: JpegFacts): boolean => components === 4 && profile === undefined;

class DocumentWriter {
  readonly #pdf: Pdf;
  readonly #plan: DocumentPlan;
  readonly #conformance: Conformance = { isArchival: true };
  readonly #images: JpegImages;
  readonly #words: WordsFont;
  readonly #root: StructureElement;
  readonly #fonts: CoverFonts;
  readonly #labels: unknown[] = [];

  constructor(plan: DocumentPlan, fonts: CoverFonts) {
    this.#plan = plan;
    this.#pdf = openDocument(plan.facts, this.#conformance);
    this.#images = new JpegImages(this.#pdf);
    this.#words = addWordsFont(this.#pdf);
    this.#root = this.#pdf.struct('Document');
    this.#pdf.addStructure(this.#root);
    this.#fonts = fonts;
    this.#addCover();
  }

  #addCover(): void {
    const pdf = this.#pdf;
    this.#label(this.#plan.cover.title);
    pdf.addPage({ size: [a4.width, a4.height], margin: 0 });
    const cover = pdf.struct('Sect');
    this.#root.add(cover);
    drawCover(pdf, this.#plan.cover, this.#fonts, cover);
    cover.end();
  }

  #label(label: string): void {
    this.#labels.push(this.#labels.length / 2, { P: new String(label) });
  }

  add(page: DocumentPage): void {
    const pdf = this.#pdf;
    const layout = layoutOf(page.size, page.sheet);
    // The operators of a picture alone are shorter than the start of a compression is long.
    pdf.compress = !('picture' in page) || page.text !== undefined;
    pdf.addPage({ size: [layout.sheet.width, layout.sheet.height], margin: 0 });
    this.#label(page.label);
    const section = pdf.struct('Sect', { title: page.label });
    this.#root.add(section);
    const facts = 'missing' in page ? undefined : jpegFacts(page.picture.jpeg);
    if ('missing' in page) drawNote(pdf, page.missing, this.#fonts, section, layout.sheet);
    else if (facts === undefined)
      throw new UnusableJpegError(`the picture of page ${page.label} is no usable JPEG file`);
    else this.#addPicture(page, facts, layout, section);
    section.end();
  }

  #addPicture(page: PicturedPage, facts: JpegFacts, layout: SheetLayout, section: StructureElement): void {
    const pdf = this.#pdf;
    const { jpeg, orientation } = page.picture;
    if (isWithoutMeaning(facts)) this.#conformance.isArchival = false;
    pdf.page.xobjects['Scan'] = this.#images.add(jpeg, facts);
    const { width, height } = layout.sheet;
    const draw = (): void => inPdfCoordinates(pdf, height, [imageOperators(layout, orientation)]);
    section.add(pdf.struct('Figure', { alt: page.label, bbox: [0, 0, width, height] }, [draw]));
    this.#addWords(page, layout, section);
  }

  #addWords({ text, size }: PicturedPage, layout: SheetLayout, section: StructureElement): void {
    if (text === undefined) return;
    const pdf = this.#pdf;
    pdf.page.fonts[invisibleFontName] = this.#words.reference;
    for (const block of placedBlocks(text, size)) {
      const operators = blockOperators(block, size, layout, this.#words.codes);
      const write = (): void => inPdfCoordinates(pdf, layout.sheet.height, operators);
      section.add(pdf.struct('P', block.language === undefined ? {} : { lang: block.language }, [write]));
    }
  }

  end(): void {
    const pdf = this.#pdf;
    pdf.compress = true;
    this.#root.end();
    // Also where no page has words: the object is counted already.
    this.#words.end();
    this.#addOutline(this.#plan.outline, pdf.outline);
    const labels = pdf.ref({ Nums: this.#labels });
    labels.end();
    const { data } = pdf._root;
    data['PageLabels'] = labels;
    if (this.#plan.facts.rightToLeft) {
      (data['ViewerPreferences'] as { data: Record<string, unknown> }).data['Direction'] = 'R2L';
    }
    pdf.end();
  }

  #addOutline(entries: readonly OutlineEntry[], parent: Pdf['outline']): void {
    for (const { title, page, entries: inner } of entries) {
      // The cover is the first page.
      this.#addOutline(inner, parent.addItem(title, { pageNumber: page + 1 }));
    }
  }

  /** What was written since the last call, in pieces that are worth a write of their own. */
  *take(): Generator<Buffer> {
    let small: Buffer[] = [];
    let bytes = 0;
    for (let piece = this.#pdf.read(); piece !== null; piece = this.#pdf.read()) {
      small.push(piece);
      bytes += piece.length;
      if (bytes < pieceBytes) continue;
      yield* small.length === 1 ? small : joinedButLarge(small);
      [small, bytes] = [[], 0];
    }
    if (small.length > 0) yield Buffer.concat(small);
  }
}

const pieceBytes = 64 * 1024;

/** Joins small pieces; a large one, such as a scan, is not copied. */
function* joinedButLarge(pieces: readonly Buffer[]): Generator<Buffer> {
  const last = pieces.at(-1);
  yield Buffer.concat(pieces.slice(0, -1));
  if (last !== undefined) yield last;
}

/** The bytes of a document. Rejects with UnusableJpegError where the bytes of a page are no JPEG file that PDF knows. */
export async function* writeDocument(
  plan: DocumentPlan,
  pages: AsyncIterable<DocumentPage>,
  fonts: CoverFonts,
): AsyncGenerator<Buffer> {
  const writer = new DocumentWriter(plan, fonts);
  yield* writer.take();
  for await (const page of pages) {
    writer.add(page);
    yield* writer.take();
  }
  writer.end();
  yield* writer.take();
}
