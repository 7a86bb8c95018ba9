/** Which faults in texts of pages `lectern doctor` names, with their lines. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { examine, formatTally } from '../../../src/cli/doctor/examination.ts';
import { SlowImages } from '../../../src/cli/doctor/reports.ts';
import { altoOf, jpegOf, makeLibraryFolder } from '../../fixtures/page-texts.ts';

it('names faulty texts beside scans and in folders for texts, and counts all texts', async () => {
  const { root, write, remove } = makeLibraryFolder();
  const page = await jpegOf(100, 100);
  for (const name of ['good', 'cut', 'other', 'wrong']) write(`book/${name}.jpg`, page);
  write('book/good.xml', altoOf([['word', 1, 2, 3, 4]]));
  write('book/alto/cut.xml', '<alto>\n<Layout>\n');
  // Beside a scan this may be metadata of any kind; in a folder for texts it is a mistake.
  write('book/other.xml', '<mods/>');
  write('book/page/wrong.xml', '<mods/>');
  const lines: string[] = [];
  const tally = await examine([root], async (line) => void lines.push(path.relative(root, line)), new SlowImages(), {
    faultOf: async () => undefined,
  });
  remove();
  expect(lines.map((line) => line.replace(/: The XML.*/, ''))).toEqual([
    'book/page/wrong.xml: This is neither ALTO, PAGE nor hOCR, so that it is not used as the text of a page.',
    expect.stringMatching(/^book\/alto\/cut\.xml:[23]$/),
  ]);
  expect(formatTally(tally)).toBe('4 folders, 4 images, 2 texts, 2 faults');
});
