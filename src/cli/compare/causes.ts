/** All results of a comparison with their sentences, from the least to the most severe. */

/** `same` and `on-purpose` need nothing to be done; `different` does. */
export type Kind = 'same' | 'on-purpose' | 'different';

interface CauseText {
  readonly kind: Kind;
  readonly title: string;
  /** The reason, and what can be done about it. */
  readonly sentence: string;
}

/** The causes by name; where an answer differs in several ways, the last of them in this list counts. */
export const causes = {
  same: {
    kind: 'same',
    title: 'the same',
    sentence: 'Both answer alike.',
  },
  'own-address': {
    kind: 'on-purpose',
    title: 'the info object names the address that was requested',
    sentence: 'base.url and servlet.request hold the full address, query included.',
  },
  'own-members': {
    kind: 'on-purpose',
    title: 'the info object has exactly its 31 members',
    sentence: 'Parameters that digilib does not know are left out, and docu.image is empty.',
  },
  'image-facts': {
    kind: 'on-purpose',
    title: 'the info object has the facts of the image',
    sentence:
      'Where the request names an image, img.fn is its name alone, and size and whole dpi are filled; else they are not.',
  },
  'number-form': {
    kind: 'on-purpose',
    title: 'NaN, Infinity and hexadecimal numbers keep the default',
    sentence: 'They are no numbers that an image could be made with.',
  },
  escaped: {
    kind: 'on-purpose',
    title: 'JSON and XML are escaped',
    sentence: 'The old answer can’t be read as JSON or XML, since it holds unescaped characters; the new one can.',
  },
  'own-document': {
    kind: 'on-purpose',
    title: 'info.json and manifests say what this server can do',
    sentence:
      'Image sizes and pages are the same; sizes, tiles, formats and the addresses of parts are the new server’s.',
  },
  'true-status': {
    kind: 'on-purpose',
    title: 'true status instead of 200',
    sentence: 'Error pictures and texts carry 404, 403 or 400; digilib.legacyErrorStatus: true gives digilib’s 200.',
  },
  'own-error': {
    kind: 'on-purpose',
    title: 'another error picture or text',
    sentence: 'Both answer with an error under status 200, each in its own form.',
  },
  upright: {
    kind: 'on-purpose',
    title: 'turned upright by its EXIF orientation',
    sentence: 'library.orientation: ignore leaves such images as they are stored, as digilib does.',
  },
  'factor-ws': {
    kind: 'on-purpose',
    title: 'ws works as documented',
    sentence: 'The new picture is larger or smaller by the factor ws, which digilib reads and does not use.',
  },
  'gray-values': {
    kind: 'on-purpose',
    title: 'gray values as they are stored',
    sentence: 'digilib brightens scaled gray images; the old picture is the new one, brightened in that way.',
  },
  'gray-weights': {
    kind: 'on-purpose',
    title: 'gray by luminance',
    sentence: 'GRAYSCALE, BITONAL and MAP_GRAY_BGR weigh the stored values; digilib’s gray comes out brighter.',
  },
  'reading-room': {
    kind: 'on-purpose',
    title: 'opens in the reading room',
    sentence: 'Links to digilib’s pages show the same view in Lectern’s own viewer; --webapp DIR keeps the old pages.',
  },
  'missing-old': {
    kind: 'different',
    title: 'missing on the old server',
    sentence: 'Only the new server has it: see whether both serve the same folders.',
  },
  'denied-old': {
    kind: 'different',
    title: 'denied by the old server',
    sentence: 'The new server shows what the old one denies: set the access rules before you switch.',
  },
  'other-status': {
    kind: 'different',
    title: 'other status',
    sentence: 'The statuses are of different kinds.',
  },
  'other-content': {
    kind: 'different',
    title: 'other content',
    sentence: 'The documents or bytes differ.',
  },
  'picture-differs': {
    kind: 'different',
    title: 'picture differs',
    sentence:
      'The size is the same and the pixels are not: look at both. A color profile can be the reason, see render.profiles.',
  },
  'other-size': {
    kind: 'different',
    title: 'other size',
    sentence: 'The pictures differ by more than a pixel in width or height.',
  },
  'other-type': {
    kind: 'different',
    title: 'other type',
    sentence: 'The content types differ.',
  },
  'too-long': {
    kind: 'different',
    title: 'too long to compare',
    sentence: 'Of at least one answer the bytes were more than are read for a comparison.',
  },
  'old-failed': {
    kind: 'different',
    title: 'old server failed',
    sentence: 'The old server gave no answer, or one of status 500 and above, so there is nothing to compare with.',
  },
  'both-failed': {
    kind: 'different',
    title: 'both servers failed',
    sentence: 'Neither gave an answer below status 500.',
  },
  'page-of-webapp': {
    kind: 'different',
    title: 'not served by Lectern; use --webapp',
    sentence: 'It is a page, script or style of digilib’s web application: --webapp DIR serves them from its folder.',
  },
  'against-iiif': {
    kind: 'different',
    title: 'no address of IIIF',
    sentence:
      'digilib answers these addresses, which the IIIF specification does not allow: who asks them has to mend them.',
  },
  'not-decoded': {
    kind: 'different',
    title: 'can’t be decoded by the new server',
    sentence: 'It answers 501 for images in a form that it describes but can’t decode, such as JPEG 2000.',
  },
  'denied-new': {
    kind: 'different',
    title: 'denied by the new server',
    sentence:
      'The old server shows it: see the access rules. Tokens are not sent, so what needs a login is denied by both.',
  },
  'missing-new': {
    kind: 'different',
    title: 'missing on the new server',
    sentence: 'The old server has it: see whether both serve the same folders in the same order.',
  },
  'new-failed': {
    kind: 'different',
    title: 'new server failed',
    sentence: 'The new server gave no answer, or one of status 500 and above: its log says why.',
  },
} as const satisfies Readonly<Record<string, CauseText>>;

export type Cause = keyof typeof causes;

/** All causes, from the least to the most severe. */
export const causeNames = Object.keys(causes) as readonly Cause[];

/** The result of one comparison. */
export interface Verdict {
  readonly cause: Cause;
  /** What was found, such as `404 instead of 200`; empty where there is nothing to say. */
  readonly detail: string;
}

export const same: Verdict = { cause: 'same', detail: '' };

const rankOf = ({ cause }: Verdict): number => causeNames.indexOf(cause);

/** The most severe of several verdicts; `same` for none. */
export const mostSevere = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((worst, one) => (rankOf(one) > rankOf(worst) ? one : worst), same);

/** Whether a verdict needs no action. */
export const isFine = ({ cause }: Verdict): boolean => causes[cause].kind !== 'different';
