/** Texts about reading pages: their texts beside each other, the voice, corrections, and the text alone: who imports this adds them. */
import { addMessages, type Message } from './added.ts';

export const textMessages = {
  'text-choice': { en: 'Text', de: 'Text', fr: 'Texte' },
  'text-beside': { en: 'Beside it', de: 'Daneben', fr: 'En regard' },
  'text-beside-none': { en: 'No other text', de: 'Kein weiterer Text', fr: 'Aucun autre texte' },
  'text-transcription': { en: 'Transcription', de: 'Transkription', fr: 'Transcription' },
  'text-plain': { en: 'Plain text', de: 'Reiner Text', fr: 'Texte brut' },
  'read-aloud': { en: 'Read aloud', de: 'Vorlesen', fr: 'Lire à voix haute' },
  'read-aloud-pause': { en: 'Pause', de: 'Pause', fr: 'Pause' },
  'read-aloud-resume': { en: 'Go on reading', de: 'Weiterlesen', fr: 'Reprendre la lecture' },
  'read-aloud-stop': { en: 'Stop reading', de: 'Vorlesen beenden', fr: 'Arrêter la lecture' },
  'read-aloud-next': { en: 'Next line', de: 'Nächste Zeile', fr: 'Ligne suivante' },
  'read-aloud-previous': { en: 'Previous line', de: 'Vorige Zeile', fr: 'Ligne précédente' },
  'read-aloud-speed': { en: 'Speed', de: 'Tempo', fr: 'Vitesse' },
  'line-tools': { en: 'Line {number}', de: 'Zeile {number}', fr: 'Ligne {number}' },
  'correct-line': { en: 'Suggest a correction', de: 'Korrektur vorschlagen', fr: 'Proposer une correction' },
  'correct-line-field': {
    en: 'How line {number} reads',
    de: 'Wie Zeile {number} lautet',
    fr: 'Comment se lit la ligne {number}',
  },
  'correct-line-save': { en: 'Keep the suggestion', de: 'Vorschlag merken', fr: 'Garder la proposition' },
  'correct-line-kept': {
    en: 'The correction is among your marks and regions, from where you save it as an annotation.',
    de: 'Die Korrektur steht unter Ihren Marken und Bereichen; von dort sichern Sie sie als Annotation.',
    fr: 'La correction est parmi vos marques et zones, d’où vous l’enregistrez comme annotation.',
  },
  'text-alone-open': { en: 'Text alone', de: 'Nur der Text', fr: 'Texte seul' },
  'text-alone-close': { en: 'Back to the image', de: 'Zurück zum Bild', fr: 'Retour à l’image' },
  'text-alone-none': {
    en: 'There is no text of this page.',
    de: 'Zu dieser Seite gibt es keinen Text.',
    fr: 'Il n’y a pas de texte de cette page.',
  },
  'text-alone-image': { en: 'Show page {label}', de: 'Seite {label} zeigen', fr: 'Afficher la page {label}' },
  'text-alone-earlier': { en: 'Earlier pages', de: 'Frühere Seiten', fr: 'Pages précédentes' },
  'text-alone-later': { en: 'Next page', de: 'Nächste Seite', fr: 'Page suivante' },
  'text-alone-lines': { en: 'Lines as on the page', de: 'Zeilen wie auf der Seite', fr: 'Lignes comme sur la page' },
  'letters-larger': { en: 'Larger letters', de: 'Größere Schrift', fr: 'Lettres plus grandes' },
  'letters-smaller': { en: 'Smaller letters', de: 'Kleinere Schrift', fr: 'Lettres plus petites' },
} as const satisfies Record<string, Message>;

addMessages(textMessages);
