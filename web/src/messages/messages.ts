/** The texts of the reading room that each page has, in every language, and how all are looked up. */
import { signal } from '@preact/signals';
import { added, type Message } from './added.ts';
import { contentsMessages } from './contents-messages.ts';
import type { imageMessages } from './image-messages.ts';
import type { panelMessages } from './panel-messages.ts';
import type { textMessages } from './text-messages.ts';
import { translationOf } from './translations.ts';

/** Those whose texts are written beside each other, and which have all of them; the others are in `translations`. */
const writtenLanguages = { en: 'English', de: 'Deutsch', fr: 'Français' } as const;

export const languages = {
  ...writtenLanguages,
  cs: 'Čeština',
  da: 'Dansk',
  es: 'Español',
  it: 'Italiano',
  lt: 'Lietuvių',
  hu: 'Magyar',
  nl: 'Nederlands',
  nb: 'Norsk bokmål',
  pl: 'Polski',
  pt: 'Português (Brasil)',
  ro: 'Română',
  fi: 'Suomi',
  sv: 'Svenska',
  tr: 'Türkçe',
  el: 'Ελληνικά',
  ru: 'Русский',
  uk: 'Українська',
  ja: '日本語',
  'zh-Hans': '简体中文',
  'zh-Hant': '繁體中文',
} as const;

export type Language = keyof typeof languages;

type WrittenLanguage = keyof typeof writtenLanguages;

export const writtenTags = Object.keys(writtenLanguages) as readonly WrittenLanguage[];

export const isWritten = (tag: Language): tag is WrittenLanguage => Object.hasOwn(writtenLanguages, tag);

/** In the order in which the menu offers them. */
export const languageTags = Object.keys(languages) as readonly Language[];

export const messages = {
  ...contentsMessages,

  // All pages
  library: { en: 'Library', de: 'Bibliothek', fr: 'Bibliothèque' },
  close: { en: 'Close', de: 'Schließen', fr: 'Fermer' },
  cancel: { en: 'Cancel', de: 'Abbrechen', fr: 'Annuler' },
  copy: { en: 'Copy', de: 'Kopieren', fr: 'Copier' },
  read: { en: 'Read', de: 'Lesen', fr: 'Lire' },
  see: { en: 'View', de: 'Ansehen', fr: 'Voir' },
  cover: { en: 'Cover', de: 'Titelbild', fr: 'Couverture' },
  shelfmark: { en: 'Shelfmark', de: 'Signatur', fr: 'Cote' },
  'folder-details': { en: 'Details', de: 'Angaben', fr: 'Détails' },
  print: { en: 'Print', de: 'Drucken', fr: 'Imprimer' },
  copied: { en: 'Copied', de: 'Kopiert', fr: 'Copié' },
  'try-again': { en: 'Try again', de: 'Noch einmal versuchen', fr: 'Réessayer' },
  loading: { en: 'Loading …', de: 'Wird geladen …', fr: 'Chargement…' },
  'skip-to-content': { en: 'Skip to the content', de: 'Zum Inhalt springen', fr: 'Aller au contenu' },

  // Problems
  'problem-login': { en: 'This needs a login', de: 'Hier ist eine Anmeldung nötig', fr: 'Vous devez vous identifier' },
  'problem-login-todo': {
    en: 'Log in where your library lets you in, then open this address again. Those who run the library say who may see it.',
    de: 'Melden Sie sich bei Ihrer Bibliothek an und öffnen Sie diese Adresse noch einmal. Wer Zugang hat, erfahren Sie bei der Bibliothek.',
    fr: 'Identifiez-vous auprès de votre bibliothèque, puis rouvrez cette adresse. La bibliothèque vous dira qui peut y accéder.',
  },
  'problem-sign-in-todo': {
    en: 'Sign in, and you come back to exactly this view.',
    de: 'Melden Sie sich an; danach kommen Sie genau hierher zurück.',
    fr: 'Connectez-vous : vous reviendrez exactement ici.',
  },
  'sign-in': { en: 'Sign in', de: 'Anmelden', fr: 'Se connecter' },
  'sign-out': { en: 'Sign out', de: 'Abmelden', fr: 'Se déconnecter' },
  account: { en: 'Signed in as {name}', de: 'Angemeldet als {name}', fr: 'Session de {name}' },
  'problem-denied': { en: 'You may not see this', de: 'Das ist für Sie nicht zugänglich', fr: 'Vous n’avez pas accès à ce contenu' },
  'problem-denied-todo': {
    en: 'Your login has no right to it. Ask those who run the library, and name this address.',
    de: 'Ihre Anmeldung berechtigt nicht dazu. Fragen Sie die Bibliothek und nennen Sie diese Adresse.',
    fr: 'Votre compte n’y donne pas droit. Adressez-vous à la bibliothèque en indiquant cette adresse.',
  },
  'problem-not-found': { en: 'There is nothing here', de: 'Hier ist nichts', fr: 'Il n’y a rien ici' },
  'problem-not-found-todo': {
    en: 'The image or folder may have been moved or renamed, or the address was cut off.',
    de: 'Vielleicht wurde das Bild oder der Ordner verschoben oder umbenannt, oder die Adresse ist unvollständig.',
    fr: 'L’image ou le dossier a peut-être été déplacé ou renommé, ou l’adresse est incomplète.',
  },
  'problem-refused-host': { en: 'This server does not open anything from there', de: 'Dieser Server öffnet keine Inhalte von dort', fr: 'Ce serveur n’ouvre rien de cette provenance' },
  'problem-refused-host-todo': {
    en: 'Manifests and images of other hosts are shown only if those who run this library have allowed the host. Ask them, and name this address.',
    de: 'Manifeste und Bilder anderer Server werden nur gezeigt, wenn die Bibliothek sie freigegeben hat. Fragen Sie dort und nennen Sie diese Adresse.',
    fr: 'Les manifestes et les images d’autres serveurs ne s’affichent que si la bibliothèque les a autorisés. Adressez-vous à elle en indiquant cette adresse.',
  },
  'problem-unshared': { en: 'The other server does not share this', de: 'Der andere Server gibt dies nicht frei', fr: 'L’autre serveur ne partage pas ce contenu' },
  'problem-unshared-todo': {
    en: 'It answers, but does not let pages of other sites read its answer (CORS): the header Access-Control-Allow-Origin is missing. Only those who run it can change that.',
    de: 'Er antwortet, lässt Seiten anderer Anbieter die Antwort aber nicht lesen (CORS): Der Header Access-Control-Allow-Origin fehlt. Das können nur seine Betreiber ändern.',
    fr: 'Il répond, mais ne laisse pas les pages d’autres sites lire sa réponse (CORS) : l’en-tête Access-Control-Allow-Origin est absent. Seuls ses responsables peuvent y remédier.',
  },
  'problem-no-manifest': { en: 'This is no IIIF manifest', de: 'Das ist kein IIIF-Manifest', fr: 'Ce n’est pas un manifeste IIIF' },
  'problem-no-manifest-todo': {
    en: 'What is at this address is not JSON of IIIF Presentation 2 or 3. Look for a link with the IIIF icon.',
    de: 'Unter dieser Adresse ist kein JSON nach IIIF Presentation 2 oder 3. Suchen Sie einen Link mit dem IIIF-Symbol.',
    fr: 'Cette adresse ne donne pas de JSON conforme à IIIF Presentation 2 ou 3. Cherchez un lien portant l’icône IIIF.',
  },
  'problem-collection': { en: 'This is a collection', de: 'Das ist eine Sammlung', fr: 'Ceci est une collection' },
  'problem-collection-todo': { en: 'Choose one of its books.', de: 'Wählen Sie eines ihrer Bücher.', fr: 'Choisissez l’un de ses livres.' },
  'problem-no-pages': { en: 'This manifest has no pages', de: 'Dieses Manifest hat keine Seiten', fr: 'Ce manifeste n’a pas de pages' },
  'problem-no-pages-todo': { en: 'Its maker has listed no canvases. Ask those who offer it.', de: 'Es führt keine Seiten (Canvases) auf. Fragen Sie die Stelle, die es anbietet.', fr: 'Il n’énumère aucune page (canevas). Adressez-vous à l’établissement qui le propose.' },
  'problem-too-large': { en: 'This manifest is too large', de: 'Dieses Manifest ist zu groß', fr: 'Ce manifeste est trop volumineux' },
  'problem-too-large-todo': {
    en: 'It has more than 40 MB or 50,000 pages. Ask those who offer it for its parts.',
    de: 'Es hat mehr als 40 MB oder 50.000 Seiten. Fragen Sie die Stelle, die es anbietet, nach seinen Teilen.',
    fr: 'Il dépasse 40 Mo ou 50 000 pages. Demandez ses parties à l’établissement qui le propose.',
  },
  'problem-no-image': { en: 'This page has no image', de: 'Diese Seite hat kein Bild', fr: 'Cette page n’a pas d’image' },
  'problem-no-image-todo': {
    en: 'It may be empty, or hold sound or video, which are not shown here. You can go on to the other pages.',
    de: 'Sie ist leer oder enthält Ton oder Video, die hier nicht gezeigt werden. Sie können zu den anderen Seiten weitergehen.',
    fr: 'Elle est vide, ou contient du son ou de la vidéo, qui ne sont pas affichés ici. Vous pouvez passer aux autres pages.',
  },
  'problem-no-content-state': { en: 'This link can’t be read', de: 'Dieser Link ist nicht lesbar', fr: 'Ce lien est illisible' },
  'problem-no-content-state-todo': {
    en: 'Its IIIF content state is malformed. Perhaps the address was cut off; copy it once more.',
    de: 'Sein IIIF Content State ist fehlerhaft. Vielleicht wurde die Adresse abgeschnitten; kopieren Sie sie noch einmal.',
    fr: 'Son état de contenu IIIF est mal formé. L’adresse a peut-être été tronquée ; copiez-la de nouveau.',
  },
  attribution: { en: 'Attribution', de: 'Nachweis', fr: 'Mention obligatoire' },
  'foreign-manifest': { en: 'Manifest', de: 'Manifest', fr: 'Manifeste' },
  'colors-not-shared': {
    en: 'The host of this image does not let other sites read its pixels, so its colors can’t be changed here.',
    de: 'Der Server dieses Bildes lässt andere Seiten die Pixel nicht lesen; die Farben sind hier nicht änderbar.',
    fr: 'Le serveur de cette image ne laisse pas les autres sites lire ses pixels ; ses couleurs ne peuvent pas être modifiées ici.',
  },
  'to-library': { en: 'Look for it in the library', de: 'In der Bibliothek suchen', fr: 'Chercher dans la bibliothèque' },
  'to-folder': { en: 'Go to the folder “{folder}”', de: 'Zum Ordner „{folder}“', fr: 'Aller au dossier « {folder} »' },
  'folder-has-one': { en: 'This folder has {count} image.', de: 'Dieser Ordner enthält {count} Bild.', fr: 'Ce dossier contient {count} image.' },
  'folder-has': { en: 'This folder has {count} images.', de: 'Dieser Ordner enthält {count} Bilder.', fr: 'Ce dossier contient {count} images.' },
  'problem-unreadable': { en: 'This image can’t be read', de: 'Dieses Bild ist nicht lesbar', fr: 'Cette image est illisible' },
  'problem-unreadable-todo': {
    en: 'Its file is damaged, or gone by now. You can go on to the other pages; tell those who run the library, and name this address.',
    de: 'Seine Datei ist beschädigt oder nicht mehr da. Sie können zu den anderen Seiten weitergehen; melden Sie es der Bibliothek und nennen Sie diese Adresse.',
    fr: 'Son fichier est endommagé ou n’existe plus. Vous pouvez passer aux autres pages ; signalez-le à la bibliothèque en indiquant cette adresse.',
  },
  'image-truncated': { en: 'A part of this image is missing: its file is cut short or damaged.', de: 'Ein Teil dieses Bildes fehlt: Die Datei ist unvollständig oder beschädigt.', fr: 'Une partie de cette image manque : le fichier est incomplet ou endommagé.' },
  'tiles-missing': { en: 'Parts of the image did not come.', de: 'Teile des Bildes konnten nicht geladen werden.', fr: 'Des parties de l’image n’ont pas pu être chargées.' },
  'problem-busy': { en: 'The server is busy', de: 'Der Server ist ausgelastet', fr: 'Le serveur est surchargé' },
  'problem-busy-todo': { en: 'Wait a moment, then try again.', de: 'Warten Sie einen Augenblick und versuchen Sie es noch einmal.', fr: 'Patientez un instant, puis réessayez.' },
  'problem-failed': { en: 'The server could not answer', de: 'Der Server konnte nicht antworten', fr: 'Le serveur n’a pas pu répondre' },
  'problem-failed-todo': {
    en: 'Try again. If it stays so, tell those who run the library, and name this address.',
    de: 'Versuchen Sie es noch einmal. Bleibt es so, melden Sie es der Bibliothek und nennen Sie diese Adresse.',
    fr: 'Réessayez. Si le problème persiste, signalez-le à la bibliothèque en indiquant cette adresse.',
  },
  'problem-unreachable': { en: 'The server can’t be reached', de: 'Der Server ist nicht erreichbar', fr: 'Le serveur est injoignable' },
  'problem-unreachable-todo': { en: 'Look whether you are online, then try again.', de: 'Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.', fr: 'Vérifiez votre connexion, puis réessayez.' },

  // Comparing
  compare: { en: 'Compare', de: 'Vergleichen', fr: 'Comparer' },
  'compare-title': { en: 'Compare {labels}', de: 'Vergleich: {labels}', fr: 'Comparaison : {labels}' },
  'compare-beside': { en: 'Compare: put another image beside this', de: 'Vergleichen: ein anderes Bild danebenlegen', fr: 'Comparer : placer une autre image à côté' },
  'compare-beside-of': { en: 'Compare {label} with another image', de: '{label} mit einem anderen Bild vergleichen', fr: 'Comparer {label} avec une autre image' },
  'compare-most': { en: 'Up to {count} can be compared', de: 'Bis zu {count} lassen sich vergleichen', fr: 'Jusqu’à {count} peuvent être comparées' },
  'lists-of-selected': { en: 'Addresses and lists', de: 'Adressen und Listen', fr: 'Adresses et listes' },
  'compare-selected': { en: 'Compare', de: 'Vergleichen', fr: 'Comparer' },
  'compare-image': { en: 'Image {number}', de: 'Bild {number}', fr: 'Image {number}' },
  'compare-alone': { en: 'Open image {number} alone', de: 'Bild {number} allein öffnen', fr: 'Ouvrir seule l’image {number}' },
  'compare-remove': { en: 'Take image {number} away', de: 'Bild {number} entfernen', fr: 'Retirer l’image {number}' },
  'compare-active': { en: 'Image {number} is selected: {label}', de: 'Bild {number} ist ausgewählt: {label}', fr: 'L’image {number} est sélectionnée : {label}' },
  'compare-layout': { en: 'Arrangement', de: 'Anordnung', fr: 'Disposition' },
  'layout-beside': { en: 'Side by side', de: 'Nebeneinander', fr: 'Côte à côte' },
  'layout-slider': { en: 'Slider', de: 'Schieber', fr: 'Curseur' },
  'layout-blend': { en: 'Blend', de: 'Überblenden', fr: 'Fondu' },
  'layout-difference': { en: 'Difference', de: 'Differenz', fr: 'Différence' },
  'compare-edge': { en: 'Position of the slider', de: 'Position des Schiebers', fr: 'Position du curseur' },
  'compare-opacity': { en: 'Opacity of the upper image', de: 'Deckkraft des oberen Bildes', fr: 'Opacité de l’image supérieure' },
  'compare-lower': { en: 'Below', de: 'Unten', fr: 'Dessous' },
  'compare-upper': { en: 'Above', de: 'Oben', fr: 'Dessus' },
  'compare-together': { en: 'Move together', de: 'Gemeinsam bewegen', fr: 'Déplacer ensemble' },
  'short-together': { en: 'Together', de: 'Gemeinsam', fr: 'Ensemble' },
  'tool-align': { en: 'Align by two points', de: 'An zwei Punkten ausrichten', fr: 'Aligner sur deux points' },
  'short-align': { en: 'Align', de: 'Ausrichten', fr: 'Aligner' },
  'align-how': {
    en: 'Click the same two spots in each image, far apart from each other. Each image moves alone meanwhile; zoom in to be exact. A third click moves the nearer point.',
    de: 'Klicken Sie in jedem Bild dieselben zwei Stellen an, weit voneinander entfernt. Jedes Bild bewegt sich so lange für sich; vergrößern Sie, um genau zu treffen. Ein dritter Klick verschiebt den näheren Punkt.',
    fr: 'Cliquez les deux mêmes points dans chaque image, bien éloignés l’un de l’autre. Chaque image se déplace alors seule ; agrandissez pour plus de précision. Un troisième clic déplace le point le plus proche.',
  },
  'align-progress': { en: 'Image {number}: {count} of 2 points', de: 'Bild {number}: {count} von 2 Punkten', fr: 'Image {number} : {count} points sur 2' },
  'align-done': { en: 'Done', de: 'Fertig', fr: 'Terminé' },
  'align-remove': { en: 'Remove the points', de: 'Punkte entfernen', fr: 'Supprimer les points' },
  'compare-add': { en: 'Add an image', de: 'Bild hinzufügen', fr: 'Ajouter une image' },
  'short-add': { en: 'Add', de: 'Hinzufügen', fr: 'Ajouter' },
  'compare-choose': { en: 'Choose an image to compare with', de: 'Bild zum Vergleichen auswählen', fr: 'Choisir une image à comparer' },
  'compare-choose-first': { en: 'Choose the first image', de: 'Erstes Bild auswählen', fr: 'Choisir la première image' },
  'compare-address': { en: 'Address or path of an image', de: 'Adresse oder Pfad eines Bildes', fr: 'Adresse ou chemin d’une image' },
  'compare-book': { en: 'Add this book', de: 'Dieses Buch hinzufügen', fr: 'Ajouter ce livre' },
  'compare-put': { en: 'Add', de: 'Hinzufügen', fr: 'Ajouter' },
  'compare-any-address': { en: 'Address or path of an image, or address of a manifest', de: 'Adresse oder Pfad eines Bildes, oder Adresse eines Manifests', fr: 'Adresse ou chemin d’une image, ou adresse d’un manifeste' },
  'no-image-address': { en: 'This is neither the address of an image of this library nor of a manifest.', de: 'Das ist weder die Adresse eines Bildes dieser Bibliothek noch die eines Manifests.', fr: 'Ce n’est ni l’adresse d’une image de cette bibliothèque ni celle d’un manifeste.' },
  'manifest-field': { en: 'IIIF of another library: address of a manifest or an image, or a content state', de: 'IIIF einer anderen Bibliothek: Adresse eines Manifests oder Bildes, oder ein Content State', fr: 'IIIF d’une autre bibliothèque : adresse d’un manifeste ou d’une image, ou un Content State' },
  'manifest-open': { en: 'Open', de: 'Öffnen', fr: 'Ouvrir' },
  'manifest-no-address': { en: 'This is neither a web address nor a content state.', de: 'Das ist weder eine Webadresse noch ein Content State.', fr: 'Ce n’est ni une adresse web ni un Content State.' },
  'drop-here': { en: 'Drop it to open it here', de: 'Ablegen, um es hier zu öffnen', fr: 'Déposez pour ouvrir ici' },
  'compare-no-address': { en: 'This is not the address of an image of this library.', de: 'Das ist nicht die Adresse eines Bildes dieser Bibliothek.', fr: 'Ce n’est pas l’adresse d’une image de cette bibliothèque.' },
  'compare-copy': { en: 'Copy the address of this comparison', de: 'Adresse dieses Vergleichs kopieren', fr: 'Copier l’adresse de cette comparaison' },
  'compare-more': { en: 'More images', de: 'Weitere Bilder', fr: 'Autres images' },
  'compare-next-image': { en: 'Select the next image', de: 'Nächstes Bild auswählen', fr: 'Sélectionner l’image suivante' },

  // The viewer
  'stage-of': { en: 'Image {label}: arrow keys move it, plus and minus zoom', de: 'Bild {label}: Pfeiltasten verschieben, Plus und Minus vergrößern und verkleinern', fr: 'Image {label} : les flèches la déplacent, plus et moins l’agrandissent et la réduisent' },
  pages: { en: 'Pages', de: 'Seiten', fr: 'Pages' },
  'first-page': { en: 'First page', de: 'Erste Seite', fr: 'Première page' },
  'previous-page': { en: 'Previous page', de: 'Vorige Seite', fr: 'Page précédente' },
  'next-page': { en: 'Next page', de: 'Nächste Seite', fr: 'Page suivante' },
  'last-page': { en: 'Last page', de: 'Letzte Seite', fr: 'Dernière page' },
  'go-to-page': { en: 'Go to page', de: 'Gehe zu Seite', fr: 'Aller à la page' },
  'go-to-page-how': { en: 'Go to page: a number or a label', de: 'Gehe zu Seite: Nummer oder Bezeichnung', fr: 'Aller à la page : numéro ou intitulé' },
  'no-page': { en: 'There is no page {number} of {total}.', de: 'Es gibt keine Seite {number} von {total}.', fr: 'Il n’y a pas de page {number} sur {total}.' },
  'no-page-called': { en: 'No page is called “{label}”.', de: 'Keine Seite heißt „{label}“.', fr: 'Aucune page ne s’intitule « {label} ».' },
  contents: { en: 'Contents', de: 'Inhalt', fr: 'Sommaire' },
  'chapters-inside': { en: 'Chapters in “{label}”', de: 'Kapitel in „{label}“', fr: 'Chapitres de « {label} »' },
  'of-pages': { en: 'of {total}', de: 'von {total}', fr: 'sur {total}' },
  'page-named': { en: 'Page {at}: {label}', de: 'Seite {at}: {label}', fr: 'Page {at} : {label}' },
  'page-arrived': { en: 'Page {at} of {total}: {label}', de: 'Seite {at} von {total}: {label}', fr: 'Page {at} sur {total} : {label}' },
  'two-pages': { en: 'Two pages side by side', de: 'Zwei Seiten nebeneinander', fr: 'Deux pages côte à côte' },
  'shift-pages': { en: 'Shift by one page', de: 'Um eine Seite versetzen', fr: 'Décaler d’une page' },
  'right-to-left': { en: 'Right to left', de: 'Von rechts nach links', fr: 'De droite à gauche' },
  thumbnails: { en: 'Thumbnails', de: 'Vorschaubilder', fr: 'Vignettes' },
  'full-screen': { en: 'Full screen', de: 'Vollbild', fr: 'Plein écran' },
  'open-in-reading-room': { en: 'Open in the reading room', de: 'Im Lesesaal öffnen', fr: 'Ouvrir dans la salle de lecture' },
  'more-tools': { en: 'More', de: 'Mehr', fr: 'Plus' },
  tools: { en: 'Tools', de: 'Werkzeuge', fr: 'Outils' },
  'tools-read': { en: 'Read', de: 'Lesen', fr: 'Lire' },
  'tools-study': { en: 'Study', de: 'Untersuchen', fr: 'Étudier' },
  'tools-share': { en: 'Share', de: 'Weitergeben', fr: 'Partager' },
  'short-all': { en: 'All', de: 'Alle', fr: 'Tous' },
  'all-tools': { en: 'All tools', de: 'Alle Werkzeuge', fr: 'Tous les outils' },
  'tool-move': { en: 'Move the image', de: 'Bild verschieben', fr: 'Déplacer l’image' },
  'tool-zoom-area': { en: 'Zoom to an area', de: 'Ausschnitt vergrößern', fr: 'Agrandir une partie' },
  'tool-magnifier': { en: 'Magnifier', de: 'Lupe', fr: 'Loupe' },
  'panel-adjust': { en: 'Adjust', de: 'Bild anpassen', fr: 'Régler l’image' },
  'panel-notes': { en: 'Marks and regions', de: 'Marken und Bereiche', fr: 'Repères et zones' },
  'panel-measure': { en: 'Measure', de: 'Messen', fr: 'Mesurer' },
  'panel-cite': { en: 'Cite and download', de: 'Zitieren und herunterladen', fr: 'Citer et télécharger' },
  'panel-annotations': { en: 'Annotations of the page', de: 'Annotationen der Seite', fr: 'Annotations de la page' },
  'panel-tour': { en: 'Guided views', de: 'Geführte Ansichten', fr: 'Vues guidées' },
  'short-tour': { en: 'Views', de: 'Ansichten', fr: 'Vues' },
  'panel-layers': { en: 'Layers', de: 'Ebenen', fr: 'Couches' },
  'short-layers': { en: 'Layers', de: 'Ebenen', fr: 'Couches' },
  'next-layer': { en: 'Show the next layer alone', de: 'Die nächste Ebene allein zeigen', fr: 'Afficher seule la couche suivante' },
  'panel-about': { en: 'About this image', de: 'Angaben zum Bild', fr: 'À propos de cette image' },
  'reset-view': { en: 'Reset the view', de: 'Ansicht zurücksetzen', fr: 'Réinitialiser la vue' },
  // Short names below the icons
  'short-move': { en: 'Move', de: 'Verschieben', fr: 'Déplacer' },
  'short-zoom-area': { en: 'Area', de: 'Ausschnitt', fr: 'Agrandir' },
  'short-magnifier': { en: 'Magnifier', de: 'Lupe', fr: 'Loupe' },
  'short-adjust': { en: 'Adjust', de: 'Anpassen', fr: 'Régler' },
  'short-notes': { en: 'Marks', de: 'Marken', fr: 'Repères' },
  'short-measure': { en: 'Measure', de: 'Messen', fr: 'Mesurer' },
  download: { en: 'Download', de: 'Herunterladen', fr: 'Télécharger' },
  'short-download': { en: 'Download', de: 'Herunterladen', fr: 'Télécharger' },
  'embed-tab': { en: 'Embed', de: 'Einbetten', fr: 'Intégrer' },
  'short-cite': { en: 'Cite', de: 'Zitieren', fr: 'Citer' },
  'short-annotations': { en: 'Annotations', de: 'Annotationen', fr: 'Annotations' },
  'short-about': { en: 'About', de: 'Angaben', fr: 'À propos' },
  'short-reset': { en: 'Reset', de: 'Zurücksetzen', fr: 'Réinitialiser' },
  zoom: { en: 'Size on the screen', de: 'Größe auf dem Bildschirm', fr: 'Taille à l’écran' },
  'zoom-now': { en: 'Screen pixels for an image pixel', de: 'Bildschirmpixel je Bildpixel', fr: 'Pixels d’écran par pixel d’image' },
  'zoom-arrived': { en: 'Size {percent}', de: 'Größe {percent}', fr: 'Taille {percent}' },
  'zoom-in': { en: 'Zoom in', de: 'Vergrößern', fr: 'Agrandir' },
  'zoom-out': { en: 'Zoom out', de: 'Verkleinern', fr: 'Réduire' },
  whole: { en: 'Whole', de: 'Ganz', fr: 'Entière' },
  'page-width': { en: 'Width', de: 'Breite', fr: 'Largeur' },
  'one-to-one': { en: '1:1', de: '1:1', fr: '1:1' },
  'true-size': { en: 'True size', de: 'Wahre Größe', fr: 'Taille réelle' },
  navigator: { en: 'Where you are on the image', de: 'Wo Sie im Bild sind', fr: 'Votre position dans l’image' },

  // Adjusting
  turn: { en: 'Turn and mirror', de: 'Drehen und spiegeln', fr: 'Pivoter et retourner' },
  'turn-left': { en: 'Turn left', de: 'Nach links drehen', fr: 'Pivoter à gauche' },
  'turn-right': { en: 'Turn right', de: 'Nach rechts drehen', fr: 'Pivoter à droite' },
  'turn-bit-left': { en: 'Turn 5° left', de: '5° nach links drehen', fr: 'Pivoter de 5° à gauche' },
  'turn-bit-right': { en: 'Turn 5° right', de: '5° nach rechts drehen', fr: 'Pivoter de 5° à droite' },
  'mirror-horizontal': { en: 'Mirror left to right', de: 'Links und rechts vertauschen', fr: 'Inverser la gauche et la droite' },
  'mirror-vertical': { en: 'Mirror top to bottom', de: 'Oben und unten vertauschen', fr: 'Inverser le haut et le bas' },
  angle: { en: 'Angle', de: 'Winkel', fr: 'Angle' },
  color: { en: 'Color', de: 'Farbe', fr: 'Couleur' },
  brightness: { en: 'Brightness', de: 'Helligkeit', fr: 'Luminosité' },
  contrast: { en: 'Contrast', de: 'Kontrast', fr: 'Contraste' },
  channels: { en: 'Red, green, blue', de: 'Rot, Grün, Blau', fr: 'Rouge, vert, bleu' },
  red: { en: 'Red', de: 'Rot', fr: 'Rouge' },
  green: { en: 'Green', de: 'Grün', fr: 'Vert' },
  blue: { en: 'Blue', de: 'Blau', fr: 'Bleu' },
  'channel-times': { en: '{name} ×', de: '{name} ×', fr: '{name} ×' },
  'channel-plus': { en: '{name} +', de: '{name} +', fr: '{name} +' },
  'color-operation': { en: 'Show as', de: 'Anzeigen als', fr: 'Afficher en' },
  'colop-none': { en: 'Colors as they are', de: 'Unveränderte Farben', fr: 'Couleurs d’origine' },
  'colop-grayscale': { en: 'Gray', de: 'Grau', fr: 'Niveaux de gris' },
  'colop-ntsc': { en: 'Gray (NTSC)', de: 'Grau (NTSC)', fr: 'Niveaux de gris (NTSC)' },
  'colop-bitonal': { en: 'Black and white', de: 'Schwarzweiß', fr: 'Noir et blanc' },
  'colop-invert': { en: 'Negative', de: 'Negativ', fr: 'Négatif' },
  'colop-map': { en: 'False colors', de: 'Falschfarben', fr: 'Fausses couleurs' },
  'reset-color': { en: 'Reset colors', de: 'Farben zurücksetzen', fr: 'Rétablir les couleurs' },
  'brightness-follows': { en: 'Brightness follows the contrast, so that middle gray stays as it is.', de: 'Die Helligkeit folgt dem Kontrast, damit mittleres Grau bleibt, wie es ist.', fr: 'La luminosité suit le contraste, de sorte que le gris moyen reste inchangé.' },
  'value-of': { en: '{name}: value', de: '{name}: Wert', fr: '{name} : valeur' },
  'reset-of': { en: 'Reset {name}', de: '{name} zurücksetzen', fr: 'Rétablir {name}' },

  // Keys
  keyboard: { en: 'Keyboard', de: 'Tastatur', fr: 'Clavier' },
  'pan-left': { en: 'Page at the left, or move left', de: 'Seite links, oder nach links', fr: 'Page de gauche, ou vers la gauche' },
  'pan-right': { en: 'Page at the right, or move right', de: 'Seite rechts, oder nach rechts', fr: 'Page de droite, ou vers la droite' },
  'pan-up': { en: 'Previous page, or move up', de: 'Vorige Seite, oder nach oben', fr: 'Page précédente, ou vers le haut' },
  'pan-down': { en: 'Next page, or move down', de: 'Nächste Seite, oder nach unten', fr: 'Page suivante, ou vers le bas' },
  'next-screen': { en: 'Next page, or far down', de: 'Nächste Seite, oder weit nach unten', fr: 'Page suivante, ou loin vers le bas' },
  'previous-screen': { en: 'Previous page, or far up', de: 'Vorige Seite, oder weit nach oben', fr: 'Page précédente, ou loin vers le haut' },
  'leave-tool': { en: 'Put the tool away, close the panel', de: 'Werkzeug weglegen, Seitenleiste schließen', fr: 'Quitter l’outil, fermer le volet' },
  'key-page-down': { en: 'Page ↓', de: 'Bild ↓', fr: 'Pg suiv.' },
  'key-page-up': { en: 'Page ↑', de: 'Bild ↑', fr: 'Pg préc.' },
  'key-home': { en: 'Home', de: 'Pos1', fr: 'Début' },
  'key-end': { en: 'End', de: 'Ende', fr: 'Fin' },
  'key-space': { en: 'Space', de: 'Leertaste', fr: 'Espace' },
  'key-shift': { en: 'Shift', de: 'Umschalt', fr: 'Maj' },
  'key-control': { en: 'Ctrl', de: 'Strg', fr: 'Ctrl' },
  'key-delete': { en: 'Del', de: 'Entf', fr: 'Suppr' },
  'key-escape': { en: 'Esc', de: 'Esc', fr: 'Échap' },

  'drawing-keys': { en: 'While you mark or measure', de: 'Beim Markieren und Messen', fr: 'Pendant l’annotation et la mesure' },
  'draw-point': { en: 'Set a point at the cross; twice ends a path', de: 'Punkt am Kreuz setzen; zweimal beendet einen Linienzug', fr: 'Placer un point sur la croix ; deux fois pour terminer une ligne brisée' },
  'draw-aim': { en: 'Move the image below the cross', de: 'Bild unter dem Kreuz verschieben', fr: 'Déplacer l’image sous la croix' },
  'draw-aim-fine': { en: 'A little only', de: 'Nur ein wenig', fr: 'Un peu seulement' },
  'draw-take-back': { en: 'Take the last point back', de: 'Letzten Punkt zurücknehmen', fr: 'Retirer le dernier point' },
  'draw-leave': { en: 'Leave what is begun; from a note’s text back to the image', de: 'Begonnenes abbrechen; vom Notiztext zurück zum Bild', fr: 'Abandonner le tracé commencé ; revenir du texte de l’annotation à l’image' },
  'draw-delete': { en: 'Delete the note that has the focus', de: 'Notiz löschen, die den Fokus hat', fr: 'Supprimer l’annotation qui a le focus' },

  // The display
  calibrate: { en: 'Measure your display', de: 'Bildschirm ausmessen', fr: 'Mesurer votre écran' },
  'calibrate-how': {
    en: 'Hold a bank card or a ruler against the screen, and drag until the bar is as long. It is kept in this browser, and true size is right from then on.',
    de: 'Halten Sie eine Bankkarte oder ein Lineal an den Bildschirm und ziehen Sie den Balken auf die gleiche Länge. Das bleibt in diesem Browser gespeichert; die wahre Größe stimmt von da an.',
    fr: 'Tenez une carte bancaire ou une règle contre l’écran et étirez la barre à la même longueur. Cette valeur reste dans ce navigateur ; la taille réelle est dès lors exacte.',
  },
  'calibrate-with': { en: 'Measure with', de: 'Messen mit', fr: 'Mesurer avec' },
  'ruler-card': { en: 'a bank card (85.6 mm)', de: 'einer Bankkarte (85,6 mm)', fr: 'une carte bancaire (85,6 mm)' },
  'ruler-10cm': { en: '10 cm of a ruler', de: '10 cm eines Lineals', fr: '10 cm d’une règle' },
  'ruler-5cm': { en: '5 cm of a ruler', de: '5 cm eines Lineals', fr: '5 cm d’une règle' },
  'calibrate-length': { en: 'Length of the bar', de: 'Länge des Balkens', fr: 'Longueur de la barre' },
  'calibrate-result': { en: 'Your display has {dpi} pixels per inch.', de: 'Ihr Bildschirm hat {dpi} Pixel pro Zoll.', fr: 'Votre écran a {dpi} pixels par pouce.' },
  'calibrate-save': { en: 'Show in true size', de: 'In wahrer Größe zeigen', fr: 'Afficher en taille réelle' },
  // Browse
  'main-menu': { en: 'Display', de: 'Darstellung', fr: 'Affichage' },
  'theme-choice': { en: 'Colors', de: 'Farbschema', fr: 'Couleurs' },
  'theme-system': { en: 'As the device', de: 'Wie das Gerät', fr: 'Comme l’appareil' },
  'theme-light': { en: 'Light', de: 'Hell', fr: 'Clair' },
  'theme-dark': { en: 'Dark', de: 'Dunkel', fr: 'Sombre' },
  'language-choice': { en: 'Language', de: 'Sprache', fr: 'Langue' },
  'language-system': { en: 'As the browser', de: 'Wie der Browser', fr: 'Comme le navigateur' },
  'shortcuts-choice': { en: 'Single keys as shortcuts', de: 'Einzelne Tasten als Kürzel', fr: 'Raccourcis à une seule touche' },
  breadcrumbs: { en: 'The way here', de: 'Der Weg hierher', fr: 'Fil d’Ariane' },
  'image-count-one': { en: '{count} image', de: '{count} Bild', fr: '{count} image' },
  'image-count': { en: '{count} images', de: '{count} Bilder', fr: '{count} images' },
  'folder-count-one': { en: '{count} folder', de: '{count} Ordner', fr: '{count} dossier' },
  'folder-count': { en: '{count} folders', de: '{count} Ordner', fr: '{count} dossiers' },
  'page-count': { en: '{count} pages', de: '{count} Seiten', fr: '{count} pages' },
  folders: { en: 'Folders', de: 'Ordner', fr: 'Dossiers' },
  images: { en: 'Images', de: 'Bilder', fr: 'Images' },
  rights: { en: 'Rights', de: 'Rechte', fr: 'Droits' },
  'rights-by': { en: 'attribution', de: 'Namensnennung', fr: 'attribution' },
  'rights-sa': { en: 'share alike', de: 'Weitergabe unter gleichen Bedingungen', fr: 'partage dans les mêmes conditions' },
  'rights-nc': { en: 'non-commercial', de: 'nicht kommerziell', fr: 'pas d’utilisation commerciale' },
  'rights-nd': { en: 'no derivatives', de: 'keine Bearbeitungen', fr: 'pas de modification' },
  'rights-mark': { en: 'Public domain', de: 'Gemeinfrei', fr: 'Domaine public' },
  'rights-zero': { en: 'No rights reserved', de: 'Keine Rechte vorbehalten', fr: 'Aucun droit réservé' },
  'rights-InC': { en: 'In copyright', de: 'Urheberrechtsschutz', fr: 'Protégé par le droit d’auteur' },
  'rights-InC-OW-EU': { en: 'In copyright: EU orphan work', de: 'Urheberrechtsschutz: verwaistes Werk (EU)', fr: 'Protégé par le droit d’auteur : œuvre orpheline (UE)' },
  'rights-InC-EDU': { en: 'In copyright: educational use permitted', de: 'Urheberrechtsschutz: Nutzung zu Bildungszwecken erlaubt', fr: 'Protégé par le droit d’auteur : usage pédagogique autorisé' },
  'rights-InC-NC': { en: 'In copyright: non-commercial use permitted', de: 'Urheberrechtsschutz: nicht kommerzielle Nutzung erlaubt', fr: 'Protégé par le droit d’auteur : usage non commercial autorisé' },
  'rights-InC-RUU': { en: 'In copyright: rights holders can’t be found', de: 'Urheberrechtsschutz: Rechteinhaber nicht auffindbar', fr: 'Protégé par le droit d’auteur : titulaires des droits introuvables' },
  'rights-NoC-CR': { en: 'No copyright: contractual restrictions', de: 'Kein Urheberrechtsschutz: vertragliche Beschränkungen', fr: 'Pas de droit d’auteur : restrictions contractuelles' },
  'rights-NoC-NC': { en: 'No copyright: non-commercial use only', de: 'Kein Urheberrechtsschutz: nur nicht kommerzielle Nutzung', fr: 'Pas de droit d’auteur : usage non commercial uniquement' },
  'rights-NoC-OKLR': { en: 'No copyright: other legal restrictions', de: 'Kein Urheberrechtsschutz: andere rechtliche Beschränkungen', fr: 'Pas de droit d’auteur : autres restrictions légales' },
  'rights-NoC-US': { en: 'No copyright: United States', de: 'Kein Urheberrechtsschutz: Vereinigte Staaten', fr: 'Pas de droit d’auteur : États-Unis' },
  'rights-CNE': { en: 'Copyright not evaluated', de: 'Urheberrechtsschutz nicht bewertet', fr: 'Droit d’auteur non évalué' },
  'rights-UND': { en: 'Copyright undetermined', de: 'Urheberrechtsschutz ungeklärt', fr: 'Droit d’auteur indéterminé' },
  'rights-NKC': { en: 'No known copyright', de: 'Kein Urheberrechtsschutz bekannt', fr: 'Pas de droit d’auteur connu' },
  homepage: { en: 'More about it', de: 'Mehr dazu', fr: 'En savoir plus' },
  'show-more': { en: 'More', de: 'Mehr', fr: 'Plus' },
  'show-less': { en: 'Less', de: 'Weniger', fr: 'Moins' },
  'to-light-table': { en: 'Light table', de: 'Leuchttisch', fr: 'Table lumineuse' },
  'pixel-size': { en: '{width} × {height} px', de: '{width} × {height} px', fr: '{width} × {height} px' },
  unreadable: { en: 'Can’t be read', de: 'Nicht lesbar', fr: 'Illisible' },
  'no-cover': { en: 'No picture', de: 'Kein Bild', fr: 'Pas d’image' },
  'empty-folder': { en: 'Nothing lies in this folder yet.', de: 'Dieser Ordner ist noch leer.', fr: 'Ce dossier est encore vide.' },
  'empty-library': { en: 'The library is still empty', de: 'Die Bibliothek ist noch leer', fr: 'La bibliothèque est encore vide' },
  'empty-library-todo': {
    en: 'Put scans into its folder, in folders of their own if you like; they show here at once.',
    de: 'Legen Sie Scans in ihren Ordner, gern in eigene Ordner sortiert; sie erscheinen sofort hier.',
    fr: 'Placez des numérisations dans son dossier, rangées si vous le souhaitez dans des sous-dossiers ; elles apparaissent ici aussitôt.',
  },
  'pages-of-folder': { en: 'Parts of this folder', de: 'Teile dieses Ordners', fr: 'Parties de ce dossier' },
  'page-number': { en: 'Part {number}', de: 'Teil {number}', fr: 'Partie {number}' },
  'page-before': { en: 'Back', de: 'Zurück', fr: 'Précédent' },
  'page-after': { en: 'Next', de: 'Weiter', fr: 'Suivant' },
  'shown-of-total': { en: '{first} to {last} of {total}', de: '{first} bis {last} von {total}', fr: '{first} à {last} sur {total}' },
  search: { en: 'Search', de: 'Suchen', fr: 'Rechercher' },
  'search-names': { en: 'Search titles, chapters, texts', de: 'Titel, Kapitel, Texte suchen', fr: 'Titres, chapitres, textes' },
  'front-picture': { en: 'A detail of: {title}', de: 'Ein Ausschnitt aus: {title}', fr: 'Détail de : {title}' },
  'clear-search': { en: 'Clear the search', de: 'Suche leeren', fr: 'Effacer la recherche' },
  'search-scope': { en: 'Where to search', de: 'Wo gesucht wird', fr: 'Où rechercher' },
  'scope-folder': { en: 'In “{folder}”', de: 'In „{folder}“', fr: 'Dans « {folder} »' },
  'scope-library': { en: 'In the whole library', de: 'In der ganzen Bibliothek', fr: 'Dans toute la bibliothèque' },
  'search-results': { en: 'Results for “{query}”', de: 'Treffer für „{query}“', fr: 'Résultats pour « {query} »' },
  'found-in-title': { en: 'Title', de: 'Titel', fr: 'Titre' },
  'found-in-name': { en: 'Name', de: 'Name', fr: 'Nom' },
  'found-in-label': { en: 'Page', de: 'Seite', fr: 'Page' },
  'found-in-summary': { en: 'Summary', de: 'Zusammenfassung', fr: 'Résumé' },
  'found-in-metadata': { en: 'Metadata', de: 'Metadaten', fr: 'Métadonnées' },
  'found-in-chapter': { en: 'Chapter', de: 'Kapitel', fr: 'Chapitre' },
  searching: { en: 'Searching …', de: 'Suche läuft …', fr: 'Recherche…' },
  facets: { en: 'Order and choose', de: 'Ordnen und auswählen', fr: 'Trier et choisir' },
  'facets-none': { en: 'Nothing here is like that.', de: 'Hier ist nichts dergleichen.', fr: 'Rien ne correspond ici.' },
  'found-none-todo': {
    en: 'Fewer words or the beginning of a word find more. Other spellings may help, too.',
    de: 'Weniger Wörter oder der Anfang eines Wortes finden mehr. Auch eine andere Schreibweise kann helfen.',
    fr: 'Moins de mots, ou le début d’un mot, donnent plus de résultats. Essayez aussi une autre graphie.',
  },
  'found-none-browse': { en: 'Look through “{folder}”', de: '„{folder}“ durchsehen', fr: 'Parcourir « {folder} »' },
  'found-none': { en: 'Nothing found for “{query}”.', de: 'Nichts gefunden zu „{query}“.', fr: 'Aucun résultat pour « {query} ».' },
  'found-count-one': { en: '{count} found', de: '{count} Treffer', fr: '{count} résultat' },
  'found-count': { en: '{count} found', de: '{count} Treffer', fr: '{count} résultats' },
  'found-position': { en: 'page {at} of {total}', de: 'Seite {at} von {total}', fr: 'page {at} sur {total}' },
  'found-texts': { en: 'On the pages', de: 'Auf den Seiten', fr: 'Dans les pages' },
  'found-texts-count': { en: 'On the pages: {pages}', de: 'Auf den Seiten: {pages}', fr: 'Dans les pages : {pages}' },
  'found-pages-one': { en: '{count} page', de: '{count} Seite', fr: '{count} page' },
  'found-pages': { en: '{count} pages', de: '{count} Seiten', fr: '{count} pages' },
  'found-pages-more': { en: 'More than {count} pages; these are the best.', de: 'Mehr als {count} Seiten; dies sind die besten.', fr: 'Plus de {count} pages ; voici les meilleures.' },
  'found-more-pages': { en: 'More pages', de: 'Weitere Seiten', fr: 'Autres pages' },
  'found-matches-one': { en: '{count} match', de: '{count} Fundstelle', fr: '{count} occurrence' },
  'found-matches': { en: '{count} matches', de: '{count} Fundstellen', fr: '{count} occurrences' },
  'found-incomplete': { en: 'There are more. Search for a longer part of the name, or inside of a folder.', de: 'Es gibt noch mehr. Suchen Sie nach einem längeren Teil des Namens oder innerhalb eines Ordners.', fr: 'Il y en a d’autres. Cherchez une plus longue partie du nom, ou à l’intérieur d’un dossier.' },

  // Light table
  'table-title': { en: 'Light table: {folder}', de: 'Leuchttisch: {folder}', fr: 'Table lumineuse : {folder}' },
  'table-back': { en: 'Back to the folder', de: 'Zurück zum Ordner', fr: 'Retour au dossier' },
  'thumbnail-size': { en: 'Size', de: 'Größe', fr: 'Taille' },
  'select-all': { en: 'Select all', de: 'Alle auswählen', fr: 'Tout sélectionner' },
  'selected-count': { en: '{count} selected', de: '{count} ausgewählt', fr: 'Sélection : {count}' },
  'table-hint': { en: 'Click to select, double-click to open', de: 'Klicken wählt aus, Doppelklick öffnet', fr: 'Cliquez pour sélectionner, double-cliquez pour ouvrir' },
  'selection-tools': { en: 'What to do with the selection', de: 'Aktionen für die Auswahl', fr: 'Actions sur la sélection' },
  'selection-loading': { en: 'Looking up {count} …', de: 'Wird nachgeschlagen: {count} …', fr: 'Consultation en cours : {count}…' },
  'open-selected': { en: 'Open', de: 'Öffnen', fr: 'Ouvrir' },
  'copy-addresses': { en: 'Copy addresses', de: 'Adressen kopieren', fr: 'Copier les adresses' },
  'copy-info-addresses': { en: 'Copy info.json addresses', de: 'info.json-Adressen kopieren', fr: 'Copier les adresses info.json' },
  'download-list': { en: 'Download list', de: 'Liste herunterladen', fr: 'Télécharger la liste' },
  'download-csv': { en: 'List for spreadsheets (CSV)', de: 'Liste als Tabelle (CSV)', fr: 'Liste pour tableur (CSV)' },
  'zip-selected': { en: 'Pictures (ZIP)', de: 'Bilder (ZIP)', fr: 'Images (ZIP)' },

  // To take along
  'range-some': { en: 'Some pages', de: 'Einzelne Seiten', fr: 'Quelques pages' },
  'pdf-all': { en: 'PDF of all pages', de: 'PDF aller Seiten', fr: 'PDF de toutes les pages' },
  'pdf-selected': { en: 'PDF of the selection', de: 'PDF der Auswahl', fr: 'PDF de la sélection' },
  'pdf-preparing': { en: 'Preparing …', de: 'Wird vorbereitet …', fr: 'Préparation…' },
  'pdf-progress': { en: '{made} of {of} pages', de: '{made} von {of} Seiten', fr: '{made} pages sur {of}' },
  'pdf-ready': { en: 'The PDF is ready.', de: 'Das PDF ist fertig.', fr: 'Le PDF est prêt.' },
  'pdf-open': { en: 'Open', de: 'Öffnen', fr: 'Ouvrir' },
  'pdf-save': { en: 'Save', de: 'Sichern', fr: 'Enregistrer' },
  'pdf-busy': { en: 'The server is making other documents. Try again in a few minutes.', de: 'Der Server stellt gerade andere Dokumente her. Versuchen Sie es in einigen Minuten wieder.', fr: 'Le serveur prépare d’autres documents. Réessayez dans quelques minutes.' },
  'pdf-failed': { en: 'The PDF could not be made. Fewer pages may work.', de: 'Das PDF konnte nicht hergestellt werden. Mit weniger Seiten gelingt es vielleicht.', fr: 'Le PDF n’a pas pu être créé. Essayez avec moins de pages.' },

  'clear-selection': { en: 'Clear', de: 'Auswahl aufheben', fr: 'Désélectionner' },
  'part-missing': { en: 'Not loaded', de: 'Nicht geladen', fr: 'Non chargé' },

  // Open with
  'open-with': { en: 'Open with', de: 'Öffnen mit', fr: 'Ouvrir avec' },
  'wheel-zooms': { en: '{key} + wheel zooms', de: '{key} + Mausrad zoomt', fr: '{key} + molette pour zoomer' },
  'open-image-with': { en: 'Open {label} with other programs', de: '{label} mit anderen Programmen öffnen', fr: 'Ouvrir {label} avec d’autres programmes' },
  'copy-named': { en: 'Copy: {name}', de: 'Kopieren: {name}', fr: 'Copier : {name}' },

  // The text of a page
  'tool-text': { en: 'Select text', de: 'Text auswählen', fr: 'Sélectionner le texte' },
  'short-text-tool': { en: 'Select', de: 'Auswählen', fr: 'Sélectionner' },
  'panel-text': { en: 'Text of the page', de: 'Text der Seite', fr: 'Texte de la page' },
  'short-text': { en: 'Text', de: 'Text', fr: 'Texte' },
  'panel-search': { en: 'Search in the book', de: 'Im Buch suchen', fr: 'Chercher dans le livre' },
  'short-search': { en: 'Search', de: 'Suchen', fr: 'Chercher' },
  'hint-text': {
    en: 'Drag over the words. A double click selects a word, a third click its line. The wheel or two fingers zoom; Escape ends.',
    de: 'Ziehen Sie über die Wörter. Ein Doppelklick wählt ein Wort, ein dritter Klick seine Zeile. Das Mausrad oder zwei Finger zoomen; Esc beendet.',
    fr: 'Glissez sur les mots. Un double clic sélectionne un mot, un troisième clic sa ligne. La molette ou deux doigts zooment ; Échap termine.',
  },
  'text-follows': { en: 'The text of the page follows after the image.', de: 'Der Text der Seite folgt nach dem Bild.', fr: 'Le texte de la page suit l’image.' },
  'text-of-page': { en: 'Text of {label}', de: 'Text von {label}', fr: 'Texte de {label}' },
  'text-selected': { en: 'Selected text', de: 'Ausgewählter Text', fr: 'Texte sélectionné' },
  'text-copy-selected': { en: 'Copy the selected text', de: 'Ausgewählten Text kopieren', fr: 'Copier le texte sélectionné' },
  'text-as-note': { en: 'Note', de: 'Notiz', fr: 'Noter' },
  'text-quote': { en: 'Cite', de: 'Zitieren', fr: 'Citer' },
  'text-copy-all': { en: 'Copy all', de: 'Alles kopieren', fr: 'Tout copier' },
  'text-download': { en: 'Download .txt', de: '.txt herunterladen', fr: 'Télécharger .txt' },
  'text-show-line': { en: 'Show line {number}', de: 'Zeile {number} zeigen', fr: 'Montrer la ligne {number}' },
  'text-uncertain': { en: 'Mark uncertain words, less than {percent} sure ({count})', de: 'Unsichere Wörter markieren, unter {percent} sicher ({count})', fr: 'Marquer les mots incertains, sûrs à moins de {percent} ({count})' },
  'text-confidence': { en: 'Recognized with {percent} certainty', de: 'Mit {percent} Sicherheit erkannt', fr: 'Reconnu avec {percent} de certitude' },
  'text-empty': { en: 'The text of this page is empty.', de: 'Der Text dieser Seite ist leer.', fr: 'Le texte de cette page est vide.' },
  'text-none': { en: 'This page has no text. The pages before or after it may have one.', de: 'Diese Seite hat keinen Text. Vielleicht haben die Seiten davor oder danach einen.', fr: 'Cette page n’a pas de texte. Les pages précédentes ou suivantes en ont peut-être un.' },
  'text-of-region': { en: 'Take the words inside', de: 'Wörter darin übernehmen', fr: 'Reprendre les mots qu’elle contient' },
  'quote-words': { en: 'Quote the words', de: 'Wörter anführen', fr: 'Citer les mots' },
  quotation: { en: '“{text}”', de: '„{text}“', fr: '« {text} »' },

  // The search in a book
  'search-book': { en: 'Words in this book', de: 'Wörter in diesem Buch', fr: 'Mots dans ce livre' },
  'searching-book': { en: 'Searching …', de: 'Wird gesucht …', fr: 'Recherche…' },
  'next-hit': { en: 'Next hit', de: 'Nächster Treffer', fr: 'Résultat suivant' },
  'previous-hit': { en: 'Previous hit', de: 'Voriger Treffer', fr: 'Résultat précédent' },
  'hit-count-one': { en: '{count} hit', de: '{count} Treffer', fr: '{count} résultat' },
  'hit-count': { en: '{count} hits', de: '{count} Treffer', fr: '{count} résultats' },
  'hit-of': { en: '{at} of {count} hits', de: 'Treffer {at} von {count}', fr: 'Résultat {at} sur {count}' },
  'hits-more': { en: 'more than {count}', de: 'mehr als {count}', fr: 'plus de {count}' },
  'hits-none': { en: 'Nothing found for “{query}”.', de: 'Nichts gefunden für „{query}“.', fr: 'Rien trouvé pour « {query} ».' },
  'hits-prefix-hint': { en: '{query}* finds words that begin so.', de: '{query}* findet Wörter, die so beginnen.', fr: '{query}* trouve les mots qui commencent ainsi.' },
  'hits-no-index': { en: 'This library has no index of its texts yet.', de: 'Diese Bibliothek hat noch kein Verzeichnis ihrer Texte.', fr: 'Cette bibliothèque n’a pas encore d’index de ses textes.' },
  'hits-listed': { en: 'The first {count} are listed; the keys J and K reach the others.', de: 'Die ersten {count} sind aufgeführt; die Tasten J und K erreichen die übrigen.', fr: 'Les {count} premiers sont énumérés ; les touches J et K atteignent les autres.' },

  // Cite
  'citation-accessed': { en: 'accessed {date}', de: 'abgerufen am {date}', fr: 'consulté le {date}' },
  quality: { en: 'How pixels are computed', de: 'Berechnung der Pixel', fr: 'Calcul des pixels' },
  'quality-default': { en: 'as the server does', de: 'nach Wahl des Servers', fr: 'au choix du serveur' },
  'quality-0': { en: 'fastest (q0)', de: 'am schnellsten (q0)', fr: 'le plus rapide (q0)' },
  'quality-1': { en: 'better (q1)', de: 'besser (q1)', fr: 'meilleur (q1)' },
  'quality-2': { en: 'good (q2)', de: 'gut (q2)', fr: 'bon (q2)' },
  'quality-3': { en: 'best (q3)', de: 'am besten (q3)', fr: 'le meilleur (q3)' },

  // Marks and regions
  'notes-on-image': { en: 'Notes on the image', de: 'Notizen auf dem Bild', fr: 'Annotations sur l’image' },
  'mark-name': { en: 'Mark {number}', de: 'Marke {number}', fr: 'Repère {number}' },
  'region-name': { en: 'Region {number}', de: 'Bereich {number}', fr: 'Zone {number}' },
  'region-corner': { en: 'Region {number}, corner {corner}', de: 'Bereich {number}, Ecke {corner}', fr: 'Zone {number}, coin {corner}' },
  'tool-mark': { en: 'Mark', de: 'Marke', fr: 'Repère' },
  'tool-rectangle': { en: 'Region', de: 'Bereich', fr: 'Zone' },
  marks: { en: 'Marks', de: 'Marken', fr: 'Repères' },
  undo: { en: 'Undo', de: 'Rückgängig', fr: 'Annuler' },
  redo: { en: 'Redo', de: 'Wiederholen', fr: 'Refaire' },
  'notes-toggle': { en: 'Hide or show notes', de: 'Notizen aus- oder einblenden', fr: 'Masquer ou afficher les annotations' },
  'text-extend-word': { en: 'Select text by words', de: 'Text wortweise auswählen', fr: 'Sélectionner le texte mot à mot' },
  'text-extend-line': { en: 'Select text by lines', de: 'Text zeilenweise auswählen', fr: 'Sélectionner le texte ligne par ligne' },
  'text-selected-now': { en: 'Selected: {text}', de: 'Ausgewählt: {text}', fr: 'Sélection : {text}' },
  'text-selected-none': { en: 'Nothing selected', de: 'Nichts ausgewählt', fr: 'Rien de sélectionné' },

  'beside-page': { en: 'Notes belong to the main page. Go to page {at} to mark this one.', de: 'Notizen gehören zur Hauptseite. Gehen Sie zu Seite {at}, um diese zu markieren.', fr: 'Les annotations appartiennent à la page principale. Allez à la page {at} pour annoter celle-ci.' },
  'beside-page-go': { en: 'Go to page {at}', de: 'Zu Seite {at}', fr: 'Aller à la page {at}' },

  // Measuring
  'measure-line': { en: 'Line', de: 'Strecke', fr: 'Segment' },
  'measure-path': { en: 'Path', de: 'Linienzug', fr: 'Ligne brisée' },
  'measure-angle': { en: 'Angle', de: 'Winkel', fr: 'Angle' },
  'measure-polygon': { en: 'Polygon', de: 'Vieleck', fr: 'Polygone' },
  'measure-rectangle': { en: 'Box', de: 'Rechteck', fr: 'Rectangle' },
  'measure-circle': { en: 'Circle', de: 'Kreis', fr: 'Cercle' },
  'measure-ellipse': { en: 'Ellipse', de: 'Ellipse', fr: 'Ellipse' },
  'measure-name': { en: '{kind} {number}: {value}', de: '{kind} {number}: {value}', fr: '{kind} {number} : {value}' },
  'measure-point': { en: 'Measurement {number}, point {point}', de: 'Messung {number}, Punkt {point}', fr: 'Mesure {number}, point {point}' },
  'measure-length': { en: 'Length', de: 'Länge', fr: 'Longueur' },
  'measure-area': { en: 'Area', de: 'Fläche', fr: 'Aire' },
  'measure-perimeter': { en: 'Perimeter', de: 'Umfang', fr: 'Périmètre' },
  'measure-width': { en: 'Width', de: 'Breite', fr: 'Largeur' },
  'measure-height': { en: 'Height', de: 'Höhe', fr: 'Hauteur' },
  'measure-diameter': { en: 'Diameter', de: 'Durchmesser', fr: 'Diamètre' },
  'measure-first-axis': { en: 'First axis', de: 'Erste Achse', fr: 'Premier axe' },
  'measure-second-axis': { en: 'Second axis', de: 'Zweite Achse', fr: 'Second axe' },
  'measure-first-line': { en: 'First line', de: 'Erste Strecke', fr: 'Premier segment' },
  'measure-second-line': { en: 'Second line', de: 'Zweite Strecke', fr: 'Second segment' },
  'measure-ratio': { en: 'Proportion', de: 'Verhältnis', fr: 'Proportion' },
  'measure-small-radius': { en: 'Small radius', de: 'Kleiner Radius', fr: 'Petit rayon' },
  'measure-large-radius': { en: 'Large radius', de: 'Großer Radius', fr: 'Grand rayon' },
  'measure-spacing': { en: 'Spacing', de: 'Abstand', fr: 'Espacement' },
  'measure-gap': { en: 'Gap', de: 'Lichte Weite', fr: 'Intervalle' },
  'measure-column': { en: 'Column', de: 'Säule', fr: 'Colonne' },
  'measure-intercolumniation-ratio': { en: 'Intercolumniation', de: 'Interkolumnium', fr: 'Entrecolonnement' },
  'temple-pycnostyle': { en: 'pycnostyle', de: 'pyknostyl', fr: 'pycnostyle' },
  'temple-systyle': { en: 'systyle', de: 'systyl', fr: 'systyle' },
  'temple-eustyle': { en: 'eustyle', de: 'eustyl', fr: 'eustyle' },
  'temple-diastyle': { en: 'diastyle', de: 'diastyl', fr: 'diastyle' },
  'temple-araeostyle': { en: 'araeostyle', de: 'aräostyl', fr: 'aréostyle' },
  scale: { en: 'Scale', de: 'Maßstab', fr: 'Échelle' },
  unit: { en: 'Unit', de: 'Einheit', fr: 'Unité' },
} as const satisfies Record<string, Message>;

export type MessageKey = keyof typeof messages | keyof typeof panelMessages | keyof typeof imageMessages | keyof typeof textMessages;

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag);

/** The language with texts that a tag of a browser means, such as `zh-TW`; undefined where there is none. */
function knownLanguage(tag: string): Language | undefined {
  const [primary = ''] = tag.toLowerCase().split('-');
  if (primary === 'zh') {
    const written: string = /-(?:hant|tw|hk|mo)\b/i.test(tag) ? 'zh-Hant' : 'zh-Hans';
    return isLanguage(written) ? written : undefined;
  }
  if (primary === 'no' || primary === 'nn') return 'nb';
  return isLanguage(primary) ? primary : undefined;
}

/** The first of the reader's languages with texts; English if there is none. */
export const languageOf = (preferred: readonly string[]): Language => preferred.map(knownLanguage).find((tag) => tag !== undefined) ?? 'en';

/** Looks up texts in the reader's language. */
export const language = signal<Language>('en');

const isOfAll = (text: string): text is keyof typeof messages => Object.hasOwn(messages, text);

export const isMessageKey = (text: string): text is MessageKey => isOfAll(text) || Object.hasOwn(added, text);

/** A part that asks for a text has loaded it. */
const textsOf = (key: MessageKey): Message => (isOfAll(key) ? messages[key] : (added[key] ?? messages.loading));

type WithoutOne<Key> = Key extends `${infer Base}-one` ? Base : never;

/** The messages with a count: those that have a form for the singular beside them, which ends in `-one`. */
type CountedKey = Extract<WithoutOne<MessageKey>, MessageKey>;

/** A text with its count, in the number that the reader's language has for it: zero takes the singular in French. */
export function countedText(one: Message, other: Message, count: number): string {
  const form = new Intl.PluralRules(language.value).select(count);
  const values = { count: count.toLocaleString(language.value) };
  const translation = translationOf(other.en, form);
  if (translation !== undefined) return withValues(translation, values);
  return filled(form === 'one' ? one : other, values);
}

export const countedMessage = (key: CountedKey, count: number): string => countedText(textsOf(`${key}-one`), textsOf(key), count);

export type MessageValues = Readonly<Record<string, string | number>>;

const withValues = (text: string, values: MessageValues): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

const textIn = (tag: Language, text: Message): string => (isWritten(tag) ? text[tag] : (translationOf(text.en) ?? text.en));

/** A text in the reader's language with its values. Components that call it are rendered again when the language changes. */
export const filled = (text: Message, values: MessageValues): string => withValues(textIn(language.value, text), values);

export const message = (key: MessageKey, values: MessageValues = {}): string => filled(textsOf(key), values);
