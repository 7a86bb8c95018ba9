/** XML as data: what the digilib endpoints say, before anything is written (digilib.md, section 4). */

/** An element with either text or elements in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly content?: string | readonly XmlElement[];
}

/** An element that holds text alone. */
export const textElement = (name: string, text: string | number): XmlElement => ({ name, content: String(text) });
