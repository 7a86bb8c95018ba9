/** Every text that the reading room shows, in each of its languages; `{name}` stands for a value. */

/** The languages that the reading room speaks, by their BCP 47 tags, with their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languages;

/** One text in every language. */
type Message = Readonly<Record<Language, string>>;

/** By what they say or do; parts of the page have their own groups. */
export const messages = {
  // Everywhere
  library: { en: 'Library', de: 'Bibliothek' },
  close: { en: 'Close', de: 'Schließen' },
  cancel: { en: 'Cancel', de: 'Abbrechen' },
  copy: { en: 'Copy', de: 'Kopieren' },
  copied: { en: 'Copied', de: 'Kopiert' },
  'try-again': { en: 'Try again', de: 'Noch einmal versuchen' },
  loading: { en: 'Loading …', de: 'Lädt …' },
  'skip-to-content': { en: 'Skip to the content', de: 'Zum Inhalt springen' },

  // What can't be shown, and why
  'problem-login': { en: 'This needs a login', de: 'Hier ist eine Anmeldung nötig' },
  'problem-login-todo': {
    en: 'Log in where your library lets you in, then open this address again. Those who run the library say who may see it.',
    de: 'Melden Sie sich bei Ihrer Bibliothek an und öffnen Sie diese Adresse noch einmal. Wer es sehen darf, sagt die Bibliothek.',
  },
  'problem-denied': { en: 'You may not see this', de: 'Das ist für Sie nicht zugänglich' },
  'problem-denied-todo': {
    en: 'Your login has no right to it. Ask those who run the library, and name this address.',
    de: 'Ihre Anmeldung berechtigt nicht dazu. Fragen Sie die Bibliothek und nennen Sie diese Adresse.',
  },
  'problem-not-found': { en: 'There is nothing here', de: 'Hier ist nichts' },
  'problem-not-found-todo': {
    en: 'The image or folder may have been moved or renamed, or the address was cut off. Look for it in the library.',
    de: 'Vielleicht wurde das Bild oder der Ordner verschoben oder umbenannt, oder die Adresse ist unvollständig. Suchen Sie in der Bibliothek.',
  },
  'problem-busy': { en: 'The server is busy', de: 'Der Server ist ausgelastet' },
  'problem-busy-todo': {
    en: 'Wait a moment, then try again.',
    de: 'Warten Sie einen Augenblick und versuchen Sie es noch einmal.',
  },
  'problem-failed': { en: 'The server could not answer', de: 'Der Server konnte nicht antworten' },
  'problem-failed-todo': {
    en: 'Try again. If it stays so, tell those who run the library, and name this address.',
    de: 'Versuchen Sie es noch einmal. Bleibt es so, melden Sie es der Bibliothek und nennen Sie diese Adresse.',
  },
  'problem-unreachable': { en: 'The server can’t be reached', de: 'Der Server ist nicht erreichbar' },
  'problem-unreachable-todo': {
    en: 'Look whether you are online, then try again.',
    de: 'Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  },
} as const satisfies Record<string, Message>;

export type MessageKey = keyof typeof messages;
