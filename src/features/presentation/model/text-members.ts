/** The texts of pages in manifests: their files, plain text, and lines as annotations (Presentation 3.0, "seeAlso", "rendering"). */

import type { TextServices } from '../../../core/image/addresses/iiif-addresses.ts';
import type { PageDescription } from '../../../core/image/folder/folder-description.ts';
import { textFormats } from '../../../core/image/model/text-formats.ts';
import { type PageText, type TextLine, textOfLine } from '../../../core/image/page-text/page-text.ts';
import type { AccessServices } from '../../../core/ports.ts';
import type { CanvasAnnotation } from './web-annotations.ts';

/** What a canvas of Presentation 3 says of its text. */
export function textMembers3({ text }: PageDescription, addresses: TextServices, access?: AccessServices): object {
  if (text === undefined) return {};
  const { name, mediaType, extension } = textFormats[text.format];
  const probed = (address: string): object =>
    access === undefined ? {} : { service: [access.probe(address, 'referring')] };
  const plain = {
    id: addresses.text('txt'),
    type: 'Text',
    label: { en: ['Plain text'], de: ['Text'], fr: ['Texte brut'] },
    format: 'text/plain',
    ...probed(addresses.text('txt')),
  };
  if (text.format === 'plain') return { rendering: [plain] };
  const file = {
    id: addresses.text(extension),
    type: 'Dataset',
    label: { none: [name] },
    format: mediaType,
    ...(text.profile === undefined ? {} : { profile: text.profile }),
    ...probed(addresses.text(extension)),
  };
  return { seeAlso: [file], rendering: [plain] };
}

/** What a canvas of Presentation 2 says of its text. A file of ALTO or PAGE is named by its profile, as harvesters expect it. */
export function textMembers2({ text }: PageDescription, addresses: TextServices): object {
  if (text === undefined) return {};
  const { name, mediaType, extension } = textFormats[text.format];
  const rendering = { '@id': addresses.text('txt'), label: 'Plain text', format: 'text/plain' };
  if (text.format === 'plain') return { rendering };
  const profile = text.profile === undefined ? {} : { profile: text.profile };
  return { seeAlso: { '@id': addresses.text(extension), label: name, format: mediaType, ...profile }, rendering };
}

const languageOf = (line: TextLine, ofBlock: string | undefined, ofPage: string | undefined): object => {
  const language = line.language ?? ofBlock ?? ofPage;
  return language === undefined ? {} : { language };
};

/** The lines of a page as annotations that supplement its canvas; those without a place are about the whole of it. */
export function lineAnnotations({ blocks, language }: PageText): readonly CanvasAnnotation[] {
  return blocks.flatMap((block) =>
    block.lines.map((line) => {
      const { x, y, width, height } = line.box ?? { x: 0, y: 0, width: 0, height: 0 };
      const selector = {
        type: 'FragmentSelector',
        conformsTo: 'http://www.w3.org/TR/media-frags/',
        value: `xywh=${x},${y},${width},${height}`,
      };
      return {
        id: '',
        motivation: ['supplementing'],
        bodies: [
          {
            type: 'TextualBody',
            value: textOfLine(line),
            format: 'text/plain',
            ...languageOf(line, block.language, language),
          },
        ],
        selectors: line.box === undefined ? [] : [selector],
        more: { textGranularity: 'line' },
      };
    }),
  );
}
