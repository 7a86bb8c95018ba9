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

  // Browse
  'main-menu': { en: 'Display', de: 'Darstellung' },
  'theme-choice': { en: 'Colors', de: 'Farben' },
  'theme-system': { en: 'As the device', de: 'Wie das Gerät' },
  'theme-light': { en: 'Light', de: 'Hell' },
  'theme-dark': { en: 'Dark', de: 'Dunkel' },
  'language-choice': { en: 'Language', de: 'Sprache' },
  'language-system': { en: 'As the browser', de: 'Wie der Browser' },
  'shortcuts-choice': { en: 'Single keys as shortcuts', de: 'Einzelne Tasten als Kürzel' },
  'way-here': { en: 'The way here', de: 'Der Weg hierher' },
  'image-count-one': { en: '1 image', de: '1 Bild' },
  'image-count': { en: '{count} images', de: '{count} Bilder' },
  'folder-count-one': { en: '1 folder', de: '1 Ordner' },
  'folder-count': { en: '{count} folders', de: '{count} Ordner' },
  'page-count': { en: '{count} pages', de: '{count} Seiten' },
  folders: { en: 'Folders', de: 'Ordner' },
  images: { en: 'Images', de: 'Bilder' },
  rights: { en: 'Rights', de: 'Rechte' },
  'show-more': { en: 'More', de: 'Mehr' },
  'show-less': { en: 'Less', de: 'Weniger' },
  'to-light-table': { en: 'Light table', de: 'Leuchttisch' },
  'pixel-size': { en: '{width} × {height} px', de: '{width} × {height} px' },
  unreadable: { en: 'Can’t be read', de: 'Nicht lesbar' },
  'no-cover': { en: 'No picture', de: 'Kein Bild' },
  'empty-folder': { en: 'Nothing lies in this folder yet.', de: 'In diesem Ordner liegt noch nichts.' },
  'empty-library': { en: 'The library is still empty', de: 'Die Bibliothek ist noch leer' },
  'empty-library-todo': {
    en: 'Put scans into its folder, in folders of their own if you like; they show here at once.',
    de: 'Legen Sie Scans in ihren Ordner, gern in eigene Ordner sortiert; sie erscheinen sofort hier.',
  },
  'pages-of-folder': { en: 'Parts of this folder', de: 'Teile dieses Ordners' },
  'page-number': { en: 'Part {number}', de: 'Teil {number}' },
  'page-before': { en: 'Back', de: 'Zurück' },
  'page-after': { en: 'Next', de: 'Weiter' },
  'shown-of-total': { en: '{first} to {last} of {total}', de: '{first} bis {last} von {total}' },
  search: { en: 'Search', de: 'Suchen' },
  'search-names': { en: 'Search names', de: 'Namen suchen' },
  'clear-search': { en: 'Clear the search', de: 'Suche leeren' },
  'search-scope': { en: 'Where to search', de: 'Wo gesucht wird' },
  'scope-folder': { en: 'In “{folder}”', de: 'In „{folder}“' },
  'scope-library': { en: 'In the whole library', de: 'In der ganzen Bibliothek' },
  'search-results': { en: 'Results for “{query}”', de: 'Treffer für „{query}“' },
  searching: { en: 'Searching …', de: 'Sucht …' },
  'found-none': { en: 'No name holds “{query}”.', de: 'Kein Name enthält „{query}“.' },
  'found-one': { en: '1 found', de: '1 Treffer' },
  'found-count': { en: '{count} found', de: '{count} Treffer' },
  'found-incomplete': {
    en: 'There are more. Search for a longer part of the name, or inside of a folder.',
    de: 'Es gibt noch mehr. Suchen Sie nach einem längeren Teil des Namens oder innerhalb eines Ordners.',
  },

  // Light table
  'table-title': { en: 'Light table: {folder}', de: 'Leuchttisch: {folder}' },
  'table-back': { en: 'Back to the folder', de: 'Zurück zum Ordner' },
  'thumbnail-size': { en: 'Size', de: 'Größe' },
  'select-all': { en: 'Select all', de: 'Alle auswählen' },
  'selected-count': { en: '{count} selected', de: '{count} ausgewählt' },
  'table-hint': {
    en: 'Click to select, double-click to open',
    de: 'Klicken wählt aus, Doppelklick öffnet',
  },
  'selection-tools': { en: 'What to do with the selection', de: 'Was mit der Auswahl geschieht' },
  'selection-loading': { en: 'Looking up {count} …', de: '{count} werden nachgeschlagen …' },
  'open-selected': { en: 'Open', de: 'Öffnen' },
  'copy-addresses': { en: 'Copy addresses', de: 'Adressen kopieren' },
  'copy-info-addresses': { en: 'Copy info.json addresses', de: 'info.json-Adressen kopieren' },
  'download-list': { en: 'Download list', de: 'Liste herunterladen' },
  'clear-selection': { en: 'Clear', de: 'Aufheben' },
  'part-missing': { en: 'Did not come', de: 'Kam nicht an' },

  // Open with
  'open-with': { en: 'Open with', de: 'Öffnen mit' },
  'open-with-title': { en: 'Open “{title}” with …', de: '„{title}“ öffnen mit …' },
  'open-image-with': { en: 'Open {label} with other programs', de: '{label} mit anderen Programmen öffnen' },
  'addresses-tab': { en: 'Addresses', de: 'Adressen' },
  'web-page-tab': { en: 'Web page', de: 'Webseite' },
  'ways-to-open': { en: 'Ways to open it', de: 'Wege, es zu öffnen' },
  'address-manifest-3': { en: 'IIIF manifest, version 3', de: 'IIIF-Manifest, Version 3' },
  'address-manifest-2': { en: 'IIIF manifest, version 2', de: 'IIIF-Manifest, Version 2' },
  'address-collection-3': { en: 'IIIF collection, version 3', de: 'IIIF-Sammlung, Version 3' },
  'address-collection-2': { en: 'IIIF collection, version 2', de: 'IIIF-Sammlung, Version 2' },
  'address-info-3': { en: 'IIIF image information, version 3', de: 'IIIF-Bildinformation, Version 3' },
  'address-info-2': { en: 'IIIF image information, version 2', de: 'IIIF-Bildinformation, Version 2' },
  'address-scaler': { en: 'Picture by the digilib Scaler', de: 'Bild vom digilib-Scaler' },
  'address-info-object': { en: 'digilib info object', de: 'digilib-Infoobjekt' },
  'address-folder-info': { en: 'digilib folder list', de: 'digilib-Ordnerliste' },
  'address-room': { en: 'Reading room', de: 'Lesesaal' },
  'copy-named': { en: 'Copy: {name}', de: 'Kopieren: {name}' },
  'drag-to-viewer': { en: 'Drag to a IIIF viewer', de: 'In einen IIIF-Viewer ziehen' },
  'drag-to-viewer-hint': {
    en: 'Drop the icon on Mirador, Universal Viewer or another viewer.',
    de: 'Legen Sie das Zeichen auf Mirador, Universal Viewer oder einem anderen Viewer ab.',
  },
  'snippet-note': {
    en: 'Put this into a page of your own. Its reader’s browser loads the viewer from the address that it names.',
    de: 'Setzen Sie dies in eine eigene Seite. Der Browser lädt den Viewer von der Adresse, die darin steht.',
  },
  'snippet-img': { en: 'A picture', de: 'Ein Bild' },
  'snippet-iframe': { en: 'The reading room inside of a page', de: 'Der Lesesaal in einer Seite' },
} as const satisfies Record<string, Message>;

export type MessageKey = keyof typeof messages;
