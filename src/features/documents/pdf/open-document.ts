/** A PDFKit document with what PDFKit has no methods for: our metadata, page labels, and JPEG files with their profiles. */
import PDFDocument from 'pdfkit';
import type { Size } from '../../../core/image/model/geometry.ts';
import type { DocumentFacts } from './document.ts';
import type { JpegFacts } from './jpeg-facts.ts';

/** An object of the file. PDFKit's types name few of its members. */
export interface Reference {
  readonly id: number;
  readonly data: Record<string, unknown>;
  /** Where the object begins in the file, in bytes. */
  offset: number;
  end(bytes?: Buffer | string): void;
}

export interface StructureElement {
  add(child: StructureElement | (() => void)): StructureElement;
  end(): void;
}

interface OutlineItem {
  addItem(title: string, options?: { readonly pageNumber?: number; readonly expanded?: boolean }): OutlineItem;
}

/** The members of PDFKit's documents that are used here; some are not in its published types. */
export interface Pdf {
  readonly page: {
    readonly dictionary: Reference;
    readonly xobjects: Record<string, Reference>;
    readonly fonts: Record<string, Reference>;
  };
  x: number;
  y: number;
  readonly outline: OutlineItem;
  readonly _root: Reference;
  /** The length of what is written, in bytes. */
  readonly _offset: number;
  /** Whether the content of pages that are added from now on is compressed. */
  compress: boolean;
  /** Writes bytes, or a line. */
  _write(data: Uint8Array | string): void;
  _refEnd(reference: Reference): void;
  _addInfo(): void;
  subset?: number;
  endSubset?(): void;
  appendXML(xml: string): void;
  ref(data: object): Reference;
  addPage(options: { readonly size: readonly [number, number]; readonly margin: number }): void;
  addContent(operators: string): void;
  struct(type: string, options?: object, children?: object): StructureElement;
  addStructure(element: StructureElement): void;
  font(file: Buffer): Pdf;
  fontSize(size: number): Pdf;
  registerFont(name: string, file: Buffer): void;
  widthOfString(text: string): number;
  text(text: string, x: number, y: number, options: object): Pdf;
  link(x: number, y: number, width: number, height: number, address: string, options?: object): Pdf;
  fillColor(color: string): Pdf;
  strokeColor(color: string): Pdf;
  lineWidth(width: number): Pdf;
  moveTo(x: number, y: number): Pdf;
  lineTo(x: number, y: number): Pdf;
  stroke(): Pdf;
  image(file: Buffer, x: number, y: number, options: object): Pdf;
  openImage(file: Buffer): Size;
  markContent(tag: string, options?: object): void;
  endMarkedContent(): void;
  end(): void;
  read(): Buffer | null;
}

/** What a document turns out to be while its pages are written. */
export interface Conformance {
  /** Whether all pages keep to PDF/A-2u (ISO 19005-2) as far as we know. */
  isArchival: boolean;
}

const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;');

const producer = 'Lectern';

/** To the second, as PDF's own dates are: both have to be the same (ISO 19005-2, 6.6.3). */
const inSeconds = (ms: number): Date => new Date(Math.floor(ms / 1000) * 1000);

const alternatives = (name: string, text: string): string =>
  `<dc:${name}><rdf:Alt><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt></dc:${name}>`;

/** The metadata packet (XMP) of a document; PDFKit's own puts texts into XML as they are. */
function metadataOf(facts: DocumentFacts, { isArchival }: Conformance): string {
  const { title, authors, description, rights, address, createdMs, language } = facts;
  const created = inSeconds(createdMs).toISOString().replace('.000', '');
  const creators = authors.map((name) => `<rdf:li>${escaped(name)}</rdf:li>`).join('');
  return [
    '<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"',
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/"',
    ' xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">',
    `<xmp:CreateDate>${created}</xmp:CreateDate><xmp:CreatorTool>${producer}</xmp:CreatorTool>`,
    `<pdf:Producer>${producer}</pdf:Producer>`,
    alternatives('title', title),
    creators === '' ? '' : `<dc:creator><rdf:Seq>${creators}</rdf:Seq></dc:creator>`,
    description === undefined ? '' : alternatives('description', description),
    rights === undefined ? '' : alternatives('rights', rights),
    rights !== undefined && /^https?:/.test(rights)
      ? `<xmpRights:WebStatement>${escaped(rights)}</xmpRights:WebStatement>`
      : '',
    address === undefined ? '' : `<dc:identifier>${escaped(address)}</dc:identifier>`,
    `<dc:language><rdf:Bag><rdf:li>${escaped(language)}</rdf:li></rdf:Bag></dc:language>`,
    isArchival ? '<pdfaid:part>2</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>' : '',
    '</rdf:Description>',
  ].join('');
}

/** Opens a document to which pages are added; its bytes are read from it piece by piece. */
export function openDocument(facts: DocumentFacts, conformance: Conformance): Pdf {
  const document = new PDFDocument({
    autoFirstPage: false,
    // One piece for each write, so that reading does not join them.
    ...{ objectMode: true },
    pdfVersion: '1.7',
    lang: facts.language,
    displayTitle: true,
    tagged: true,
    subset: 'PDF/A-2',
    info: {
      Title: facts.title,
      ...(facts.authors.length > 0 && { Author: facts.authors.join('; ') }),
      ...(facts.description !== undefined && { Subject: facts.description }),
      Creator: producer,
      Producer: producer,
      CreationDate: inSeconds(facts.createdMs),
    },
  } as PDFKit.PDFDocumentOptions) as unknown as Pdf & {
    _addPdfaMetadata(): void;
    getStructParentTree(): { limits: boolean };
  };
  document._addInfo = () => document.appendXML(metadataOf(facts, conformance));
  // The claim is a part of our own metadata, where the pages allow it.
  document._addPdfaMetadata = () => undefined;
  // PDFKit's trees are a root alone, which has none (ISO 32000-1, table 37).
  document.getStructParentTree().limits = false;
  return document;
}

const deviceSpaces = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' } as const;

/** Writes a stream object as PDFKit does, but without copying its bytes; `entries` are those of its dictionary. */
function writeStream(pdf: Pdf, entries: string, bytes: Buffer): Reference {
  const reference = pdf.ref({});
  reference.offset = pdf._offset;
  pdf._write(`${reference.id} 0 obj\n<< ${entries} /Length ${bytes.length} >>\nstream`);
  pdf._write(bytes);
  pdf._write('\nendstream\nendobj');
  pdf._refEnd(reference);
  return reference;
}

/** Adds the images of JPEG files to a document; equal profiles are stored once. */
export class JpegImages {
  readonly #pdf: Pdf;
  readonly #profiles = new Map<string, Reference>();

  constructor(pdf: Pdf) {
    this.#pdf = pdf;
  }

  /** The bytes become the stream of the image as they are (DCTDecode; ISO 32000-1, 7.4.8). */
  add(bytes: Buffer, { width, height, components, adobe, profile }: JpegFacts): Reference {
    const device = deviceSpaces[components];
    const space =
      profile === undefined ? `/${device}` : `[/ICCBased ${this.#profileOf(profile, components, device)} 0 R]`;
    // Programs that write Adobe's segment store the inks inverted.
    const decode = components === 4 && adobe ? '/Decode [1 0 1 0 1 0 1 0]' : '';
    const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
    return writeStream(this.#pdf, `${entries} /ColorSpace ${space} ${decode} /Filter /DCTDecode`, bytes);
  }

  #profileOf(profile: Buffer, components: number, Alternate: string): number {
    const key = profile.toString('latin1');
    const known = this.#profiles.get(key);
    if (known !== undefined) return known.id;
    const reference = this.#pdf.ref({ N: components, Alternate });
    reference.end(profile);
    // A document of many profiles stores some of them twice instead of holding all of them in memory.
    if (this.#profiles.size < 16) this.#profiles.set(key, reference);
    return reference.id;
  }
}
