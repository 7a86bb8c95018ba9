/** What was found in the order, and as far as it is of the folders, that a reader wishes. */
import pMap from 'p-map';
import { bounded } from '../../core/access/if-answering.ts';
import type { FactsOfFolder } from '../../core/folder-descriptions/arranged-folders.ts';
import type { Reader } from '../../core/folder-descriptions/listed-folders.ts';
import { arranged, type FolderFacts, facetsOf } from '../../core/image/folder/folder-facets.ts';
import type { FoundName } from '../../core/image/folder/folder-listing.ts';
import type { FolderWish } from '../../core/image/folder/folder-wish.ts';
import { parseIdentifier } from '../../core/image/model/identifier.ts';
import type { FoundTexts, SearchAnswer } from './search-answer.ts';

const unknown: FolderFacts = { title: '', authors: [], languages: [], years: undefined };

/** The facts of folders by their paths. */
type KnownFacts = ReadonlyMap<string, FolderFacts>;

async function readFacts(paths: Iterable<string>, factsOfFolder: FactsOfFolder, reader: Reader): Promise<KnownFacts> {
  const read = async (path: string) => {
    const identifier = parseIdentifier(path);
    return [path, identifier === undefined ? unknown : await factsOfFolder(identifier, reader)] as const;
  };
  return new Map(await pMap(new Set(paths), read, bounded));
}

/** A folder is what its own metadata says; an image and a chapter what that of their folder does. */
const folderOf = ({ kind, path, folder }: FoundName): string => (kind === 'folder' ? path : folder);

/** Among the texts, the pages of a part are chosen: how many there are beside is not known. */
function chosenTexts(texts: FoundTexts, facts: KnownFacts, wish: FolderWish): FoundTexts {
  const { order: _, ...choice } = wish;
  if (Object.keys(choice).length === 0) return texts;
  const pages = arranged(texts.pages, ({ folder }) => facts.get(folder) ?? unknown, choice, []);
  return { ...texts, pages, total: pages.length, exact: texts.exact && texts.next === null };
}

/** The answer with what can be chosen among the folders of all that was found by names. */
export async function arrangeFinds(
  answer: SearchAnswer,
  wish: FolderWish | undefined,
  factsOfFolder: FactsOfFolder,
  reader: Reader,
): Promise<SearchAnswer> {
  const { found, texts } = answer;
  const named = new Set(found.map(folderOf));
  const facts = await readFacts([...named, ...(texts?.pages ?? []).map(({ folder }) => folder)], factsOfFolder, reader);
  const of = (one: FoundName): FolderFacts => ({
    ...(facts.get(folderOf(one)) ?? unknown),
    title: one.label ?? one.name,
  });
  return {
    ...answer,
    found: wish === undefined ? found : arranged(found, of, wish, reader.languages),
    texts: texts === null || wish === undefined ? texts : chosenTexts(texts, facts, wish),
    facets: facetsOf([...named].map((path) => facts.get(path) ?? unknown)),
  };
}
