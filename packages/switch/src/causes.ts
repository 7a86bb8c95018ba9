/** All results of a comparison with their sentences, from the least to the most severe. */

/** `same` and `on-purpose` need nothing to be done; `different` does. */
export type Kind = 'same' | 'on-purpose' | 'different';

interface CauseText {
  readonly kind: Kind;
  readonly title: string;
  /** The reason, and what can be done about it. */
  readonly sentence: string;
}

const onPurpose = (title: string, sentence: string): CauseText => ({ kind: 'on-purpose', title, sentence });
const different = (title: string, sentence: string): CauseText => ({ kind: 'different', title, sentence });

/** The causes by name; where an answer differs in several ways, the last of them in this list counts. */
export const causes = {
  same: { kind: 'same', title: 'the same', sentence: 'Both answer alike.' },
  'own-address': onPurpose(
    'the info object names the address that was requested',
    'base.url and servlet.request hold the full address, query included.',
  ),
  'own-members': onPurpose(
    'the info object has exactly its 31 members',
    'Parameters that digilib does not know are left out, and docu.image is empty.',
  ),
  'image-facts': onPurpose(
    'the info object has the facts of the image',
    'Where the request names an image, img.fn is its name alone, and size and whole dpi are filled; else they are not.',
  ),
  'number-form': onPurpose(
    'NaN, Infinity and hexadecimal numbers keep the default',
    'They are no numbers that an image could be made with.',
  ),
  escaped: onPurpose(
    'JSON and XML are escaped',
    'The old answer can’t be read as JSON or XML, since it holds unescaped characters; the new one can.',
  ),
  'own-document': onPurpose(
    'info.json and manifests say what this server can do',
    'Image sizes and pages are the same; sizes, tiles, formats and the addresses of parts are the new server’s.',
  ),
  'true-status': onPurpose(
    'true status instead of 200',
    'Error pictures and texts carry 404, 403 or 400; digilib.legacyErrorStatus: true gives digilib’s 200.',
  ),
  'own-error': onPurpose(
    'another error picture or text',
    'Both answer with an error under status 200, each in its own form.',
  ),
  upright: onPurpose(
    'turned upright by its EXIF orientation',
    'library.orientation: ignore leaves such images as they are stored, as digilib does.',
  ),
  'factor-ws': onPurpose(
    'ws works as documented',
    'The new picture is larger or smaller by the factor ws, which digilib reads and does not use.',
  ),
  'gray-values': onPurpose(
    'gray values as they are stored',
    'digilib brightens scaled gray images; the old picture is the new one, brightened in that way.',
  ),
  'gray-weights': onPurpose(
    'gray by luminance',
    'GRAYSCALE, BITONAL and MAP_GRAY_BGR weigh the stored values; digilib’s gray comes out brighter.',
  ),
  'reading-room': onPurpose(
    'opens in the reading room',
    'Links to digilib’s pages show the same view in Lectern’s own viewer; --webapp DIR keeps the old pages.',
  ),
  'missing-old': different(
    'missing on the old server',
    'Only the new server has it: see whether both serve the same folders.',
  ),
  'denied-old': different(
    'denied by the old server',
    'The new server shows what the old one denies: set the access rules before you switch.',
  ),
  'other-status': different('other status', 'The statuses are of different kinds.'),
  'other-content': different('other content', 'The documents or bytes differ.'),
  'picture-differs': different(
    'picture differs',
    'The size is the same and the pixels are not: look at both. A color profile can be the reason, see render.profiles.',
  ),
  'other-size': different('other size', 'The pictures differ by more than a pixel in width or height.'),
  'other-type': different('other type', 'The content types differ.'),
  'too-long': different(
    'too long to compare',
    'Of at least one answer the bytes were more than are read for a comparison.',
  ),
  'old-failed': different(
    'old server failed',
    'The old server gave no answer, or one of status 500 and above, so there is nothing to compare with.',
  ),
  'both-failed': different('both servers failed', 'Neither gave an answer below status 500.'),
  'page-of-webapp': different(
    'not served by Lectern; use --webapp',
    'It is a page, script or style of digilib’s web application: --webapp DIR serves them from its folder.',
  ),
  'against-iiif': different(
    'no address of IIIF',
    'digilib answers these addresses, which the IIIF specification does not allow: who asks them has to mend them.',
  ),
  'not-made': different('not made by the new server', 'It answers 501 for what it can’t make yet.'),
  'denied-new': different(
    'denied by the new server',
    'The old server shows it: see the access rules. Tokens are not sent, so what needs a login is denied by both.',
  ),
  'missing-new': different(
    'missing on the new server',
    'The old server has it: see whether both serve the same folders in the same order.',
  ),
  'new-failed': different(
    'new server failed',
    'The new server gave no answer, or one of status 500 and above: its log says why.',
  ),
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
