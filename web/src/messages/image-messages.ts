/** Texts about the layers of a page, and about what a single click improves: who imports this adds them. */
import { addMessages, type Message } from './added.ts';

export const imageMessages = {
  'layers-help': {
    en: 'A click on a picture shows that layer alone; the boxes put layers over each other.',
    de: 'Ein Klick auf ein Bild zeigt diese Ebene allein; die Kästchen legen Ebenen übereinander.',
    fr: 'Un clic sur une image n’affiche que cette couche ; les cases superposent plusieurs couches.',
  },
  'layer-alone': { en: 'Show only “{label}”', de: 'Nur „{label}“ zeigen', fr: 'N’afficher que « {label} »' },
  'layer-opacity': { en: 'Opacity of “{label}”', de: 'Deckkraft von „{label}“', fr: 'Opacité de « {label} »' },
  'layer-mix': {
    en: 'How the upper layer is seen',
    de: 'Wie die obere Ebene zu sehen ist',
    fr: 'Comment voir la couche du dessus',
  },
  'layer-mix-over': { en: 'Over', de: 'Darüber', fr: 'Superposée' },
  'layer-mix-slider': { en: 'Slider', de: 'Schieber', fr: 'Rideau' },
  'layer-mix-blink': { en: 'Blink', de: 'Blinken', fr: 'Alternance' },
  'layer-mix-difference': { en: 'Difference', de: 'Differenz', fr: 'Différence' },
  'layer-mix-needs-two': {
    en: 'Show at least two layers first.',
    de: 'Zeigen Sie zuerst mindestens zwei Ebenen.',
    fr: 'Affichez d’abord au moins deux couches.',
  },
  'layer-edge': { en: 'Position of the edge', de: 'Lage der Kante', fr: 'Position du rideau' },
  'layer-colors': { en: 'False color', de: 'Falschfarben', fr: 'Fausses couleurs' },
  'layer-colors-help': {
    en: 'Each channel is one layer in gray. The opacity of a layer is its share in the mixture.',
    de: 'Jeder Kanal ist eine Ebene in Grau. Die Deckkraft einer Ebene ist ihr Anteil an der Mischung.',
    fr: 'Chaque canal est une couche en niveaux de gris. L’opacité d’une couche est sa part dans le mélange.',
  },
  'layer-colors-on': {
    en: 'Mix layers as red, green and blue',
    de: 'Ebenen als Rot, Grün und Blau mischen',
    fr: 'Mélanger des couches en rouge, vert et bleu',
  },
  'layers-reset': { en: 'As the page begins', de: 'Wie zu Beginn', fr: 'Comme au début' },
  'blink-pause': { en: 'Pause', de: 'Anhalten', fr: 'Pause' },
  'blink-go-on': { en: 'Go on blinking', de: 'Weiter blinken', fr: 'Reprendre' },
  'blink-switch': { en: 'Switch', de: 'Umschalten', fr: 'Changer' },
  'layer-seen': { en: 'Seen now: {label}', de: 'Zu sehen: {label}', fr: 'Visible : {label}' },

  'one-click': { en: 'One click', de: 'Ein Klick', fr: 'En un clic' },
  levels: { en: 'Auto levels', de: 'Tonwerte', fr: 'Niveaux auto' },
  'levels-none': { en: 'There are no tones to spread here.', de: 'Hier gibt es keine Tonwerte zu spreizen.', fr: 'Il n’y a pas de tons à étendre ici.' },
  'effect-local': { en: 'Local contrast', de: 'Lokaler Kontrast', fr: 'Contraste local' },
  'effect-ink': { en: 'Faded ink', de: 'Blasse Tinte', fr: 'Encre pâlie' },
  'effect-sharp': { en: 'Sharpen', de: 'Schärfen', fr: 'Netteté' },
  'effect-red': { en: 'Red', de: 'Rot', fr: 'Rouge' },
  'effect-green': { en: 'Green', de: 'Grün', fr: 'Vert' },
  'effect-blue': { en: 'Blue', de: 'Blau', fr: 'Bleu' },
  'one-channel': { en: 'One channel', de: 'Ein Kanal', fr: 'Un seul canal' },
  straight: { en: 'Straighten the text', de: 'Text gerade stellen', fr: 'Redresser le texte' },
  'straight-none': { en: 'No lines of text are seen here.', de: 'Hier sind keine Textzeilen zu erkennen.', fr: 'Aucune ligne de texte n’est visible ici.' },
  'effects-here': {
    en: 'Local contrast, faded ink, sharpness and single channels are seen here and by links; pictures of the server do not have them.',
    de: 'Lokaler Kontrast, blasse Tinte, Schärfe und einzelne Kanäle sind hier und über Links zu sehen; Bilder vom Server haben sie nicht.',
    fr: 'Le contraste local, l’encre pâlie, la netteté et les canaux seuls se voient ici et par les liens ; les images du serveur ne les ont pas.',
  },
  looks: { en: 'Saved looks', de: 'Gespeicherte Einstellungen', fr: 'Réglages enregistrés' },
  'look-name': { en: 'Name of this look', de: 'Name dieser Einstellung', fr: 'Nom de ce réglage' },
  'look-save': { en: 'Save', de: 'Speichern', fr: 'Enregistrer' },
  'look-remove': { en: 'Delete the look “{name}”', de: 'Einstellung „{name}“ löschen', fr: 'Supprimer le réglage « {name} »' },
} as const satisfies Record<string, Message>;

addMessages(imageMessages);
