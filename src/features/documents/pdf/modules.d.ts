/** Types of packages that have none. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    /** The next place where a line may or must end; null behind the end of the text. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}

declare module 'bidi-js' {
  interface EmbeddingLevels {
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[];
    /** One for each UTF-16 unit. */
    readonly levels: Uint8Array;
  }
  interface Bidi {
    getEmbeddingLevels(text: string, baseDirection?: 'ltr' | 'rtl' | 'auto'): EmbeddingLevels;
    getMirroredCharacter(character: string): string | null;
  }
  export default function bidiFactory(): Bidi;
}
