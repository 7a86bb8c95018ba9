/** Manifests for other features: what tells of their changes, and their texts. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Admission } from '../../core/access/admit.ts';
import { anyone } from '../../core/access/policy.ts';
import type { FolderDescription, PageDescription } from '../../core/image/folder/folder-description.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { ManifestFacts, Manifests } from '../../core/ports.ts';
import type { ManifestAnswer, Presentation } from './presented-folders.ts';
import { accessTo, type WritingParts, writeDocument } from './write-document.ts';

const mount = { dialect: 'presentation', prefix: '/presentation/3', version: 3 } as const;

/** When each page was written. */
const timesOf = (pages: readonly PageDescription[]): readonly number[] => pages.map(({ modifiedMs = 0 }) => modifiedMs);

export interface ManifestsParts extends WritingParts {
  readonly presentation: Pick<Presentation, 'manifest'>;
  readonly admission: Pick<Admission, 'admitFolder' | 'withTexts'>;
}

export function createManifests(parts: ManifestsParts): Manifests {
  const { presentation, admission } = parts;

  /** What is covered of the images that everyone sees. */
  async function coveredOf({ path, pages }: FolderDescription): Promise<readonly (readonly [string, string])[]> {
    const folder = await admission.admitFolder(path, anyone);
    const names = [...new Set(pages.map(({ file }) => file))];
    return [...(await admission.withTexts(folder, names, anyone))].filter(([, covered]) => covered !== '');
  }

  async function answerOf(...asked: Parameters<Presentation['manifest']>) {
    const answer = await presentation.manifest(...asked);
    if (answer.kind === 'see-collection') throw new ImageError('not-found', 'This folder has no manifest.');
    return answer;
  }

  async function piecesOf(answer: ManifestAnswer, origin: string): Promise<Iterable<string>> {
    const access = await accessTo(answer, origin, parts);
    const written = writeDocument(answer, mount, { origin, accept: undefined, query: '' }, parts, access);
    if ('redirect' in written) throw new TypeError('a manifest is a redirect');
    return 'pieces' in written ? written.pieces : [written.body.toString()];
  }

  return {
    async factsOf(path, signal): Promise<ManifestFacts> {
      const answer = await answerOf(path, anyone, signal);
      // What is written, and nothing else: metadata may name images that are closed, of whose changes nobody is to learn.
      const hash = createHash('sha256');
      for (const piece of await piecesOf(answer, '')) {
        hash.update(piece);
        await nextTurn();
      }
      if (answer.kind === 'file') return { version: hash.digest('base64url').slice(0, 22), changedMs: 0 };
      // A scan that is replaced or covered may leave the manifest the same.
      const times = [...timesOf(answer.folder.pages), ...answer.media.map(({ modifiedMs }) => modifiedMs)];
      hash.update(JSON.stringify([times, await coveredOf(answer.folder)]));
      return {
        version: hash.digest('base64url').slice(0, 22),
        changedMs: times.reduce((latest, time) => Math.max(latest, time), 0),
      };
    },
    async textOf(path, caller, origin, signal) {
      return [...(await piecesOf(await answerOf(path, caller, signal), origin))].join('');
    },
  };
}
