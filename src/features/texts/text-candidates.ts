/** The files that may hold the text of an image by their names. */
import { stemOf } from '../../core/image/model/formats.ts';
import type { TextFolder } from '../../core/library/listings/text-folders.ts';
import {
  isOfPage,
  type TextFileKind,
  taggedNamesIn,
  textFileKinds,
  textKindOf,
  textNamesIn,
  textStemsOf,
} from '../../core/library/listings/text-names.ts';

export interface Candidate {
  readonly folder: TextFolder;
  readonly name: string;
  readonly kind: TextFileKind;
  /** Which page of the file is wanted, from 1. */
  readonly page: number;
  /** BCP 47, where the name says it. */
  readonly language?: string;
}

type Named = Pick<Candidate, 'folder' | 'name' | 'language'>;

const byKind = (named: readonly Named[], pageIn: (name: string) => number): readonly Candidate[] =>
  textFileKinds.flatMap((kind) =>
    named.filter(({ name }) => textKindOf(name) === kind).map((one) => ({ ...one, kind, page: pageIn(one.name) })),
  );

/** The preferred one first. */
export function candidatesIn(folders: readonly TextFolder[], image: string, page: number): readonly Candidate[] {
  const stems = textStemsOf(image, page);
  const found = folders.flatMap((folder) => {
    const { textFiles } = folder.listing;
    if (textFiles.length === 0) return [];
    const names = textNamesIn(textFiles);
    return stems.flatMap((stem) => names.get(stem) ?? []).map((name) => ({ folder, name }));
  });
  return byKind(found, (name) => (isOfPage(name, image, page) ? 1 : page));
}

/** Whether a scan has this name without its extension, so that a text of this name is its own. */
const isOfOtherScan = (folders: readonly TextFolder[], stem: string): boolean =>
  folders.some(({ listing, isForTexts }) => {
    const scan = isForTexts ? undefined : listing.find(stem);
    return scan !== undefined && stemOf(scan).normalize('NFC') === stem;
  });

/** Those with a language in their names (`page-001.de.xml`), the preferred one first. */
export function taggedCandidatesIn(folders: readonly TextFolder[], image: string, page: number): readonly Candidate[] {
  const stems = textStemsOf(image, page);
  const own = new Set(page === 1 ? [] : stems.slice(0, 2));
  const ofPage = new Set<string>();
  const found = folders.flatMap((folder) => {
    const { textFiles } = folder.listing;
    if (textFiles.length === 0) return [];
    const names = taggedNamesIn(textFiles);
    if (names.size === 0) return [];
    return stems.flatMap((base) =>
      (names.get(base) ?? []).flatMap(({ name, language, stem }): readonly Named[] => {
        if (isOfOtherScan(folders, stem)) return [];
        if (own.has(base)) ofPage.add(name);
        return [{ folder, name, language }];
      }),
    );
  });
  return byKind(found, (name) => (ofPage.has(name) ? 1 : page));
}
