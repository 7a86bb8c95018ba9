/** Manifests for other features: what tells of their changes, and their texts. */
import { createHash } from 'node:crypto';
import { anyone } from '../../core/access/policy.ts';
import type { FolderDescription } from '../../core/image/folder/folder-description.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { ManifestFacts, Manifests } from '../../core/ports.ts';
import type { ManifestAnswer, Presentation } from './presented-folders.ts';
import { accessTo, type WritingParts, writeDocument } from './write-document.ts';

const mount = { dialect: 'presentation', prefix: '/presentation/3', version: 3 } as const;

/** What of an answer decides what the manifest says, a text each. */
function* saidIn(answer: Exclude<ManifestAnswer, { kind: 'see-collection' }>): Generator<string> {
  if (answer.kind === 'file') return yield answer.text;
  const { folder, ...others } = answer;
  const { pages, ...ofFolder } = folder;
  yield JSON.stringify([ofFolder, others]);
  for (const page of pages) yield JSON.stringify(page);
}

const changedIn = ({ pages }: FolderDescription): number =>
  pages.reduce((latest, { modifiedMs = 0 }) => Math.max(latest, modifiedMs), 0);

export function createManifests(presentation: Pick<Presentation, 'manifest'>, parts: WritingParts): Manifests {
  async function answerOf(...asked: Parameters<Presentation['manifest']>) {
    const answer = await presentation.manifest(...asked);
    if (answer.kind === 'see-collection') throw new ImageError('not-found', 'This folder has no manifest.');
    return answer;
  }

  return {
    async factsOf(path, signal): Promise<ManifestFacts> {
      const answer = await answerOf(path, anyone, signal);
      const hash = createHash('sha256');
      for (const text of saidIn(answer)) hash.update(`${text}\n`);
      return {
        version: hash.digest('base64url').slice(0, 22),
        changedMs: answer.kind === 'pages' ? changedIn(answer.folder) : 0,
      };
    },
    async textOf(path, caller, origin, signal) {
      const answer = await answerOf(path, caller, signal);
      const access = await accessTo(answer, origin, parts);
      const written = writeDocument(answer, mount, { origin, accept: undefined, query: '' }, parts, access);
      if ('redirect' in written) throw new TypeError('a manifest is a redirect');
      return 'pieces' in written ? [...written.pieces].join('') : written.body.toString();
    },
  };
}
