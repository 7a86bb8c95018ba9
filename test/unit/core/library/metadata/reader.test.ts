import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { examine, formatTally } from '../../../../../src/cli/doctor/examination.ts';
import { parseIdentifier, rootIdentifier } from '../../../../../src/core/image/model/identifier.ts';
import { Library } from '../../../../../src/core/library/library.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-metadata-'));
afterAll(() => rmSync(scratch, { recursive: true }));

let root = '';
let count = 0;
let faults: string[] = [];
beforeEach(() => {
  root = path.join(scratch, `library-${count++}`, 'scans');
  mkdirSync(root, { recursive: true });
  faults = [];
});

const write = (name: string, text: string): void => {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const library = () =>
  new Library({
    roots: [root],
    followLinksOutside: false,
    orientation: 'apply',
    onUnreadable: () => undefined,
    onMetadataFault: (file, { line, message }) => faults.push(`${path.relative(root, file)}:${line}: ${message}`),
  });

describe('the metadata of a folder', () => {
  it('is empty where there is no file, or no folder', async () => {
    expect(await library().metadataOf(rootIdentifier)).toEqual({});
    expect(await library().metadataOf(parseIdentifier('nowhere') ?? rootIdentifier)).toEqual({});
    expect(faults).toEqual([]);
  });

  it('is that of the first file that exists, and the others are faults', async () => {
    write('metadata.yml', 'label: a');
    write('metadata.csv', 'label,b');
    expect(await library().metadataOf(rootIdentifier)).toEqual({ label: { none: ['a'] } });
    expect(faults).toEqual(['metadata.csv:0: This file is not used, since there is also metadata.yml.']);
  });

  it('changes at once with an edit, even one of the same length and time', async () => {
    const lectern = library();
    const time = new Date(2020, 1, 1);
    for (const label of ['a', 'b', 'c']) {
      write('metadata.yaml', `label: ${label}`);
      utimesSync(path.join(root, 'metadata.yaml'), time, time);
      expect(await lectern.metadataOf(rootIdentifier)).toEqual({ label: { none: [label] } });
    }
  });

  it('includes pages that were added', async () => {
    const lectern = library();
    write('metadata.yaml', 'pages: [a]');
    expect(await lectern.metadataOf(rootIdentifier)).toEqual({});
    write('a.jpg', '');
    expect(await lectern.metadataOf(rootIdentifier)).toEqual({ pageOrder: ['a.jpg'] });
  });

  it('reports each fault once for each version of the file', async () => {
    const lectern = library();
    write('metadata.yaml', 'lable: a');
    const read = () => lectern.metadataOf(rootIdentifier);
    await Promise.all([read(), read(), read()]);
    expect(faults).toHaveLength(1);
    write('metadata.yaml', '\nlable: a');
    await read();
    expect(faults.map((fault) => fault.slice(0, 15))).toEqual(['metadata.yaml:1', 'metadata.yaml:2']);
  });

  it.each([
    ['a link out of the library', (file: string) => symlinkSync('/etc/hostname', file), /leads out of the library/],
    ['a folder', (file: string) => mkdirSync(file), /is no file/],
    ['a device', (file: string) => symlinkSync('/dev/zero', file), /leads out of the library/],
    ['too long', (file: string) => writeFileSync(file, ' '.repeat(6 * 1024 * 1024)), /longer than 5 MiB/],
  ])('is empty where the file is %s', async (_, make, sentence) => {
    make(path.join(root, 'metadata.yaml'));
    expect(await library().metadataOf(rootIdentifier)).toEqual({});
    expect(faults).toEqual([expect.stringMatching(sentence)]);
  });
});

describe('lectern doctor', () => {
  const runDoctor = async () => {
    const lines: string[] = [];
    const tally = await examine([root], async (line) => {
      lines.push(line.replace(`${root}/`, ''));
    });
    return { lines, summary: formatTally(tally) };
  };

  it('reports nothing where there is no fault', async () => {
    expect(await runDoctor()).toEqual({ lines: [], summary: '1 folder, no images, no faults' });
  });

  it('reports faults of metadata and of images, folder by folder', async () => {
    write('b/metadata.yaml', '\nlable: x');
    write('b/2.jpg', 'x');
    write('b/1.jpg', '');
    write('a/metadata.csv', 'rights,free');
    write('.hidden/metadata.yaml', 'lable: x');
    symlinkSync('..', path.join(root, 'b', 'circle'));
    symlinkSync('/etc', path.join(root, 'b', 'outside'));
    expect(await runDoctor()).toEqual({
      lines: [
        expect.stringMatching(/^a\/metadata\.csv:1: “rights” must be/),
        'b/metadata.yaml:2: “lable” is no key that is known here; did you mean “label”?',
        'b/1.jpg: The file is empty.',
        'b/2.jpg: The file is no image of a known format.',
      ],
      summary: '3 folders, 2 images, 4 faults',
    });
  });

  it('prints names with control characters on one line', async () => {
    write('a\u001b[31m\n.jpg', '');
    expect((await runDoctor()).lines).toEqual(['a�[31m�.jpg: The file is empty.']);
  });
});
