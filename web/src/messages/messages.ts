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

  // The viewer
  'stage-of': {
    en: 'Image {label}: arrow keys move it, plus and minus zoom',
    de: 'Bild {label}: Pfeiltasten verschieben, Plus und Minus vergrößern und verkleinern',
  },
  pages: { en: 'Pages', de: 'Seiten' },
  'first-page': { en: 'First page', de: 'Erste Seite' },
  'previous-page': { en: 'Previous page', de: 'Vorige Seite' },
  'next-page': { en: 'Next page', de: 'Nächste Seite' },
  'last-page': { en: 'Last page', de: 'Letzte Seite' },
  'go-to-page': { en: 'Go to page', de: 'Gehe zu Seite' },
  'of-pages': { en: 'of {total}', de: 'von {total}' },
  'page-named': { en: 'Page {at}: {label}', de: 'Seite {at}: {label}' },
  'two-pages': { en: 'Two pages side by side', de: 'Zwei Seiten nebeneinander' },
  'right-to-left': { en: 'Right to left', de: 'Von rechts nach links' },
  thumbnails: { en: 'Thumbnails', de: 'Vorschaubilder' },
  'full-screen': { en: 'Full screen', de: 'Vollbild' },
  'open-in-room': { en: 'Open in the reading room', de: 'Im Lesesaal öffnen' },
  tools: { en: 'Tools', de: 'Werkzeuge' },
  'tool-move': { en: 'Move the image', de: 'Bild verschieben' },
  'tool-zoom-area': { en: 'Zoom to an area', de: 'Auf einen Ausschnitt vergrößern' },
  'tool-magnifier': { en: 'Magnifier', de: 'Lupe' },
  'panel-adjust': { en: 'Adjust', de: 'Bild anpassen' },
  'panel-notes': { en: 'Marks and regions', de: 'Marken und Bereiche' },
  'panel-measure': { en: 'Measure', de: 'Messen' },
  'panel-cite': { en: 'Cite and download', de: 'Zitieren und herunterladen' },
  'panel-about': { en: 'About this image', de: 'Über dieses Bild' },
  'reset-view': { en: 'Reset the view', de: 'Ansicht zurücksetzen' },
  zoom: { en: 'Size on the screen', de: 'Größe auf dem Bildschirm' },
  'zoom-now': { en: 'Screen pixels for an image pixel', de: 'Bildschirmpixel je Bildpixel' },
  'zoom-in': { en: 'Zoom in', de: 'Vergrößern' },
  'zoom-out': { en: 'Zoom out', de: 'Verkleinern' },
  whole: { en: 'Whole', de: 'Ganz' },
  'page-width': { en: 'Width', de: 'Breite' },
  'one-to-one': { en: '1:1', de: '1:1' },
  'true-size': { en: 'True size', de: 'Wahre Größe' },
  'birds-eye': { en: 'Where you are on the image', de: 'Wo Sie im Bild sind' },

  // Adjusting
  turn: { en: 'Turn and mirror', de: 'Drehen und spiegeln' },
  'turn-left': { en: 'Turn left', de: 'Nach links drehen' },
  'turn-right': { en: 'Turn right', de: 'Nach rechts drehen' },
  'turn-bit-left': { en: 'Turn 5° left', de: '5° nach links drehen' },
  'turn-bit-right': { en: 'Turn 5° right', de: '5° nach rechts drehen' },
  'mirror-horizontal': { en: 'Mirror left to right', de: 'Links und rechts vertauschen' },
  'mirror-vertical': { en: 'Mirror top to bottom', de: 'Oben und unten vertauschen' },
  angle: { en: 'Angle', de: 'Winkel' },
  color: { en: 'Color', de: 'Farbe' },
  brightness: { en: 'Brightness', de: 'Helligkeit' },
  contrast: { en: 'Contrast', de: 'Kontrast' },
  channels: { en: 'Red, green, blue', de: 'Rot, Grün, Blau' },
  red: { en: 'Red', de: 'Rot' },
  green: { en: 'Green', de: 'Grün' },
  blue: { en: 'Blue', de: 'Blau' },
  'channel-times': { en: '{name} ×', de: '{name} ×' },
  'channel-plus': { en: '{name} +', de: '{name} +' },
  'color-operation': { en: 'Show as', de: 'Zeigen als' },
  'colop-none': { en: 'Colors as they are', de: 'Farben, wie sie sind' },
  'colop-grayscale': { en: 'Gray', de: 'Grau' },
  'colop-ntsc': { en: 'Gray (NTSC)', de: 'Grau (NTSC)' },
  'colop-bitonal': { en: 'Black and white', de: 'Schwarzweiß' },
  'colop-invert': { en: 'Negative', de: 'Negativ' },
  'colop-map': { en: 'False colors', de: 'Falschfarben' },
  'reset-color': { en: 'Colors as they are', de: 'Farben zurücksetzen' },
  'value-of': { en: '{name}: value', de: '{name}: Wert' },
  'reset-of': { en: 'Reset {name}', de: '{name} zurücksetzen' },

  // Keys
  keyboard: { en: 'Keyboard', de: 'Tastatur' },
  'shortcuts-on': { en: 'Single keys act at once', de: 'Einzelne Tasten wirken sofort' },
  'pan-left': { en: 'Move left', de: 'Nach links' },
  'pan-right': { en: 'Move right', de: 'Nach rechts' },
  'pan-up': { en: 'Move up', de: 'Nach oben' },
  'pan-down': { en: 'Move down', de: 'Nach unten' },
  'leave-tool': { en: 'Put the tool away, close the panel', de: 'Werkzeug weglegen, Seitenleiste schließen' },

  // The display
  calibrate: { en: 'Measure your display', de: 'Bildschirm ausmessen' },
  'calibrate-how': {
    en: 'Hold a bank card or a ruler against the screen, and drag until the bar is as long. It is kept in this browser, and true size is right from then on.',
    de: 'Halten Sie eine Bankkarte oder ein Lineal an den Bildschirm und ziehen Sie den Balken auf die gleiche Länge. Das bleibt in diesem Browser gespeichert; die wahre Größe stimmt von da an.',
  },
  'calibrate-with': { en: 'Measure with', de: 'Messen mit' },
  'ruler-card': { en: 'a bank card (85.6 mm)', de: 'einer Bankkarte (85,6 mm)' },
  'ruler-10cm': { en: '10 cm of a ruler', de: '10 cm eines Lineals' },
  'ruler-5cm': { en: '5 cm of a ruler', de: '5 cm eines Lineals' },
  'calibrate-length': { en: 'Length of the bar', de: 'Länge des Balkens' },
  'calibrate-result': { en: 'Your display has {dpi} pixels per inch.', de: 'Ihr Bildschirm hat {dpi} Pixel pro Zoll.' },
  'calibrate-save': { en: 'Show in true size', de: 'In wahrer Größe zeigen' },
} as const satisfies Record<string, Message>;

export type MessageKey = keyof typeof messages;
