/** Texts about guided views, which are loaded with them. */
import { filled, type MessageValues } from './messages.ts';

export const tourTexts = {
  'tour-none': {
    en: 'Turn and zoom the image until it shows what you want to talk about, then add the view. A title and a text go with each.',
    de: 'Drehen und vergrößern Sie das Bild, bis es zeigt, worüber Sie sprechen möchten, und fügen Sie die Ansicht hinzu. Zu jeder gehören ein Titel und ein Text.',
    fr: 'Tournez et agrandissez l’image jusqu’à ce qu’elle montre ce dont vous voulez parler, puis ajoutez la vue. Chacune reçoit un titre et un texte.',
  },
  'tour-add': { en: 'Add this view', de: 'Diese Ansicht hinzufügen', fr: 'Ajouter cette vue' },
  'tour-added': { en: 'View {number} was added', de: 'Ansicht {number} wurde hinzugefügt', fr: 'La vue {number} a été ajoutée' },
  'tour-moved': { en: 'This is view {number} now', de: 'Das ist jetzt Ansicht {number}', fr: 'C’est maintenant la vue {number}' },
  'tour-removed': { en: 'View {number} was deleted', de: 'Ansicht {number} wurde gelöscht', fr: 'La vue {number} a été supprimée' },
  'tour-restore': { en: 'Undo', de: 'Rückgängig', fr: 'Annuler la suppression' },
  'tour-name': { en: 'Title of the whole', de: 'Titel des Ganzen', fr: 'Titre de l’ensemble' },
  'tour-untitled': { en: 'Untitled', de: 'Ohne Titel', fr: 'Sans titre' },
  'tour-choose': { en: 'In the making', de: 'In Arbeit', fr: 'En préparation' },
  'tour-new': { en: 'New', de: 'Neu', fr: 'Nouveau' },
  'tour-delete': { en: 'Delete all of it', de: 'Alles davon löschen', fr: 'Tout supprimer' },
  'tour-delete-sure': { en: 'Really delete it', de: 'Wirklich löschen', fr: 'Confirmer la suppression' },
  'tour-language': { en: 'Language of the texts', de: 'Sprache der Texte', fr: 'Langue des textes' },
  'tour-any-language': { en: 'No particular one', de: 'Keine bestimmte', fr: 'Aucune en particulier' },
  'tour-step': { en: 'View {number}', de: 'Ansicht {number}', fr: 'Vue {number}' },
  'tour-show': { en: 'Show view {number}', de: 'Ansicht {number} zeigen', fr: 'Afficher la vue {number}' },
  'tour-edit': { en: 'Edit view {number}', de: 'Ansicht {number} bearbeiten', fr: 'Modifier la vue {number}' },
  'tour-up': { en: 'Move view {number} up', de: 'Ansicht {number} nach oben', fr: 'Monter la vue {number}' },
  'tour-down': { en: 'Move view {number} down', de: 'Ansicht {number} nach unten', fr: 'Descendre la vue {number}' },
  'tour-remove': { en: 'Delete view {number}', de: 'Ansicht {number} löschen', fr: 'Supprimer la vue {number}' },
  'tour-step-title': { en: 'Title', de: 'Titel', fr: 'Titre' },
  'tour-step-text': { en: 'Text', de: 'Text', fr: 'Texte' },
  'tour-retake': { en: 'Take what is seen now', de: 'Nehmen, was jetzt zu sehen ist', fr: 'Prendre ce qui est affiché' },
  'tour-retaken': { en: 'View {number} shows this now', de: 'Ansicht {number} zeigt jetzt das', fr: 'La vue {number} montre maintenant ceci' },
  'tour-play': { en: 'Play', de: 'Abspielen', fr: 'Lire' },
  'tour-here': { en: 'Of this book', de: 'Zu diesem Buch', fr: 'De ce livre' },
  'tour-heading': { en: 'Guided views', de: 'Geführte Ansichten', fr: 'Vues guidées' },
  'tour-change': { en: 'Take a copy to change', de: 'Eine Kopie zum Ändern nehmen', fr: 'En prendre une copie à modifier' },
  'tour-of-annotations': {
    en: 'Make guided views of the annotations',
    de: 'Aus den Anmerkungen geführte Ansichten machen',
    fr: 'Faire des vues guidées à partir des annotations',
  },
  'tour-share': { en: 'Share', de: 'Weitergeben', fr: 'Partager' },
  'tour-address': { en: 'Address', de: 'Adresse', fr: 'Adresse' },
  'tour-address-what': {
    en: 'It has all views and texts in it. Who opens it sees them; nothing is stored on the server.',
    de: 'Sie enthält alle Ansichten und Texte. Wer sie öffnet, sieht sie; auf dem Server ist nichts gespeichert.',
    fr: 'Elle contient toutes les vues et tous les textes. Qui l’ouvre les voit ; rien n’est enregistré sur le serveur.',
  },
  'tour-too-long': {
    en: 'This is too long for an address. Save the file, and have it put beside the scans: then its address is short.',
    de: 'Das ist zu lang für eine Adresse. Sichern Sie die Datei, und lassen Sie sie neben die Scans legen: Dann ist ihre Adresse kurz.',
    fr: 'C’est trop long pour une adresse. Enregistrez le fichier et faites-le placer à côté des images : son adresse sera alors courte.',
  },
  'tour-embed': { en: 'For a web page', de: 'Für eine Webseite', fr: 'Pour une page web' },
  'tour-save': { en: 'Save as a file', de: 'Als Datei sichern', fr: 'Enregistrer dans un fichier' },
  'tour-save-what': {
    en: 'Beside the scans in their folder, the file {name} offers the guided views to everyone.',
    de: 'Neben den Scans in ihrem Ordner bietet die Datei {name} die geführten Ansichten allen an.',
    fr: 'Placé à côté des images dans leur dossier, le fichier {name} propose les vues guidées à tous.',
  },
  'tour-annotations': { en: 'Annotations (IIIF)', de: 'Annotationen (IIIF)', fr: 'Annotations IIIF' },
  'tour-print': { en: 'Print, with pictures', de: 'Drucken, mit Bildern', fr: 'Imprimer, avec images' },
  'tour-open': { en: 'Open a file', de: 'Datei öffnen', fr: 'Ouvrir un fichier' },
  'tour-opened': { en: 'Opened: {count} views', de: 'Geöffnet: {count} Ansichten', fr: 'Ouvert : {count} vues' },
  'tour-saving': { en: 'Preparing …', de: 'Wird vorbereitet …', fr: 'Préparation…' },
  'tour-left-out': {
    en: 'Saved without {count} views whose page can’t be found.',
    de: 'Gesichert ohne {count} Ansichten, deren Seite nicht zu finden ist.',
    fr: 'Enregistré sans {count} vues dont la page est introuvable.',
  },
  'tour-unstored': {
    en: 'The browser stores nothing here: save a file before you leave.',
    de: 'Der Browser speichert hier nichts: Sichern Sie eine Datei, bevor Sie gehen.',
    fr: 'Le navigateur n’enregistre rien ici : enregistrez un fichier avant de partir.',
  },
  'tour-no-tour': {
    en: 'There are no guided views in this: neither a file of them, nor annotations about pages that can be opened here.',
    de: 'Darin sind keine geführten Ansichten: weder eine Datei davon noch Annotationen zu Seiten, die sich hier öffnen lassen.',
    fr: 'Il n’y a pas de vues guidées là-dedans : ni fichier de ce type, ni annotations sur des pages que l’on peut ouvrir ici.',
  },
  'tour-only-here': {
    en: 'These guided views are only in the browser in which they were made. Ask for an address with them in it, or for a file.',
    de: 'Diese geführten Ansichten sind nur in dem Browser, in dem sie entstanden. Bitten Sie um eine Adresse, die sie enthält, oder um eine Datei.',
    fr: 'Ces vues guidées n’existent que dans le navigateur où elles ont été faites. Demandez une adresse qui les contient, ou un fichier.',
  },
  'tour-missing': {
    en: 'These guided views can’t be found, or you may not see them.',
    de: 'Diese geführten Ansichten sind nicht zu finden oder für Sie nicht zugänglich.',
    fr: 'Ces vues guidées sont introuvables, ou vous n’y avez pas accès.',
  },
  'tour-next': { en: 'Next view', de: 'Nächste Ansicht', fr: 'Vue suivante' },
  'tour-previous': { en: 'Previous view', de: 'Vorige Ansicht', fr: 'Vue précédente' },
  'tour-again': { en: 'From the beginning', de: 'Von vorn', fr: 'Depuis le début' },
  'tour-end': { en: 'That was all.', de: 'Das war alles.', fr: 'C’est tout.' },
  'tour-close': { en: 'End the guided views', de: 'Geführte Ansichten beenden', fr: 'Quitter les vues guidées' },
  'tour-full-screen': { en: 'Full screen', de: 'Vollbild', fr: 'Plein écran' },
  'tour-progress': { en: 'View {number} of {total}', de: 'Ansicht {number} von {total}', fr: 'Vue {number} sur {total}' },
} as const;

export type TourMessageKey = keyof typeof tourTexts;

/** A text in the reader’s language with its values. */
export const tourMessage = (key: TourMessageKey, values: MessageValues = {}): string => filled(tourTexts[key], values);
