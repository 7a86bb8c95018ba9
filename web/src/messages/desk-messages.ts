/** Texts of the desk, which are loaded with it. */
import { filled, type MessageValues } from './messages.ts';

export const deskTexts = {
  intro: { en: 'All of this is stored in this browser, and nowhere else.', de: 'All das ist in diesem Browser gespeichert und nirgends sonst.', fr: 'Tout ceci est enregistré dans ce navigateur, et nulle part ailleurs.' },
  continue: { en: 'Continue reading', de: 'Weiterlesen', fr: 'Poursuivre la lecture' },
  'continue-none': { en: 'Books that you open appear here, with the page where you stopped.', de: 'Bücher, die Sie öffnen, erscheinen hier mit der Seite, auf der Sie aufgehört haben.', fr: 'Les livres que vous ouvrez apparaissent ici, à la page où vous vous êtes arrêté.' },
  'page-of': { en: 'Page {at} of {total}: {label}', de: 'Seite {at} von {total}: {label}', fr: 'Page {at} sur {total} : {label}' },
  'show-all': { en: 'Show all {count}', de: 'Alle {count} zeigen', fr: 'Afficher les {count}' },
  remembers: { en: 'Remember the books that I open', de: 'Merken, welche Bücher ich öffne', fr: 'Retenir les livres que j’ouvre' },
  forget: { en: 'Forget all of these', de: 'Diese alle vergessen', fr: 'Tout oublier' },
  'forget-book': { en: 'Forget {title}', de: '{title} vergessen', fr: 'Oublier {title}' },
  kept: { en: 'Bookmarks and details', de: 'Lesezeichen und Details', fr: 'Signets et détails' },
  'kept-none': {
    en: 'Press Shift+D, or the bookmark above an image, to keep the page, or the detail that you see.',
    de: 'Mit Umschalt+D oder dem Lesezeichen über einem Bild legen Sie die Seite oder das Detail, das Sie sehen, hierher.',
    fr: 'Appuyez sur Maj+D, ou sur le signet au-dessus d’une image, pour garder la page ou le détail que vous voyez.',
  },
  'free-table': { en: 'Free light table', de: 'Freier Leuchttisch', fr: 'Table lumineuse libre' },
  'no-collection': { en: 'In no collection', de: 'In keiner Sammlung', fr: 'Hors collection' },
  'collection-of': { en: 'Collection of {name}', de: 'Sammlung von {name}', fr: 'Collection : {name}' },
  collection: { en: 'Collection', de: 'Sammlung', fr: 'Collection' },
  'note-of': { en: 'Note on {name}', de: 'Notiz zu {name}', fr: 'Remarque : {name}' },
  'note-here': { en: 'Note', de: 'Notiz', fr: 'Remarque' },
  'remove-kept': { en: 'Remove {name}', de: '{name} entfernen', fr: 'Retirer {name}' },
  notes: { en: 'Notes', de: 'Notizen', fr: 'Annotations' },
  'no-notes': {
    en: 'There are no notes yet. Marks, regions and measurements that you draw on images are listed here.',
    de: 'Es gibt noch keine Notizen. Marken, Bereiche und Messungen, die Sie auf Bilder zeichnen, stehen hier.',
    fr: 'Il n’y a pas encore d’annotations. Les repères, zones et mesures que vous tracez sur les images figurent ici.',
  },
  'notes-nothing': { en: 'No note has these words.', de: 'Keine Notiz enthält diese Wörter.', fr: 'Aucune annotation ne contient ces mots.' },
  'find-notes': { en: 'Search the notes', de: 'In den Notizen suchen', fr: 'Chercher dans les annotations' },
  book: { en: 'Book', de: 'Buch', fr: 'Livre' },
  'all-books': { en: 'All books', de: 'Alle Bücher', fr: 'Tous les livres' },
  'note-count': { en: '{count} of {total} notes', de: '{count} von {total} Notizen', fr: '{count} annotations sur {total}' },
  'kind-mark': { en: 'Mark {number}', de: 'Marke {number}', fr: 'Repère {number}' },
  'kind-region': { en: 'Region {number}', de: 'Bereich {number}', fr: 'Zone {number}' },
  'kind-measure': { en: 'Measurement {number}', de: 'Messung {number}', fr: 'Mesure {number}' },
  'save-w3c': { en: 'Annotations (W3C)', de: 'Annotationen (W3C)', fr: 'Annotations (W3C)' },
  'save-csv': { en: 'Table (CSV)', de: 'Tabelle (CSV)', fr: 'Tableau (CSV)' },
  'save-word': { en: 'Word, with pictures', de: 'Word, mit Bildern', fr: 'Word, avec images' },
  'save-pdf': { en: 'Print or PDF, with pictures', de: 'Drucken oder PDF, mit Bildern', fr: 'Imprimer ou PDF, avec images' },
  saving: { en: 'Preparing {done} of {total} …', de: '{done} von {total} wird vorbereitet …', fr: 'Préparation de {done} sur {total}…' },
  'saved-without': {
    en: 'Saved. {count} notes were left out, since the size of their image is not known: open it once, and save again.',
    de: 'Gespeichert. {count} Notizen fehlen, weil die Größe ihres Bildes nicht bekannt ist: Öffnen Sie es einmal, und speichern Sie noch einmal.',
    fr: 'Enregistré. {count} annotations ont été omises, car la taille de leur image est inconnue : ouvrez-la une fois, puis enregistrez de nouveau.',
  },
  backup: { en: 'Backup', de: 'Sicherung', fr: 'Sauvegarde' },
  'backup-why': {
    en: 'Who clears the browser’s data loses the desk. A file keeps it, and takes it to another browser.',
    de: 'Wer die Daten des Browsers löscht, verliert den Schreibtisch. Eine Datei bewahrt ihn und bringt ihn in einen anderen Browser.',
    fr: 'Effacer les données du navigateur efface le bureau. Un fichier le conserve, et l’emporte dans un autre navigateur.',
  },
  'backup-save': { en: 'Save all as a file', de: 'Alles als Datei sichern', fr: 'Tout enregistrer dans un fichier' },
  'backup-restore': { en: 'Restore from a file', de: 'Aus einer Datei wiederherstellen', fr: 'Restaurer depuis un fichier' },
  restored: { en: 'What was in the file is here now. Nothing was replaced.', de: 'Was in der Datei war, ist jetzt hier. Nichts wurde ersetzt.', fr: 'Le contenu du fichier est ici maintenant. Rien n’a été remplacé.' },
  'restored-not': { en: 'The browser did not store all of it.', de: 'Der Browser hat nicht alles gespeichert.', fr: 'Le navigateur n’a pas tout enregistré.' },
  'no-backup': { en: 'This is no backup of a desk.', de: 'Das ist keine Sicherung eines Schreibtischs.', fr: 'Ce n’est pas une sauvegarde de bureau.' },
} as const;

/** A text in the reader’s language with its values. */
export const deskMessage = (key: keyof typeof deskTexts, values: MessageValues = {}): string => filled(deskTexts[key], values);
