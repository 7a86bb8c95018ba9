/** Runs `lectern pdf`: makes a document and writes it to a file, with its progress on standard error. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Logger, pino } from 'pino';
import { imagesOf } from '../../app/make-images.ts';
import { openStoragesOf } from '../../app/open-storages.ts';
import { closePictureResources, openPictureResources } from '../../app/picture-resources.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { createAdmission } from '../../core/access/admit.ts';
import { createKnownDamage } from '../../core/access/known-damage.ts';
import { anyone, openAccess } from '../../core/access/policy.ts';
import { createLibraryName } from '../../core/folder-descriptions/library-name.ts';
import { pageLanguageOf } from '../../core/http/words.ts';
import { type LanguageMap, textFor } from '../../core/image/folder/folder-metadata.ts';
import { parsePageNumbers } from '../../core/image/folder/page-labels.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import type { CoverHead } from '../../features/documents/describe-document.ts';
import { documentWords } from '../../features/documents/document-request.ts';
import { createDocuments, type Documents, type PreparedDocument } from '../../features/documents/documents.ts';
import { coverHeadOf, documentWriter, pagePartsOf } from '../../features/documents/open-documents.ts';
import type { PictureSize } from '../../features/documents/page-image.ts';
import { createPageTexts } from '../../features/texts/page-texts.ts';
import { createTextLibrary, logTextFaults } from '../../features/texts/text-library.ts';
import { configurationOf } from '../common/command-configuration.ts';
import { startProgress } from '../common/progress.ts';
import type { Flags } from '../common/settings-flags.ts';
import { bytesText, counted, printable } from '../common/text.ts';

export interface PdfFlags extends Flags {
  readonly pages?: string;
  readonly size?: number;
  readonly dpi?: number;
  readonly output?: string;
  readonly language?: string;
}

const sizeOf = ({ size, dpi }: PdfFlags): PictureSize => {
  if (dpi !== undefined) return { kind: 'dpi', dpi };
  return size === undefined ? { kind: 'original' } : { kind: 'pixels', width: size, height: size };
};

/** Numbers of files, or labels of pages. */
function pagesOf({ pages }: PdfFlags) {
  const ranges = pages === undefined ? undefined : parsePageNumbers(pages);
  return { pages: ranges, ...(pages !== undefined && ranges === undefined && { typed: pages }) };
}

async function prepare(
  path: string,
  { http }: Settings,
  flags: PdfFlags,
  opened: OpenedDocuments,
): Promise<PreparedDocument> {
  const languages = [(flags.language ?? 'en').toLowerCase()];
  const name = textFor(await opened.libraryName(), languages).join(' ');
  const heading = opened.coverHead.heading.length > 0 ? opened.coverHead.heading : [name].filter((line) => line !== '');
  const base = http.publicAddress === undefined ? undefined : `${http.publicAddress}${http.contextPath}/`;
  const query = {
    path,
    ...pagesOf(flags),
    languages,
    size: sizeOf(flags),
    sheet: 'original' as const,
    words: documentWords(pageLanguageOf(languages)),
    head: { ...opened.coverHead, heading },
    base,
  };
  return opened.documents.prepare(query, anyone, new AbortController().signal);
}

/** Pages are read and written at the same time: at most this many bytes wait for the disk. */
const aheadBytes = 4 * 2 ** 20;

/** Writes the document; a file appears under its name when it is whole. Returns its length in bytes. */
async function write(document: PreparedDocument, output: string): Promise<number> {
  const progress = startProgress(process.stderr, document.pages);
  let bytes = 0;
  async function* counting(): AsyncGenerator<Buffer> {
    const { signal } = new AbortController();
    for await (const piece of document.make({ client: 'pdf' }, signal, () => progress.step())) {
      bytes += piece.length;
      yield piece;
    }
  }
  const temporary = `${output}.part`;
  const target: Writable =
    output === '-' ? process.stdout : createWriteStream(temporary, { highWaterMark: aheadBytes });
  try {
    await pipeline(Readable.from(counting(), { objectMode: false }), target, { end: output !== '-' });
    if (output !== '-') await rename(temporary, output);
  } catch (error) {
    if (output !== '-') await rm(temporary, { force: true });
    throw error;
  } finally {
    progress.end();
  }
  return bytes;
}

const usualName = (path: string): string =>
  `${
    path
      .split('/')
      .filter((name) => name !== '')
      .at(-1) ?? 'library'
  }.pdf`;

/** Runs the command and returns its exit code: 1 where there is no document of the folder. */
export async function writePdf(path: string, folders: readonly string[], flags: PdfFlags): Promise<number> {
  const { settings } = await configurationOf(folders, flags);
  const opened = await openDocuments(settings, pino({ level: settings.logLevel }, process.stderr));
  try {
    const document = await prepare(path, settings, flags, opened);
    const output = flags.output ?? usualName(path);
    const bytes = await write(document, output);
    console.error(`${printable(output)}: ${counted(document.pages, 'page', 'pages')}, ${bytesText(bytes)}`);
    return 0;
  } catch (error) {
    if (!(error instanceof ImageError) && !(error instanceof Error && 'syscall' in error)) throw error;
    console.error(`lectern: ${printable(error.message)}`);
    return 1;
  } finally {
    await opened.close();
  }
}

/** Documents without a server: of all that is in the library, for who has the files anyway. */
interface OpenedDocuments {
  readonly documents: Documents;
  readonly coverHead: CoverHead;
  readonly libraryName: () => Promise<LanguageMap>;
  close(): Promise<void>;
}

/** Rejects where a folder or bucket does not exist. */
async function openDocuments(settings: Settings, logger: Logger): Promise<OpenedDocuments> {
  const opened = await openStoragesOf(settings, logger);
  const { storages } = opened;
  const resources = openPictureResources(settings, opened, logger, true);
  const { library } = resources;
  const damage = createKnownDamage();
  const admission = createAdmission(library, openAccess, damage);
  const images = imagesOf(settings, resources, damage);
  const pageTexts = createPageTexts(
    admission,
    createTextLibrary(library, { onFault: logTextFaults((facts, message) => logger.warn(facts, message)) }),
  );
  return {
    documents: createDocuments({
      ...pagePartsOf(settings, { library, admission, images, pageTexts }, logger),
      write: documentWriter(settings.pdf),
    }),
    coverHead: coverHeadOf(settings, settings.readingRoom.logo),
    libraryName: createLibraryName({ admission, metadata: library, anyone, name: settings.readingRoom.name }),
    async close() {
      await closePictureResources(resources);
      await storages.close();
    },
  };
}
