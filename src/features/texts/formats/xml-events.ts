/** Reads XML as a stream of events within bounds, and leaves other requests their turn. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createXmlParser, type XmlHandlers, XmlSyntaxError } from '../../../core/text/xml.ts';
import { charactersPerTurn } from './limits.ts';
import { TextFaultError } from './text-fault.ts';

/** Rejects with TextFaultError at the first fault, also for one of a handler. */
export async function readXmlEvents(text: string, handlers: XmlHandlers): Promise<void> {
  const parser = createXmlParser(handlers);
  try {
    for (let at = 0; at < text.length; at += charactersPerTurn) {
      if (at > 0) await nextTurn();
      parser.write(text.slice(at, at + charactersPerTurn));
    }
    parser.close();
  } catch (error) {
    throw error instanceof XmlSyntaxError ? new TextFaultError(error.sentence, error.line) : error;
  }
}
