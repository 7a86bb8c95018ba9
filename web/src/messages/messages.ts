/** Every text that the reading room shows, in each of its languages; `{name}` stands for a value. */

/** The languages that the reading room speaks, by their BCP 47 tags, with their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languages;

/** One text in every language. */
type Message = Readonly<Record<Language, string>>;

/** By what they say or do; parts of the page have their own groups. */
export const messages = {
  library: { en: 'Library', de: 'Bibliothek' },
  close: { en: 'Close', de: 'Schließen' },
  cancel: { en: 'Cancel', de: 'Abbrechen' },
  copy: { en: 'Copy', de: 'Kopieren' },
  copied: { en: 'Copied', de: 'Kopiert' },
} as const satisfies Record<string, Message>;

export type MessageKey = keyof typeof messages;
