/** Documents for Word (Office Open XML, ECMA-376 part 1): headings, paragraphs, links and pictures. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type ZipEntry, zipOf } from './zip.ts';

export type WordBlock =
  | { readonly kind: 'title' | 'heading' | 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly address: string }
  | { readonly kind: 'picture'; readonly jpeg: Uint8Array; readonly size: Size; readonly alt: string };

/** Characters that XML 1.0 does not have. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string): string =>
  text
    .replace(forbidden, '')
    .replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '');

const namespaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
].join(' ');

const runOf = (text: string, properties = ''): string =>
  `<w:r>${properties}${text
    .split('\n')
    .map((line) => `<w:t xml:space="preserve">${escaped(line)}</w:t>`)
    .join('<w:br/>')}</w:r>`;

const styles = { title: 'Title', heading: 'Heading1', text: 'Normal' } as const;

/** Units of the format: 914,400 in an inch. */
const perInch = 914_400;

/** The most that a picture takes, in inches. */
const widest = 5.5;
const highest = 3.5;

function drawing(size: Size, alt: string, number: number): string {
  const scale = Math.min(widest / size.width, highest / size.height) * perInch;
  const [cx, cy] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  const named = `id="${number}" name="Picture ${number}" descr="${escaped(alt)}"`;
  return (
    `<w:r><w:drawing><wp:inline><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr ${named}/><a:graphic>` +
    '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>' +
    `<pic:nvPicPr><pic:cNvPr ${named}/><pic:cNvPicPr/></pic:nvPicPr>` +
    `<pic:blipFill><a:blip r:embed="r${number}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>` +
    `<pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm>` +
    '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
  );
}

function paragraph(block: WordBlock, number: number): string {
  if (block.kind === 'picture') return `<w:p>${drawing(block.size, block.alt, number)}</w:p>`;
  if (block.kind === 'link') {
    const run = runOf(block.text, '<w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr>');
    return `<w:p><w:hyperlink r:id="r${number}">${run}</w:hyperlink></w:p>`;
  }
  return `<w:p><w:pPr><w:pStyle w:val="${styles[block.kind]}"/></w:pPr>${runOf(block.text)}</w:p>`;
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const relation = (id: string, type: string, target: string, more = ''): string =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${escaped(target)}"${more}/>`;

const relations = (inside: string): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inside}</Relationships>`;

function relationOf(block: WordBlock, number: number): string {
  if (block.kind === 'picture') return relation(`r${number}`, 'image', `media/${number}.jpg`);
  return block.kind === 'link' ? relation(`r${number}`, 'hyperlink', block.address, ' TargetMode="External"') : '';
}

const style = (id: string, name: string, halfPoints: number, isBold: boolean): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"${id === 'Normal' ? ' w:default="1"' : ''}><w:name w:val="${name}"/>` +
  `<w:pPr><w:spacing w:after="120"/></w:pPr><w:rPr>${isBold ? '<w:b/>' : ''}<w:sz w:val="${halfPoints}"/></w:rPr></w:style>`;

/** The name of the part with the text. */
const main = 'document';

const contentTypes =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="jpg" ContentType="image/jpeg"/>' +
  `<Override PartName="/word/${main}.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.${main}.main+xml"/>` +
  '<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>';

const xml = (name: string, text: string): ZipEntry => ({
  name,
  bytes: new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`),
});

/** The bytes of a `.docx` file with these blocks. */
export function wordDocument(blocks: readonly WordBlock[]): Uint8Array<ArrayBuffer> {
  const body = blocks.map((block, index) => paragraph(block, index + 1)).join('');
  const styleList = [
    style('Normal', 'Normal', 22, false),
    style('Title', 'Title', 40, true),
    style('Heading1', 'heading 1', 28, true),
  ].join('');
  const own = blocks.map((block, index) => relationOf(block, index + 1)).join('');
  return zipOf([
    xml('[Content_Types].xml', contentTypes),
    xml('_rels/.rels', relations(relation('r1', 'officeDocument', `word/${main}.xml`))),
    xml(`word/${main}.xml`, `<w:document ${namespaces}><w:body>${body}</w:body></w:document>`),
    xml('word/styles.xml', `<w:styles ${namespaces}>${styleList}</w:styles>`),
    xml(`word/_rels/${main}.xml.rels`, relations(own + relation('styles', 'styles', 'styles.xml'))),
    ...blocks.flatMap((block, index) =>
      block.kind === 'picture' ? [{ name: `word/media/${index + 1}.jpg`, bytes: block.jpeg }] : [],
    ),
  ]);
}
