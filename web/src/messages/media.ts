/** The texts of pages with sound and video, which are loaded with these. */
import type { Message } from './added.ts';
import { filled, type MessageValues } from './messages.ts';

export const mediaMessages = {
  'sound-and-video': { en: 'Sound and video', de: 'Ton und Video', fr: 'Son et vidéo' },
  sound: { en: 'Sound', de: 'Ton', fr: 'Son' },
  video: { en: 'Video', de: 'Video', fr: 'Vidéo' },
  player: { en: 'Player', de: 'Abspielen', fr: 'Lecteur' },
  play: { en: 'Play', de: 'Abspielen', fr: 'Lire' },
  pause: { en: 'Pause', de: 'Anhalten', fr: 'Pause' },
  back: { en: 'Back 10 seconds', de: '10 Sekunden zurück', fr: 'Reculer de 10 secondes' },
  forward: { en: 'Forward 10 seconds', de: '10 Sekunden vor', fr: 'Avancer de 10 secondes' },
  position: { en: 'Position', de: 'Stelle', fr: 'Position' },
  'position-of': { en: '{time} of {total}', de: '{time} von {total}', fr: '{time} sur {total}' },
  mute: { en: 'Mute', de: 'Stumm', fr: 'Muet' },
  volume: { en: 'Volume', de: 'Lautstärke', fr: 'Volume' },
  speed: { en: 'Speed', de: 'Tempo', fr: 'Vitesse' },
  captions: { en: 'Captions', de: 'Untertitel', fr: 'Sous-titres' },
  'captions-off': { en: 'Off', de: 'Aus', fr: 'Sans' },
  version: { en: 'Version', de: 'Fassung', fr: 'Version' },
  'keys-play': { en: 'Play and pause', de: 'Abspielen und anhalten', fr: 'Lire et mettre en pause' },
  'keys-arrows': {
    en: 'Back and forward by 5 seconds',
    de: '5 Sekunden zurück und vor',
    fr: 'Reculer et avancer de 5 secondes',
  },
  'keys-letters': {
    en: 'Back and forward by 10 seconds',
    de: '10 Sekunden zurück und vor',
    fr: 'Reculer et avancer de 10 secondes',
  },
  'keys-mute': { en: 'Sound off and on', de: 'Ton aus und an', fr: 'Couper et rétablir le son' },
  'cite-moment': { en: 'Cite this moment', de: 'Diese Stelle zitieren', fr: 'Citer ce moment' },
  chapters: { en: 'Chapters', de: 'Kapitel', fr: 'Chapitres' },
  transcript: { en: 'Transcript', de: 'Transkript', fr: 'Transcription' },
  remarks: { en: 'Annotations', de: 'Anmerkungen', fr: 'Annotations' },
  files: { en: 'Files', de: 'Dateien', fr: 'Fichiers' },
  follow: { en: 'Follow the sound', de: 'Mitlaufen', fr: 'Suivre le son' },
  'transcript-find': { en: 'Find in the transcript', de: 'Im Transkript suchen', fr: 'Chercher dans la transcription' },
  'transcript-found': {
    en: '{shown} of {total} lines',
    de: '{shown} von {total} Zeilen',
    fr: '{shown} lignes sur {total}',
  },
  'transcript-choice': { en: 'Text', de: 'Textfassung', fr: 'Texte' },
  'transcript-fault': {
    en: 'The text could not be loaded.',
    de: 'Der Text ließ sich nicht laden.',
    fr: 'Le texte n’a pas pu être chargé.',
  },
  'remark-whole': { en: 'Of the whole', de: 'Zum Ganzen', fr: 'Sur l’ensemble' },
  'open-file': { en: 'Open the file', de: 'Datei öffnen', fr: 'Ouvrir le fichier' },
  'fault-file': {
    en: 'This browser can’t play the file',
    de: 'Dieser Browser kann die Datei nicht abspielen',
    fr: 'Ce navigateur ne peut pas lire le fichier',
  },
  'fault-file-todo': {
    en: 'It may be damaged or gone, or in a form that this browser does not know ({format}). Another program may play it.',
    de: 'Sie ist vielleicht beschädigt oder fort, oder in einer Form, die dieser Browser nicht kennt ({format}). Ein anderes Programm spielt sie vielleicht ab.',
    fr: 'Il est peut-être endommagé ou absent, ou d’un format que ce navigateur ne connaît pas ({format}). Un autre programme le lira peut-être.',
  },
  'fault-host': {
    en: 'Files of this server are not played here',
    de: 'Dateien dieses Servers werden hier nicht abgespielt',
    fr: 'Les fichiers de ce serveur ne sont pas lus ici',
  },
  'fault-host-todo': {
    en: 'The library that you are in plays files of the servers that it allows; it does not allow {host}.',
    de: 'Diese Bibliothek spielt nur Dateien von Servern ab, die sie freigegeben hat; {host} gehört nicht dazu.',
    fr: 'Cette bibliothèque ne lit que les fichiers des serveurs qu’elle autorise ; {host} n’en fait pas partie.',
  },
  'scene-title': {
    en: 'This page is a 3D scene',
    de: 'Diese Seite ist eine 3D-Szene',
    fr: 'Cette page est une scène 3D',
  },
  'model-title': {
    en: 'A 3D model is on this page',
    de: 'Auf dieser Seite ist ein 3D-Modell',
    fr: 'Cette page contient un modèle 3D',
  },
  'other-title': {
    en: 'Something on this page can’t be shown',
    de: 'Etwas auf dieser Seite lässt sich nicht zeigen',
    fr: 'Un élément de cette page ne peut pas être affiché',
  },
  'model-todo': {
    en: 'The reading room shows images, sound and video, not three dimensions. The model can be opened in a program for 3D.',
    de: 'Der Lesesaal zeigt Bilder, Ton und Video, keine drei Dimensionen. Das Modell lässt sich in einem Programm für 3D öffnen.',
    fr: 'La salle de lecture montre des images, du son et des vidéos, pas la troisième dimension. Le modèle s’ouvre dans un programme de 3D.',
  },
  'scene-todo': {
    en: 'The reading room shows images, sound and video, not three dimensions. Another viewer may show the manifest.',
    de: 'Der Lesesaal zeigt Bilder, Ton und Video, keine drei Dimensionen. Ein anderer Viewer zeigt das Manifest vielleicht.',
    fr: 'La salle de lecture montre des images, du son et des vidéos, pas la troisième dimension. Une autre visionneuse affichera peut-être le manifeste.',
  },
  'other-todo': {
    en: 'Its kind is {type}, which the reading room does not know.',
    de: 'Es ist von der Art {type}, die der Lesesaal nicht kennt.',
    fr: 'Il est de la sorte {type}, que la salle de lecture ne connaît pas.',
  },
  'nothing-title': {
    en: 'There is nothing on this page',
    de: 'Auf dieser Seite ist nichts',
    fr: 'Cette page est vide',
  },
  'nothing-todo': {
    en: 'The manifest names neither sound nor video nor an image for it.',
    de: 'Das Manifest nennt dafür weder Ton noch Video noch ein Bild.',
    fr: 'Le manifeste n’indique ni son, ni vidéo, ni image pour elle.',
  },
} as const satisfies Record<string, Message>;

export type MediaMessageKey = keyof typeof mediaMessages;

export const mediaMessage = (key: MediaMessageKey, values: MessageValues = {}): string => filled(mediaMessages[key], values);
