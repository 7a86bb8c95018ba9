/** The PDF that the reader has asked for: begun on the server, asked for until it is there, and then opened. */
import { signal } from '@preact/signals';
import type { DocumentState } from '../../../src/features/documents/document-routes.ts';
import { addressOf, fetchJson } from '../data/fetch.ts';
import { baseAddress } from '../data/page-settings.ts';
import { language } from '../messages/messages.ts';
import { documentQuery, takenPath } from '../model/address/routes.ts';

export interface WantedPdf {
  readonly folder: string;
  /** Positions of the pages in the folder, from 1; all without. */
  readonly at?: readonly number[] | undefined;
  /** What the reader asked for, such as “PDF of this chapter”. */
  readonly name: string;
}

export type PdfMaking = { readonly wanted: WantedPdf; readonly address: string } & (
  | { readonly phase: 'making'; readonly made: number; readonly of: number }
  | { readonly phase: 'done' }
  /** `busy`: the server makes as many documents as it may. */
  | { readonly phase: 'failed'; readonly isBusy: boolean }
);

/** Undefined where no PDF was asked for, or the last one is open. */
export const pdfMaking = signal<PdfMaking | undefined>(undefined);

/** Between two questions, in ms; the server abandons a document that nobody asks for in 10 s. */
const pauseMs = 700;

let current = new AbortController();

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Browsers let a page open a tab only soon after a click. */
function open(address: string): boolean {
  if (navigator.userActivation?.isActive === false) return false;
  const tab = window.open(address, '_blank');
  if (tab === null) return false;
  tab.opener = null;
  return true;
}

/** Asks for the PDF until it is there, has failed, or was canceled. One that is there at once is opened at once. */
export async function makePdf(wanted: WantedPdf): Promise<void> {
  cancelPdf();
  const { signal } = current;
  const address = baseAddress() + takenPath('pdf', wanted.folder, language.value, wanted.at);
  const question = addressOf('api/pdf.json', {
    fn: wanted.folder,
    ...documentQuery(language.value, wanted.at),
    make: 1,
  });
  const show = (state: PdfMaking | undefined): void => {
    pdfMaking.value = state;
  };
  show({ wanted, address, phase: 'making', made: 0, of: wanted.at?.length ?? 0 });
  for (;;) {
    const answer = await fetchJson<DocumentState>(question, signal);
    if (signal.aborted) return;
    if (!answer.ok) return show({ wanted, address, phase: 'failed', isBusy: answer.problem === 'busy' });
    const { state, pages, of } = answer.value;
    if (state === 'failed') return show({ wanted, address, phase: 'failed', isBusy: false });
    if (state === 'done') return show(open(address) ? undefined : { wanted, address, phase: 'done' });
    show({ wanted, address, phase: 'making', made: pages, of });
    await pause(signal);
    if (signal.aborted) return;
  }
}

/** Nobody asks for the document any more, so that the server abandons it; also puts away what was said of it. */
export function cancelPdf(): void {
  current.abort();
  current = new AbortController();
  pdfMaking.value = undefined;
}
