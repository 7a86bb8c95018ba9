// The readers of the simulation: some real viewers in Chromium, the others as these were recorded; they read book after book.
import { setTimeout as pause } from 'node:timers/promises';
import { randomNumbers } from '../../test/fixtures/files/random.mjs';
import { readerAddress } from './addresses.mjs';
import { pagesPerBook } from './library.mjs';
import { openRecordedReader, recordVisit } from './recorded-visits.mjs';
import { openViewer } from './viewers.mjs';

const kinds = ['room', 'site'];

/** The addresses of the recordings, which are made before anything is measured. */
const recordingAddress = (recording) => `198.51.${250 + recording}.77`;

const unanswered = { status: 'no page', headers: {}, body: Buffer.alloc(0), ms: 30_000 };

/** Readers do not begin at the same moment, but all within this time, in ms. */
export const arrivalMs = 8000;

const region = /\/iiif\/[123]\/[^/]+\/\d+,\d+,\d+,\d+\/|[?&]wx?=/;

/** What a request of a viewer is: a tile of a tiled file or of a JPEG file, a small picture, or anything else. */
export function kindOfReading(target) {
  const isPicture = /^\/iiif\/.*\.jpg(?:\?|$)|\/Scaler\?/.test(target);
  if (!isPicture) return 'documents and pages';
  if (!region.test(target)) return 'small pictures';
  return /\.tif(?:%|\/|&|$)/i.test(target) ? 'tiles of pyramids' : 'tiles of JPEG files';
}

/** Records a visit of each kind of viewer, both at the same time. */
export async function recordVisits(browser, places) {
  const visits = kinds.map((kind, at) => recordVisit(browser, kind, recordingAddress(at), places));
  const [room, site] = await Promise.all(visits);
  return { room, site };
}

/**
 * Opens so many readers, of which `real` of each kind are pages of Chromium. The first one is the university's. `record` is
 * called with the reader's number, the kind of its request, the target and the answer.
 */
export async function openReaders({ browser, meter, places, port, visits, readers, real, books, seed, record }) {
  const opened = [];
  for (let reader = 0; reader < readers; reader++) {
    const kind = kinds[reader % kinds.length];
    const address = readerAddress(reader);
    const onRequest = ({ target, ...answer }) => record(reader, kindOfReading(target), target, answer);
    const isReal = reader < real * kinds.length;
    if (isReal) meter.watch(address, onRequest);
    opened.push(
      isReal
        ? await openViewer(browser, { kind, address, places })
        : openRecordedReader({ port, address, requests: visits[kind], onRequest }),
    );
  }
  let isOver = false;
  const random = randomNumbers(seed + 3);
  /** Books come in the order of the numbers, so that a reader opens one that none has opened before. */
  let next = 1;
  async function read(viewer, reader) {
    await pause(random() * arrivalMs);
    while (!isOver) {
      const visit = next++;
      // Two pages further in each round through the books, so that JPEG files stay JPEG files.
      const first = (2 * Math.floor(visit / books)) % pagesPerBook;
      await viewer.visit(visit % books, first).catch((error) => {
        // A page that does not come is nothing that was served; anything else is a fault of the simulation.
        if (!isOver && error.name !== 'TimeoutError') throw error;
        if (!isOver) record(reader, 'documents and pages', `visit ${visit}`, unanswered);
      });
    }
  }
  const reading = Promise.all(opened.map(read));
  // A failure is thrown by `close`; until then it must not end the process.
  reading.catch(() => undefined);
  return {
    reading,
    async close() {
      isOver = true;
      for (const viewer of opened) await viewer.close();
      await reading;
    },
  };
}
