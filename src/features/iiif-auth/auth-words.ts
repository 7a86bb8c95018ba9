/** What viewers and their readers are told, in the languages of the server’s own pages. */
import type { PageLanguage } from '../../core/http/words.ts';
import type { LanguageMap } from '../../core/image/folder/folder-metadata.ts';

type Word = Readonly<Record<PageLanguage, string>>;

/** `{name}` is the library, `{site}` the origin of a viewer’s page. */
export const authWords = {
  label: { en: 'Sign in at {name}', de: 'Anmelden bei {name}', fr: 'Se connecter à {name}' },
  heading: { en: 'This needs a login', de: 'Hier ist eine Anmeldung nötig', fr: 'Vous devez vous identifier' },
  note: {
    en: '{name} shows this, or more of it, to people who sign in.',
    de: '{name} zeigt dies, oder mehr davon, nach einer Anmeldung.',
    fr: '{name} montre ceci, ou davantage, aux personnes identifiées.',
  },
  confirm: { en: 'Sign in', de: 'Anmelden', fr: 'Se connecter' },
  known: {
    en: 'Access of {name} for those who are known already',
    de: 'Zugang bei {name} für alle, die schon bekannt sind',
    fr: 'Accès de {name} pour les personnes déjà identifiées',
  },
  logout: { en: 'Sign out from {name}', de: 'Abmelden bei {name}', fr: 'Se déconnecter de {name}' },
  denied: { en: 'You may not see this', de: 'Das dürfen Sie nicht sehen', fr: 'Vous ne pouvez pas voir ceci' },
  'denied-note': {
    en: 'Sign in at {name}, or ask there for access.',
    de: 'Melden Sie sich bei {name} an, oder fragen Sie dort nach einem Zugang.',
    fr: 'Identifiez-vous auprès de {name}, ou demandez-y un accès.',
  },
  smaller: { en: 'You see this smaller only', de: 'Sie sehen dies nur kleiner', fr: 'Vous voyez ceci en plus petit' },
  'not-there': {
    en: 'There is nothing at this address',
    de: 'Unter dieser Adresse ist nichts',
    fr: 'Il n’y a rien à cette adresse',
  },
  'not-now': {
    en: 'The server can’t show this now',
    de: 'Der Server kann das gerade nicht zeigen',
    fr: 'Le serveur ne peut pas afficher ceci pour le moment',
  },
  later: { en: 'Try again later.', de: 'Versuchen Sie es später.', fr: 'Réessayez plus tard.' },
  invalidRequest: {
    en: 'The viewer asked in a wrong way',
    de: 'Die Anwendung hat falsch gefragt',
    fr: 'La visionneuse a mal formulé sa demande',
  },
  'invalidRequest-note': {
    en: 'A token is asked for with messageId and origin.',
    de: 'Nach einem Token wird mit messageId und origin gefragt.',
    fr: 'Un jeton se demande avec messageId et origin.',
  },
  invalidOrigin: {
    en: 'This site gets no access',
    de: 'Diese Website erhält keinen Zugang',
    fr: 'Ce site n’obtient pas d’accès',
  },
  'invalidOrigin-note': {
    en: 'You have not yet let pages of {site} show what you may see at {name}.',
    de: 'Sie haben Seiten von {site} noch nicht erlaubt, zu zeigen, was Sie bei {name} sehen dürfen.',
    fr: 'Vous n’avez pas encore permis aux pages de {site} de montrer ce que vous pouvez voir chez {name}.',
  },
  missingAspect: { en: 'You are not signed in', de: 'Sie sind nicht angemeldet', fr: 'Vous n’êtes pas connecté' },
  'missingAspect-note': {
    en: 'If you have just signed in, your browser does not let {name} use cookies on pages of other sites. Allow that in its settings, or open the image at {name} itself.',
    de: 'Wenn Sie sich gerade angemeldet haben, lässt Ihr Browser {name} auf Seiten anderer Websites keine Cookies verwenden. Erlauben Sie das in seinen Einstellungen, oder öffnen Sie das Bild bei {name} selbst.',
    fr: 'Si vous venez de vous connecter, votre navigateur ne laisse pas {name} utiliser de cookies sur les pages d’autres sites. Autorisez-le dans ses réglages, ou ouvrez l’image chez {name} même.',
  },
  expiredAspect: { en: 'Your session is over', de: 'Ihre Sitzung ist beendet', fr: 'Votre session est terminée' },
  'expiredAspect-note': { en: 'Sign in again.', de: 'Melden Sie sich wieder an.', fr: 'Identifiez-vous à nouveau.' },
  'ask-title': { en: 'Let {site} show it?', de: 'Darf {site} es zeigen?', fr: 'Laisser {site} l’afficher\u202f?' },
  'ask-note': {
    en: 'You are signed in at {name} as {person}. Pages of {site} ask to show what you may see there: images, and what manifests and searches say of them, until you sign out.',
    de: 'Sie sind bei {name} als {person} angemeldet. Seiten von {site} möchten zeigen, was Sie dort sehen dürfen: Bilder, und was Manifeste und Suchen über sie sagen, bis Sie sich abmelden.',
    fr: 'Vous êtes connecté à {name} en tant que {person}. Les pages de {site} demandent à montrer ce que vous pouvez y voir\u202f: les images, et ce que les manifestes et les recherches en disent, jusqu’à votre déconnexion.',
  },
  allow: { en: 'Allow', de: 'Erlauben', fr: 'Autoriser' },
  done: { en: 'You are signed in', de: 'Sie sind angemeldet', fr: 'Vous êtes connecté' },
  'close-note': {
    en: 'You can close this window and go on in the viewer.',
    de: 'Sie können dieses Fenster schließen und im Betrachter weitermachen.',
    fr: 'Vous pouvez fermer cette fenêtre et continuer dans la visionneuse.',
  },
  'kiosk-done': { en: 'This window closes', de: 'Dieses Fenster schließt sich', fr: 'Cette fenêtre se ferme' },
  'sign-out': { en: 'Sign out', de: 'Abmelden', fr: 'Se déconnecter' },
  'signed-out': { en: 'You are signed out', de: 'Sie sind abgemeldet', fr: 'Vous êtes déconnecté' },
  'signed-in-as': {
    en: 'You are signed in at {name} as {person}.',
    de: 'Sie sind bei {name} als {person} angemeldet.',
    fr: 'Vous êtes connecté à {name} en tant que {person}.',
  },
} as const satisfies Readonly<Record<string, Word>>;

export type AuthWord = keyof typeof authWords;

const languages: readonly PageLanguage[] = ['en', 'de', 'fr'];

/** The library by language, or the host where it has no name. */
export interface NamedLibrary {
  readonly names: LanguageMap;
  readonly host: string;
}

function nameIn(language: PageLanguage, { names, host }: NamedLibrary): string {
  return names[language]?.[0] ?? names['none']?.[0] ?? Object.values(names)[0]?.[0] ?? host;
}

type Facts = Readonly<Record<'site' | 'person', string>>;

/** A text in one language. */
export const wordIn = (
  language: PageLanguage,
  word: AuthWord,
  library: NamedLibrary,
  facts: Partial<Facts> = {},
): string => {
  const values: Readonly<Record<string, string | undefined>> = { name: nameIn(language, library), ...facts };
  return authWords[word][language].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
};

/** A text in every language (Presentation 3.0, section 4). */
export const wordMap = (word: AuthWord, library: NamedLibrary, facts: Partial<Facts> = {}): LanguageMap =>
  Object.fromEntries(languages.map((language) => [language, [wordIn(language, word, library, facts)]]));
