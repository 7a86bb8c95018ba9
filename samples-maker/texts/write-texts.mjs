// Writes the words of a page as ALTO, PAGE and hOCR, as programs that recognize text do.

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 * @typedef {{ text: string, box: Box, confidence?: number }} Word
 * @typedef {{ words: readonly Word[], language?: string | undefined }} Line
 * @typedef {{ width: number, height: number, language: string, image: string, blocks: readonly (readonly Line[])[] }} Page
 */

const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const rounded = (number) => String(Math.round(number * 100) / 100);

/** @param {readonly { readonly box: Box }[]} parts */
function around(parts) {
  const left = Math.min(...parts.map(({ box }) => box.x));
  const top = Math.min(...parts.map(({ box }) => box.y));
  const right = Math.max(...parts.map(({ box }) => box.x + box.width));
  const bottom = Math.max(...parts.map(({ box }) => box.y + box.height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** @param {readonly Line[]} block */
const boxOfBlock = (block) => around(block.map(({ words }) => ({ box: around(words) })));

/** How many of ALTO's units a pixel of a scan with 300 dpi has. */
const unitsOfPixel = { pixel: 1, mm10: 254 / 300, inch1200: 1200 / 300 };

/**
 * ALTO 4. `unit` is a MeasurementUnit; lengths are those of a scan with 300 dpi.
 *
 * @param {Page} page
 * @param {keyof typeof unitsOfPixel} [unit]
 */
export function altoOf({ width, height, language, image, blocks }, unit = 'pixel') {
  const factor = unitsOfPixel[unit];
  const length = (number) => rounded(number * factor);
  const place = ({ x, y, width: w, height: h }) =>
    `HPOS="${length(x)}" VPOS="${length(y)}" WIDTH="${length(w)}" HEIGHT="${length(h)}"`;
  const word = ({ text, box, confidence }) =>
    `<String CONTENT="${escaped(text)}" ${place(box)}${confidence === undefined ? '' : ` WC="${confidence}"`}/>`;
  const line = ({ words, language: own }) =>
    `<TextLine ${place(around(words))}${own === undefined ? '' : ` LANG="${own}"`}>\n${words.map(word).join('\n')}\n</TextLine>`;
  const block = (lines, index) =>
    `<TextBlock ID="block${index + 1}" ${place(boxOfBlock(lines))} LANG="${language}">\n${lines.map(line).join('\n')}\n</TextBlock>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#" SCHEMAVERSION="4.2">
<Description><MeasurementUnit>${unit}</MeasurementUnit><sourceImageInformation><fileName>${escaped(image)}</fileName></sourceImageInformation></Description>
<Layout><Page ID="page" PHYSICAL_IMG_NR="1" WIDTH="${length(width)}" HEIGHT="${length(height)}"><PrintSpace>
${blocks.map(block).join('\n')}
</PrintSpace></Page></Layout>
</alto>
`;
}

/**
 * PAGE 2019.
 *
 * @param {Page} page
 */
export function pageXmlOf({ width, height, image, blocks }) {
  const points = ({ x, y, width: w, height: h }) =>
    [
      [x, y],
      [x + w, y],
      [x + w, y + h],
      [x, y + h],
    ]
      .map(([px, py]) => `${Math.round(px ?? 0)},${Math.round(py ?? 0)}`)
      .join(' ');
  const coords = (box) => `<Coords points="${points(box)}"/>`;
  const text = (content, confidence) =>
    `<TextEquiv${confidence === undefined ? '' : ` conf="${confidence}"`}><Unicode>${escaped(content)}</Unicode></TextEquiv>`;
  const word = ({ text: content, box, confidence }, id) =>
    `<Word id="${id}">${coords(box)}${text(content, confidence)}</Word>`;
  const line = ({ words, language }, id) =>
    `<TextLine id="${id}"${language === 'la' ? ' primaryLanguage="Latin"' : ''}>${coords(around(words))}\n${words
      .map((one, index) => word(one, `${id}w${index}`))
      .join('\n')}\n${text(words.map((one) => one.text).join(' '))}</TextLine>`;
  const region = (lines, index) =>
    `<TextRegion id="r${index}" primaryLanguage="English">${coords(boxOfBlock(lines))}\n${lines
      .map((one, at) => line(one, `r${index}l${at}`))
      .join('\n')}\n</TextRegion>`;
  const references = blocks.map((_, index) => `<RegionRefIndexed index="${index}" regionRef="r${index}"/>`).join('');
  // The regions stand in the file in another order than they are read in.
  const regions = blocks.map(region).toReversed();
  return `<?xml version="1.0" encoding="UTF-8"?>
<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Metadata><Creator>a script</Creator><Created>2020-01-01T00:00:00</Created><LastChange>2020-01-01T00:00:00</LastChange></Metadata>
<Page imageFilename="${escaped(image)}" imageWidth="${width}" imageHeight="${height}">
<ReadingOrder><OrderedGroup id="order">${references}</OrderedGroup></ReadingOrder>
${regions.join('\n')}
</Page>
</PcGts>
`;
}

/** One page of hOCR, without the document around it. */
function hocrPage({ width, height, image, blocks }, number) {
  const bounds = ({ x, y, width: w, height: h }) =>
    `bbox ${[x, y, x + w, y + h].map((value) => Math.round(value)).join(' ')}`;
  const word = ({ text, box, confidence }) =>
    `<span class="ocrx_word" title="${bounds(box)}${confidence === undefined ? '' : `; x_wconf ${Math.round(confidence * 100)}`}">${escaped(text)}</span>`;
  const line = ({ words, language }) =>
    `<span class="ocr_line" title="${bounds(around(words))}; baseline 0 0"${language === undefined ? '' : ` lang="${language}"`}>${words.map(word).join('\n')}</span>`;
  const block = (lines) =>
    `<div class="ocr_carea" title="${bounds(boxOfBlock(lines))}"><p class="ocr_par">${lines.map(line).join('\n')}</p></div>`;
  return `<div class="ocr_page" title='image "${escaped(image)}"; bbox 0 0 ${width} ${height}; ppageno ${number}'>
${blocks.map(block).join('\n')}
</div>`;
}

/**
 * hOCR of one page or of a whole book.
 *
 * @param {readonly Page[]} pages
 */
export const hocrOf = (pages) => `<!DOCTYPE html>
<html lang="${pages[0]?.language ?? 'en'}">
<head><meta charset="utf-8"><title>A book</title><meta name="ocr-system" content="a script">
<meta name="ocr-capabilities" content="ocr_page ocr_carea ocr_par ocr_line ocrx_word"></head>
<body>
${pages.map(hocrPage).join('\n')}
</body>
</html>
`;
