/** XML documents of the digilib endpoints as data, before they are serialized (digilib.md, section 4). */

/** An element with either text or elements in it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly content?: string | readonly XmlElement[];
}

/** An element that contains only text. */
export const textElement = (name: string, text: string | number): XmlElement => ({ name, content: String(text) });
