/** Files of 5 MB beside scans: none keeps other requests waiting for long, whatever is in it (survive.md, "Files"). */
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longestTurnOf } from '../fixtures/longest-turn.ts';
import { type RunningApp, startApp } from './running-app.ts';

const length = 5_000_000;

/** Turns are 100 ms at most where nothing else runs; before, they took from 300 ms to minutes for these files. */
const boundMs = 250;

/** YAML is parsed in a thread whose program is the compiled one. */
const isBuilt = existsSync(fileURLToPath(new URL('../../dist/core/library/metadata/yaml-worker.js', import.meta.url)));

function filled(head: string, item: (index: number) => string, tail = ''): string {
  const parts = [head];
  for (let index = 0, sum = 0; sum < length - 1000; index++) {
    const part = item(index);
    parts.push(part);
    sum += part.length;
  }
  return `${parts.join('')}${tail}`;
}

const pageXml = (text: string): string =>
  `<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page imageWidth="300" imageHeight="400"><TextRegion id="r"><Coords points="1,1 5,1 5,5 1,5"/><TextLine id="l"><Coords points="1,1 5,1 5,5 1,5"/><TextEquiv><Unicode>${text}</Unicode></TextEquiv></TextLine></TextRegion></Page></PcGts>`;

const note = (index: number): string =>
  `${index > 0 ? ',' : ''}{"type":"Annotation","body":{"type":"TextualBody","value":"remark ${index}"},"target":"x#xywh=1,2,30,40"}`;

/** The name of a file, its text, and the addresses of the folder `book` that read it. */
const files: readonly (readonly [label: string, name: string, text: string, addresses: readonly string[]])[] = (() => {
  const folder = ['/presentation/3/book/manifest.json', '/api/folder.json?fn=book', '/pdf/book.pdf'];
  const text = ['/api/text/book/p1.json', '/content-search/2/presentation/3/book?q=ab'];
  return [
    [
      'metadata.csv with a chapter in each row',
      'metadata.csv',
      filled('file,chapter\n', (row) => `p1.jpg,c${row}\n`),
      folder,
    ],
    ['metadata.csv with a key in each row', 'metadata.csv', filled('', (row) => `Key ${row},value\n`), folder],
    ['metadata.csv with one value', 'metadata.csv', `label,${'word '.repeat(length / 5 - 100)}\n`, folder],
    ['metadata.csv with one row', 'metadata.csv', `file${',label@de'.repeat(length / 9 - 100)}\np1.jpg,a\n`, folder],
    [
      'metadata.csv with one value in quotes',
      'metadata.csv',
      `label,"${'x ""y"" '.repeat(length / 8 - 100)}"\n`,
      folder,
    ],
    ...(isBuilt
      ? ([
          [
            'metadata.yaml with many pages',
            'metadata.yaml',
            filled('pages:\n', (page) => `  - p1.jpg: folio ${page}\n`),
            folder.slice(0, 1),
          ],
        ] as const)
      : []),
    ['PAGE with one line', 'p1.xml', pageXml('ab '.repeat(length / 3 - 1000)), text],
    [
      'hOCR with one line',
      'p1.hocr',
      `<div class="ocr_page" title="bbox 0 0 300 400"><span class="ocr_line" title="bbox 1 1 9 9">${'ab '.repeat(length / 3 - 1000)}</span></div>`,
      text,
    ],
    ['plain text with one line', 'p1.txt', 'ab '.repeat(length / 3), text],
    ['annotations', 'p1.annotations.json', `[${filled('', note)}]`, ['/presentation/3/book/annotations/p1-jpg']],
    [
      '.meta',
      'p1.jpg.meta',
      filled('<meta>', (index) => `<context><name>${index}</name></context>`, '</meta>'),
      ['/api/dlInfo-json.jsp?fn=book/p1'],
    ],
  ];
})();

let scratch: string;
let jpeg: Buffer;
let app: RunningApp | undefined;

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'lectern-long-texts-'));
  jpeg = await sharp({ create: { width: 300, height: 400, channels: 3, background: 'gray' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function start(name: string, text: string): Promise<RunningApp> {
  const library = mkdtempSync(path.join(scratch, 'library-'));
  mkdirSync(path.join(library, 'book'));
  writeFileSync(path.join(library, 'book/p1.jpg'), jpeg);
  const file = path.join(library, 'book', name);
  writeFileSync(file, text);
  // What was written just before is not cached.
  utimesSync(file, 1000, 1000);
  return startApp({ library: { folders: [library] }, search: { refreshMinutes: 0 } });
}

/** The longest turn at each of some addresses, asked one after the other of a server that has read nothing yet. */
async function turnsOf(name: string, text: string, addresses: readonly string[]): Promise<ReadonlyMap<string, number>> {
  app = await start(name, text);
  try {
    const turns = new Map<string, number>();
    for (const address of addresses) {
      const { result, turnMs } = await longestTurnOf(async () => app?.get(address));
      expect([address, result?.status]).toEqual([address, expect.any(Number)]);
      expect(result?.status).toBeLessThan(500);
      turns.set(address, turnMs);
    }
    return turns;
  } finally {
    await app.close();
  }
}

/** On a busy machine a turn is longer now and then; what keeps all others waiting does it each time. */
const attempts = 5;

describe('a long text', () => {
  it.each(files)('in %s keeps nobody waiting', async (_, name, text, addresses) => {
    const shortest = new Map<string, number>();
    const tooLong = () => [...shortest].filter(([, turnMs]) => turnMs >= boundMs);
    for (let attempt = 0; attempt < attempts; attempt++) {
      for (const [address, turnMs] of await turnsOf(name, text, addresses))
        shortest.set(address, Math.min(turnMs, shortest.get(address) ?? turnMs));
      if (tooLong().length === 0) break;
    }
    expect(tooLong()).toEqual([]);
  });
});
