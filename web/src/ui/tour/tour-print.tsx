/** Guided views on paper: one step after the other, each with its picture and its text. */
import { render, type VNode } from 'preact';
import type { Tour, TourStep } from '../../../../src/core/image/tour/tour.ts';
import { tourMessage } from '../../messages/tour-messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { stepView } from '../../model/tour/step-view.ts';
import { addressOfRoute } from '../../state/route.ts';
import { stepPicture } from './step-picture.ts';
import { chosenText } from './words.ts';

/** Pixels of a picture: 180 mm at 200 dpi, as the display's pixels. */
const box = { width: 1400 / devicePixelRatio, height: 1100 / devicePixelRatio };

/** How long the pictures may take, in ms; those that come later are left out. */
const patienceMs = 60_000;

function PrintedStep({ step, at }: { readonly step: TourStep; readonly at: number }): VNode {
  const title = chosenText(step.title);
  const text = chosenText(step.text);
  const picture = stepPicture(step, box);
  return (
    <li>
      <h2 lang={title.lang}>
        {at + 1}. {title.words || tourMessage('tour-step', { number: at + 1 })}
      </h2>
      {picture !== undefined && <img src={picture} alt="" />}
      {text.words !== '' && (
        <p class="tour-text" lang={text.lang}>
          {text.words}
        </p>
      )}
      <p class="tour-source">{addressOfRoute(viewRoute(stepView(step)))}</p>
    </li>
  );
}

function Sheets({ tour }: { readonly tour: Tour }): VNode {
  const title = chosenText(tour.title);
  const summary = chosenText(tour.summary);
  return (
    <>
      <header>
        <h1 lang={title.lang}>{title.words || tourMessage('tour-heading')}</h1>
        {summary.words !== '' && <p lang={summary.lang}>{summary.words}</p>}
      </header>
      <ol>
        {tour.steps.map((step, at) => (
          <PrintedStep key={at} step={step} at={at} />
        ))}
      </ol>
    </>
  );
}

/** Resolves when all pictures have loaded or failed, or time is over. */
async function picturesLoaded(host: HTMLElement): Promise<void> {
  const all = [...host.querySelectorAll('img')].map((image) => image.decode().catch(() => image.remove()));
  await Promise.race([Promise.all(all), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
}

/** Opens the browser's dialog once all pictures are there. */
export async function printTour(tour: Tour): Promise<void> {
  const host = document.createElement('div');
  host.className = 'tour-sheet print-only';
  document.body.append(host);
  render(<Sheets tour={tour} />, host);
  await picturesLoaded(host);
  addEventListener('afterprint', () => host.remove(), { once: true });
  window.print();
}
