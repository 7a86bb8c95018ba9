/** Why a file is put aside: its decoder crashed, took too much memory, or too much time, in a process of its own. */

export type FaultKind = 'crash' | 'memory' | 'deadline';

const sentences: Readonly<Record<FaultKind, string>> = {
  crash: 'the decoder of the file crashed',
  memory: 'the decoder of the file took more memory than a render process may have',
  deadline: 'the decoder of the file computed for all of the time that a request has',
};

/** What a fault means, as the end of a sentence. */
export const sentenceOf = (kind: FaultKind): string => sentences[kind];

/** The cause of an error of a rendering for which its own file is to blame, and no other rendering beside it. */
export class DecoderFault extends Error {
  override readonly name = 'DecoderFault';
  readonly kind: FaultKind;

  constructor(kind: FaultKind) {
    super(`${sentences[kind]}.`);
    this.kind = kind;
  }
}
