/** Reads XML as a stream of events within bounds: nothing of a document type is ever expanded. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { quote } from '../../../core/text/quote.ts';
import { charactersPerTurn, maxDepth } from './limits.ts';
import { TextFaultError } from './text-fault.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Called in document order. Names of elements are without their prefixes. */
export interface XmlHandlers {
  open(name: string, attributes: Attributes): void;
  close(name: string): void;
  /** A part of the text of the innermost element. */
  text(text: string): void;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The parser's message without its place, which the fault names itself. */
const sentenceOf = (message: string): string =>
  `The XML is not well-formed: ${quote(message.replace(/^[^ ]*\d+:\d+: /, '').replace(/\.$/, ''))}.`;

/** Rejects with TextFaultError at the first fault, also for one of a handler. */
export async function readXmlEvents(text: string, { open, close, text: onText }: XmlHandlers): Promise<void> {
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('error', (error) => {
    throw new TextFaultError(sentenceOf(error.message), parser.line);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > maxDepth) {
      throw new TextFaultError(`More than ${maxDepth} elements are inside of each other.`, parser.line);
    }
    open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    close(localName(name));
  });
  parser.on('text', onText);
  parser.on('cdata', onText);
  for (let at = 0; at < text.length; at += charactersPerTurn) {
    if (at > 0) await nextTurn();
    parser.write(text.slice(at, at + charactersPerTurn));
  }
  parser.close();
}
