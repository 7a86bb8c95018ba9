/** Reads XML: text to a well-formed document. */
import { DOMParser, type Element } from '@xmldom/xmldom';

/** XML that is not well-formed; the message is the parser’s first complaint. */
export class XmlSyntaxError extends Error {
  /** From 1; 0 where the parser names no line. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.name = 'XmlSyntaxError';
    this.line = line;
  }
}

export interface XmlDocument {
  readonly root: Element;
  /** Whether its document type has declarations of its own, such as entities. None of these is ever expanded. */
  readonly hasDeclarations: boolean;
}

/** The parser warns of U+FFFD as a sign of a wrong encoding, but these bytes have been decoded strictly. */
const isHarmless = (level: string, message: string): boolean =>
  level === 'warning' && message.startsWith('Unicode replacement character');

/** Parses a document. Throws XmlSyntaxError, also for what the parser only warns of. */
export function parseXmlDocument(text: string): XmlDocument {
  let first: XmlSyntaxError | undefined;
  const parser = new DOMParser({
    onError: (level, message, context: { readonly locator?: { readonly lineNumber?: number } }) => {
      if (isHarmless(level, message)) return;
      first ??= new XmlSyntaxError(message, Math.max(0, context.locator?.lineNumber ?? 0));
      throw first;
    },
  });
  try {
    const { documentElement, doctype } = parser.parseFromString(text, 'application/xml');
    if (documentElement === null) throw new XmlSyntaxError('missing root element', 0);
    return { root: documentElement, hasDeclarations: Boolean(doctype?.internalSubset) };
  } catch (error) {
    throw first ?? new XmlSyntaxError(error instanceof Error ? error.message : String(error), 0);
  }
}

export function childElements(element: Element): readonly Element[] {
  const children: Element[] = [];
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeType === node.ELEMENT_NODE) children.push(node as Element);
  }
  return children;
}
