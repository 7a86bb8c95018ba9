/** The document of dlContext-xml.jsp: the contexts of an image (digilib.md, section 4). */
import type { Disclosure } from '../../core/image/folder/folder-description.ts';
import type { ImageContext, ImageSet } from '../../core/image/model/image-set.ts';
import { textElement, type WrittenElement } from '../../core/text/markup.ts';

function contextElement(context: ImageContext): WrittenElement {
  if (context.kind === 'text') return textElement('context', context.text);
  const { link, name } = context;
  return {
    name: 'context',
    content: [
      ...(link === undefined ? [] : [textElement('link', link)]),
      ...(name === undefined ? [] : [textElement('name', name)]),
    ],
  };
}

/** As in digilib, a single text is the content of the result itself; all else has an element each. */
export function contextXml(answer: Disclosure<ImageSet>): WrittenElement {
  const contexts = answer.kind === 'shown' ? answer.value.metadata.contexts : [];
  const [first, ...more] = contexts;
  if (first?.kind === 'text' && more.length === 0) return textElement('result', first.text);
  return { name: 'result', content: contexts.map(contextElement) };
}
