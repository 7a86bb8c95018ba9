/** All images of a folder on paper, in rows, or those of a range. */
import { render, type VNode } from 'preact';
import type { FolderListing, ImageCard } from '../../../../src/core/image/folder/folder-listing.ts';
import { fetchFolder } from '../../data/fetch.ts';
import { pictureAddress } from '../../data/images.ts';
import { language, message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { folderRoute, partCount } from '../../model/address/routes.ts';
import { addressOfRoute } from '../../state/route.ts';
import { titleOf } from '../common/picture.tsx';
import { rightsLine } from '../common/rights-note.tsx';
import { formatCount } from '../common/words.ts';

/** The maximum number of images: some 40 sheets. */
const maxImages = 1000;

/** Pixels of a picture: 43 mm at 200 dpi. */
const box = { width: 340, height: 380 };

/** How long the pictures may take, in ms; those that come later are left out. */
const patienceMs = 60_000;

/** Some pages: their positions from 1, and what the reader has typed for them. */
interface PrintedRange {
  readonly at: readonly number[];
  readonly typed: string;
}

interface Contents {
  readonly first: FolderListing;
  readonly cards: readonly ImageCard[];
  readonly range: PrintedRange | undefined;
}

/** The listing of a folder, from the part that is asked for first; undefined where it can't be loaded. */
async function fetchCards(folder: string, range: PrintedRange | undefined): Promise<Contents | undefined> {
  const part = async (from: number): Promise<FolderListing | undefined> => {
    const answer = await fetchFolder(folder, language.peek(), { from, count: partCount });
    return answer.ok ? answer.value : undefined;
  };
  const wanted = range?.at.slice(0, maxImages);
  const begin = Math.min(...(wanted ?? [1]));
  const first = await part(begin);
  if (first === undefined) return undefined;
  const end = wanted === undefined ? Math.min(first.totalImages, maxImages) : Math.max(...wanted);
  const cards = [...first.images];
  while (begin + cards.length <= end) {
    const next = await part(begin + cards.length);
    if (next === undefined || next.images.length === 0) break;
    cards.push(...next.images);
  }
  const chosen = wanted?.flatMap((at) => cards[at - begin] ?? []) ?? cards.slice(0, maxImages);
  return { first, cards: chosen, range };
}

const Card = ({ card }: { readonly card: ImageCard }): VNode => (
  <li>
    {card.width === null ? <span>{message('unreadable')}</span> : <img src={pictureAddress(card.path, box)} alt="" />}
    <p>{card.label}</p>
  </li>
);

function ContactSheet({ first, cards, range }: Contents): VNode {
  const shown = { first: 1, last: formatCount(cards.length), total: formatCount(first.totalImages) };
  return (
    <>
      <header>
        <h1>{titleOf(first)}</h1>
        <p>{rightsLine(first)}</p>
        {range && <p>{message('range-printed', { pages: range.typed })}</p>}
        {range === undefined && cards.length < first.totalImages && <p>{message('shown-of-total', shown)}</p>}
        <p>{addressOfRoute(folderRoute(first.path))}</p>
      </header>
      <ul>
        {cards.map((card) => (
          <Card key={card.path} card={card} />
        ))}
      </ul>
    </>
  );
}

/** Resolves when all pictures have loaded or failed, or time is over. */
async function picturesLoaded(host: HTMLElement): Promise<void> {
  const ended = (image: HTMLImageElement): Promise<void> =>
    new Promise((resolve) => {
      if (image.complete) resolve();
      for (const event of ['load', 'error']) image.addEventListener(event, () => resolve(), { once: true });
    });
  const all = [...host.querySelectorAll('img')].map(ended);
  await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
}

/** Whether a sheet is being made, so that a second press of the key makes no second one. */
let isBusy = false;

/** Makes the contact sheet of a folder, or of some of its pages, and opens the browser's dialog. Where it fails, the page is printed as it is. */
export async function printFolder(folder: string, range?: PrintedRange): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  const host = document.createElement('div');
  host.className = 'contact-sheet print-only';
  try {
    const contents = await fetchCards(folder, range);
    if (contents !== undefined && contents.cards.length > 0) {
      document.body.append(host);
      render(<ContactSheet {...contents} />, host);
      await picturesLoaded(host);
    }
    addEventListener('afterprint', () => host.remove(), { once: true });
    window.print();
  } finally {
    isBusy = false;
  }
}
