/** The words of the page for the person on duty, in the languages of the server’s own pages. */
import type { PageLanguage } from '../../core/http/words.ts';

type Word = Readonly<Record<PageLanguage, string>>;

const words = {
  title: { en: 'Who costs what', de: 'Wer kostet was', fr: 'Qui coûte quoi' },
  lead: {
    en: 'The requests to this server, in time that they took of it. Nothing of this is stored.',
    de: 'Die Anfragen an diesen Server, nach der Zeit, die sie ihn kosten. Nichts davon wird gespeichert.',
    fr: 'Les requêtes adressées à ce serveur, selon le temps qu’elles lui coûtent. Rien n’en est conservé.',
  },
  window: { en: 'Window', de: 'Zeitraum', fr: 'Période' },
  'over-60': { en: 'Last minute', de: 'Letzte Minute', fr: 'Dernière minute' },
  'over-600': { en: 'Last 10 minutes', de: 'Letzte 10 Minuten', fr: '10 dernières minutes' },
  'over-3600': { en: 'Last hour', de: 'Letzte Stunde', fr: 'Dernière heure' },
  'all-requests': { en: 'All requests', de: 'Alle Anfragen', fr: 'Toutes les requêtes' },
  requests: { en: 'Requests', de: 'Anfragen', fr: 'Requêtes' },
  ms: { en: 'Time', de: 'Zeit', fr: 'Temps' },
  bytes: { en: 'Sent', de: 'Gesendet', fr: 'Envoyé' },
  refused: { en: 'Refused', de: 'Abgelehnt', fr: 'Refusées' },
  longest: { en: 'Longest', de: 'Längste', fr: 'La plus longue' },
  networks: { en: 'Networks', de: 'Netze', fr: 'Réseaux' },
  systems: { en: 'Autonomous systems', de: 'Autonome Systeme', fr: 'Systèmes autonomes' },
  agents: { en: 'Programs', de: 'Programme', fr: 'Programmes' },
  kinds: { en: 'Kinds of requests', de: 'Arten von Anfragen', fr: 'Types de requêtes' },
  refusals: { en: 'Refusals', de: 'Ablehnungen', fr: 'Refus' },
  files: { en: 'Slowest files', de: 'Langsamste Dateien', fr: 'Fichiers les plus lents' },
  name: { en: 'Name', de: 'Name', fr: 'Nom' },
  now: { en: 'Now', de: 'Jetzt', fr: 'En ce moment' },
  small: { en: 'Small pictures', de: 'Kleine Bilder', fr: 'Petites images' },
  large: { en: 'Large pictures', de: 'Große Bilder', fr: 'Grandes images' },
  queue: {
    en: '{running} being made, {waiting} waiting',
    de: '{running} in Arbeit, {waiting} warten',
    fr: '{running} en cours, {waiting} en attente',
  },
  pyramids: { en: 'Pyramids', de: 'Pyramiden', fr: 'Pyramides' },
  builds: {
    en: '{running} being built, {waiting} waiting, {failed} failed',
    de: '{running} in Arbeit, {waiting} warten, {failed} gescheitert',
    fr: '{running} en cours, {waiting} en attente, {failed} en échec',
  },
  budgets: { en: 'Budgets', de: 'Budgets', fr: 'Budgets' },
  left: { en: 'Left', de: 'Übrig', fr: 'Reste' },
  processor: { en: 'Processor', de: 'Prozessor', fr: 'Processeur' },
  originals: { en: 'Originals', de: 'Originale', fr: 'Originaux' },
  'of-caller': { en: 'each caller', de: 'je Absender', fr: 'par appelant' },
  'of-network': { en: 'each network', de: 'je Netz', fr: 'par réseau' },
  'of-system': { en: 'each autonomous system', de: 'je autonomes System', fr: 'par système autonome' },
  'of-strangers': { en: 'all strangers', de: 'alle Fremden', fr: 'tous les inconnus' },
  full: { en: 'All budgets are full.', de: 'Alle Budgets sind voll.', fr: 'Tous les budgets sont pleins.' },
  binds: { en: 'refuses now', de: 'lehnt jetzt ab', fr: 'refuse en ce moment' },
  held: { en: 'Held networks', de: 'Angehaltene Netze', fr: 'Réseaux suspendus' },
  'held-note': {
    en: 'A held network gets what is there already; what has to be made for it is refused (429), but for known callers.',
    de: 'Ein angehaltenes Netz bekommt, was schon da ist; was erst gemacht werden muss, wird ihm abgelehnt (429), außer bekannten Absendern.',
    fr: 'Un réseau suspendu reçoit ce qui existe déjà ; ce qu’il faudrait produire lui est refusé (429), sauf aux appelants connus.',
  },
  network: {
    en: 'Network, or an address in it',
    de: 'Netz oder eine Adresse darin',
    fr: 'Réseau, ou une adresse qui en fait partie',
  },
  hold: { en: 'Hold for an hour', de: 'Eine Stunde anhalten', fr: 'Suspendre une heure' },
  release: { en: 'Release', de: 'Freigeben', fr: 'Libérer' },
  'was-held': {
    en: '{network} is held for an hour.',
    de: '{network} ist für eine Stunde angehalten.',
    fr: '{network} est suspendu pour une heure.',
  },
  'was-released': { en: '{network} is released.', de: '{network} ist freigegeben.', fr: '{network} est libéré.' },
  'minutes-left': { en: '{minutes} min left', de: 'noch {minutes} min', fr: 'encore {minutes} min' },
  nothing: { en: 'Nothing yet.', de: 'Noch nichts.', fr: 'Rien pour l’instant.' },
  'no-shield': {
    en: 'The shield is left out: there are no budgets, and no network can be held.',
    de: 'Der Schutz ist weggelassen: Es gibt keine Budgets, und kein Netz kann angehalten werden.',
    fr: 'La protection est désactivée : il n’y a pas de budgets, et aucun réseau ne peut être suspendu.',
  },
  gone: {
    en: 'The server does not answer; the numbers are the latest that came.',
    de: 'Der Server antwortet nicht; die Zahlen sind die letzten, die kamen.',
    fr: 'Le serveur ne répond pas ; ces chiffres sont les derniers reçus.',
  },
  overloaded: { en: 'too much to do', de: 'zu viel zu tun', fr: 'surcharge' },
  'over-budget': { en: 'over budget, or held', de: 'über Budget oder angehalten', fr: 'hors budget ou suspendu' },
  picture: { en: 'pictures', de: 'Bilder', fr: 'images' },
  'info-json': { en: 'info.json', de: 'info.json', fr: 'info.json' },
  'info-object': { en: 'info objects', de: 'Infoobjekte', fr: 'objets info' },
  information: { en: 'information', de: 'Auskünfte', fr: 'informations' },
  manifest: { en: 'manifests', de: 'Manifeste', fr: 'manifestes' },
  document: { en: 'documents', de: 'Dokumente', fr: 'documents' },
  folder: { en: 'lists and searches', de: 'Listen und Suchen', fr: 'listes et recherches' },
  page: { en: 'pages', de: 'Seiten', fr: 'pages' },
  server: { en: 'operations', de: 'Betrieb', fr: 'exploitation' },
  other: { en: 'others', de: 'andere', fr: 'autres' },
} as const satisfies Readonly<Record<string, Word>>;

export type DutyWord = keyof typeof words;

/** A word with what is put into it, which may be markup where the word is. */
export function wordIn(
  language: PageLanguage,
  key: DutyWord,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const word: string = words[key][language];
  return word.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The words for a name that this server made, such as a kind of requests; the name itself where there are none. */
export const nameIn = (language: PageLanguage, name: string): string =>
  Object.hasOwn(words, name) ? words[name as DutyWord][language] : name;

/** A budget of the shield, such as `processor of strangers`, in words. */
export function budgetIn(language: PageLanguage, name: string): string {
  const [resource = '', scope] = name.split(' of ');
  return scope === undefined
    ? nameIn(language, name)
    : `${nameIn(language, resource)} · ${nameIn(language, `of-${scope}`).replace(/^of-/, '')}`;
}
