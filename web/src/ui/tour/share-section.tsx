/** How guided views are passed on: as an address, in a web page, as a file, as annotations, and on paper. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { Download, Printer } from 'lucide';
import type { VNode } from 'preact';
import { folderOfTour, formatTour, type Tour, tourEnding } from '../../../../src/core/image/tour/tour.ts';
import { baseAddress } from '../../data/page-settings.ts';
import { tourMessage } from '../../messages/tour-messages.ts';
import { viewRoute } from '../../model/address/routes.ts';
import { elementTag, frameTag } from '../../model/cite/citation.ts';
import { stepView } from '../../model/tour/step-view.ts';
import { addressOfRoute } from '../../state/route.ts';
import { draft } from '../../state/tour/drafts.ts';
import { packTour } from '../../state/tour/tour-text.ts';
import { Button } from '../common/button.tsx';
import { saveFile } from '../common/elements.ts';
import { CopyRow } from '../common/take-along.tsx';
import { chosenText, fileStem } from './words.ts';

const titleOf = (tour: Tour): string => chosenText(tour.title).words;

const saveJson = (json: object, name: string, type = 'application/json'): void =>
  saveFile(new Blob([`${JSON.stringify(json, undefined, 2)}\n`], { type }), name);

/** The address that plays guided views from their first step on, which it opens before it has read them. */
function addressOf(tour: Tour, source: string, embedded: boolean): string {
  const [first] = tour.steps;
  return first === undefined ? '' : addressOfRoute(viewRoute(stepView(first, { source, step: 1 }), embedded));
}

/** The text of the guided views for an address: `too-long`, or undefined while it is made. */
function usePacked() {
  const packed = useSignal<string | 'too-long' | undefined>(undefined);
  useSignalEffect(() => {
    const tour = draft.value?.tour;
    if (tour === undefined) return;
    void packTour(tour).then((text) => {
      if (draft.peek()?.tour === tour) packed.value = text ?? 'too-long';
    });
  });
  return packed;
}

function Addresses({ tour }: { readonly tour: Tour }): VNode | null {
  const packed = usePacked().value;
  if (packed === undefined) return null;
  if (packed === 'too-long') return <p>{tourMessage('tour-too-long')}</p>;
  const address = addressOf(tour, packed, false);
  const embedded = addressOf(tour, packed, true);
  const title = titleOf(tour) || tourMessage('tour-heading');
  return (
    <>
      <CopyRow name={tourMessage('tour-address')} text={address} href={address}>
        <p class="soft">{tourMessage('tour-address-what')}</p>
      </CopyRow>
      <CopyRow name={tourMessage('tour-embed')} text={frameTag(embedded, title)} />
      <CopyRow name="lectern-viewer" text={elementTag(embedded, `${baseAddress()}lectern-viewer.js`, title)} />
    </>
  );
}

export function ShareSection({ tour, says }: { readonly tour: Tour; readonly says: (text: string) => void }): VNode {
  const stem = fileStem(titleOf(tour));
  const saveAnnotations = async (): Promise<void> => {
    says(tourMessage('tour-saving'));
    const { annotationsOf } = await import('../../state/tour/export-annotations.ts');
    const { json, missing } = await annotationsOf(tour);
    saveJson(json, `${stem}.annotations.json`, 'application/ld+json');
    says(missing === 0 ? '' : tourMessage('tour-left-out', { count: missing }));
  };
  const print = async (): Promise<void> => {
    says(tourMessage('tour-saving'));
    const { printTour } = await import('./tour-print.tsx');
    await printTour(tour);
    says('');
  };
  const name = stem + tourEnding;
  return (
    <section class="panel-section">
      <h3>{tourMessage('tour-share')}</h3>
      <Addresses tour={tour} />
      <div class="button-row row wrap">
        <Button icon={Download} onClick={() => saveJson(formatTour(tour, folderOfTour(tour)), name)}>
          {tourMessage('tour-save')}
        </Button>
        <Button icon={Download} onClick={() => void saveAnnotations()}>
          {tourMessage('tour-annotations')}
        </Button>
        <Button icon={Printer} onClick={() => void print()}>
          {tourMessage('tour-print')}
        </Button>
      </div>
      <p class="soft">{tourMessage('tour-save-what', { name })}</p>
    </section>
  );
}
