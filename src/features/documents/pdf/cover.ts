/** Draws the cover: the head of the library, the title, what the metadata says, and at the foot where the document is from. */
import type { Size } from '../../../core/image/model/geometry.ts';
import { a4, type Cover, type CoverRow } from './document.ts';
import type { CoverFont, CoverFonts, Weight } from './fonts.ts';
import type { Pdf, StructureElement } from './open-document.ts';
import { type LaidParagraph, layOut } from './text-layout.ts';

/** In points. */
const margin = { left: 68, right: 68, top: 62, bottom: 56 } as const;
const textWidth = a4.width - margin.left - margin.right;
const labelWidth = 112;
const columnGap = 18;

const ink = '#1d1a17';
const soft = '#6a625a';
const accent = '#7a3b1d';
const hairline = '#cfc6bb';

interface Style {
  readonly size: number;
  /** From line to line, as a multiple of the size. */
  readonly leading: number;
  readonly weight: Weight;
  readonly color: string;
}

const styles = {
  heading: { size: 12, leading: 1.4, weight: 'bold', color: ink },
  subheading: { size: 9.5, leading: 1.4, weight: 'regular', color: soft },
  summary: { size: 11, leading: 1.5, weight: 'regular', color: soft },
  label: { size: 8.5, leading: 1.45, weight: 'regular', color: soft },
  value: { size: 10, leading: 1.45, weight: 'regular', color: ink },
  link: { size: 10, leading: 1.45, weight: 'regular', color: accent },
  small: { size: 8.5, leading: 1.45, weight: 'regular', color: ink },
  smallLink: { size: 8.5, leading: 1.45, weight: 'regular', color: accent },
} as const satisfies Readonly<Record<string, Style>>;

/** The width of the narrowest characters, as a part of the size. */
const narrowest = 0.2;

/** Long titles are set smaller, in sizes that still look like a title. */
const titleSizes = [30, 26, 22, 18, 15] as const;
const mostTitleLines = 5;

interface Column {
  readonly x: number;
  readonly width: number;
}

const whole: Column = { x: margin.left, width: textWidth };

/** Lays out and draws paragraphs on the current page, each as an element of the structure of the document. */
class Pen {
  readonly #pdf: Pdf;
  readonly #fonts: CoverFonts;
  readonly #section: StructureElement;
  readonly #registered = new Set<string>();

  constructor(pdf: Pdf, fonts: CoverFonts, section: StructureElement) {
    this.#pdf = pdf;
    this.#fonts = fonts;
    this.#section = section;
  }

  #use({ name, file }: CoverFont, size: number): Pdf {
    if (!this.#registered.has(name)) this.#pdf.registerFont(name, file);
    this.#registered.add(name);
    return (this.#pdf as unknown as { font(name: string): Pdf }).font(name).fontSize(size);
  }

  layOut(text: string, { weight, size }: Style, width: number, maxLines: number): LaidParagraph {
    const measure = (part: string, font: CoverFont): number => this.#use(font, size).widthOfString(part);
    // What can’t be in these lines need not be measured.
    const shown = text.slice(0, Math.ceil(((maxLines + 1) * width) / (size * narrowest)));
    return layOut(shown, { fonts: this.#fonts, weight, width, maxLines, measure });
  }

  /** Draws a paragraph from `y` on and returns where it ends. */
  draw(laid: LaidParagraph, style: Style, column: Column, y: number, tag: 'P' | 'H1' = 'P'): number {
    this.#section.add(this.#pdf.struct(tag, {}, [() => this.#drawLines(laid, style, column, y)]));
    return y + heightOf(laid, style);
  }

  /** The same for a paragraph that leads somewhere. */
  drawLink(laid: LaidParagraph, style: Style, column: Column, y: number, address: string): number {
    const pdf = this.#pdf;
    const link = pdf.struct('Link');
    this.#section.add(link);
    link.add(() => this.#drawLines(laid, style, column, y));
    const height = heightOf(laid, style);
    const contents = new String(address);
    pdf.link(column.x, y, column.width, height, address, { F: 4, Contents: contents, structParent: link });
    link.end();
    return y + height;
  }

  #drawLines({ lines, rightToLeft }: LaidParagraph, style: Style, { x, width }: Column, y: number): void {
    const step = style.size * style.leading;
    lines.forEach((line, index) => {
      const left = rightToLeft ? x + width - line.width : x;
      const baseline = y + index * step + style.size * 1.05;
      for (const piece of line.pieces) {
        this.#use(piece.font, style.size)
          .fillColor(style.color)
          .text(piece.text, left + piece.x, baseline, { lineBreak: false, baseline: 'alphabetic' });
      }
    });
  }
}

const heightOf = ({ lines }: LaidParagraph, { size, leading }: Style): number => lines.length * size * leading;

interface LaidRow {
  readonly label: LaidParagraph;
  readonly values: readonly LaidParagraph[];
  readonly height: number;
  readonly row: CoverRow;
}

interface Columns {
  readonly label: Column;
  readonly value: Column;
}

/** The labels stand where a line begins. */
function columnsOf(isMirrored: boolean): Columns {
  const valueWidth = textWidth - labelWidth - columnGap;
  return isMirrored
    ? {
        label: { x: margin.left + valueWidth + columnGap, width: labelWidth },
        value: { x: margin.left, width: valueWidth },
      }
    : {
        label: { x: margin.left, width: labelWidth },
        value: { x: margin.left + labelWidth + columnGap, width: valueWidth },
      };
}

/** The lines of one row are bounded, so that one long text leaves room for the others. */
const mostRowLines = 8;

function layOutRow(row: CoverRow, columns: Columns, pen: Pen, style: Style): LaidRow {
  const label = pen.layOut(row.label, styles.label, columns.label.width, 3);
  const values = row.values
    .slice(0, mostRowLines)
    .map((value) => pen.layOut(value, style, columns.value.width, mostRowLines))
    .filter(({ lines }) => lines.length > 0);
  const height = Math.max(
    heightOf(label, styles.label),
    values.reduce((sum, value) => sum + heightOf(value, style), 0),
  );
  return { label, values, height, row };
}

const rowGap = 6;

/** Draws a row from `y` on; returns where the next one begins. */
function drawRow(pen: Pen, { label, values, height, row }: LaidRow, columns: Columns, y: number, style: Style): number {
  if (values.length === 0) return y;
  // Both stand on one line, although the letters of the label are smaller.
  pen.draw(label, styles.label, columns.label, y + (style.size - styles.label.size) * 1.05);
  let end = y;
  for (const value of values) {
    end =
      row.address === undefined
        ? pen.draw(value, style, columns.value, end)
        : pen.drawLink(value, style, columns.value, end, row.address);
  }
  return y + height + rowGap;
}

function rule(pdf: Pdf, y: number, color = hairline, width = 0.6, length = textWidth): void {
  pdf.markContent('Artifact');
  pdf
    .strokeColor(color)
    .lineWidth(width)
    .moveTo(length < 0 ? margin.left + textWidth : margin.left, y)
    .lineTo((length < 0 ? margin.left + textWidth : margin.left) + length, y)
    .stroke();
  pdf.endMarkedContent();
}

const logoHeight = 40;
const mostLogoWidth = 150;

/** A logo that can't be read is left out: it may have been replaced since the start. */
function drawLogo(pdf: Pdf, logo: Buffer | undefined): number {
  if (logo === undefined) return 0;
  try {
    const { width, height } = pdf.openImage(logo);
    const scale = Math.min(logoHeight / height, mostLogoWidth / width);
    pdf.markContent('Artifact');
    pdf.image(logo, margin.left, margin.top, { width: width * scale, height: height * scale });
    pdf.endMarkedContent();
    return width * scale;
  } catch {
    return 0;
  }
}

function drawHead(pdf: Pdf, pen: Pen, { logo, heading }: Cover): number {
  if (logo === undefined && heading.length === 0) return margin.top;
  const logoWidth = drawLogo(pdf, logo);
  const x = margin.left + (logoWidth === 0 ? 0 : logoWidth + 16);
  const column = { x, width: margin.left + textWidth - x };
  const [first, ...others] = heading;
  let y = margin.top + (logoWidth === 0 ? 0 : heading.length === 1 ? 12 : 4);
  if (first !== undefined) {
    y = pen.draw(pen.layOut(first, styles.heading, column.width, 2), styles.heading, column, y);
  }
  for (const line of others) {
    y = pen.draw(pen.layOut(line, styles.subheading, column.width, 2), styles.subheading, column, y);
  }
  const end = Math.max(y, logoWidth === 0 ? 0 : margin.top + logoHeight) + 14;
  rule(pdf, end);
  return end;
}

function layOutTitle(title: string, pen: Pen): { readonly laid: LaidParagraph; readonly style: Style } {
  for (const size of titleSizes) {
    const style: Style = { size, leading: 1.24, weight: 'bold', color: ink };
    const laid = pen.layOut(title, style, textWidth, mostTitleLines);
    const fits =
      pen.layOut(title, style, textWidth, mostTitleLines + 1).lines.length <= (size > 22 ? 3 : mostTitleLines);
    if (fits || size === titleSizes.at(-1)) return { laid, style };
  }
  throw new RangeError('there is no size for titles');
}

const footStyle = ({ address }: CoverRow): Style => (address === undefined ? styles.small : styles.smallLink);
const rowStyle = ({ address }: CoverRow): Style => (address === undefined ? styles.value : styles.link);

/** Draws the foot at the bottom of the page; returns where it begins. */
function drawFoot(pdf: Pdf, pen: Pen, { foot }: Cover, columns: Columns): number {
  const rows = foot.map((row) => layOutRow(row, columns, pen, footStyle(row)));
  if (rows.length === 0) return a4.height - margin.bottom;
  const top = footTop(rows);
  rule(pdf, top - 12);
  let y = top;
  for (const laid of rows) y = drawRow(pen, laid, columns, y, footStyle(laid.row));
  return top - 24;
}

const footTop = (rows: readonly LaidRow[]): number =>
  a4.height - margin.bottom - rows.reduce((sum, { height }) => sum + height + rowGap, 0);

/** Draws the rows as far as there is room for them. */
function drawRows(pen: Pen, { rows }: Cover, columns: Columns, from: number, bottom: number): void {
  let y = from;
  for (const row of rows) {
    const laid = layOutRow(row, columns, pen, rowStyle(row));
    if (y + laid.height > bottom) return;
    y = drawRow(pen, laid, columns, y, rowStyle(row));
  }
}

/** Draws the cover on the current page, with its paragraphs in a section of the structure of the document. */
export function drawCover(pdf: Pdf, cover: Cover, fonts: CoverFonts, section: StructureElement): void {
  const pen = new Pen(pdf, fonts, section);
  const head = drawHead(pdf, pen, cover);
  const { laid, style } = layOutTitle(cover.title, pen);
  const columns = columnsOf(laid.rightToLeft);
  let y = pen.draw(laid, style, whole, head + 64, 'H1');
  if (cover.subtitle !== undefined) {
    const subtitle = pen.layOut(cover.subtitle, styles.summary, textWidth, 6);
    y = pen.draw(subtitle, styles.summary, whole, y + 8);
  }
  const bottom = footTop(cover.foot.map((row) => layOutRow(row, columns, pen, footStyle(row)))) - 24;
  if (cover.rows.length > 0) {
    rule(pdf, y + 26, accent, 1.4, laid.rightToLeft ? -44 : 44);
    drawRows(pen, cover, columns, y + 48, bottom);
  }
  drawFoot(pdf, pen, cover, columns);
}

/** Draws a sentence on a sheet whose picture is missing, as large as the sheet allows. */
export function drawNote(pdf: Pdf, note: string, fonts: CoverFonts, section: StructureElement, sheet: Size): void {
  const pen = new Pen(pdf, fonts, section);
  const side = Math.min(sheet.width, sheet.height);
  const style = { ...styles.summary, size: Math.max(1, side / 24) };
  const column = { x: sheet.width * 0.1, width: sheet.width * 0.8 };
  pen.draw(pen.layOut(note, style, column.width, 6), style, column, sheet.height * 0.4);
}
