/** Downloads of the visible picture, and its Scaler and IIIF addresses. */
import { useSignal } from '@preact/signals';
import { Printer } from 'lucide';
import type { VNode } from 'preact';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { originalAddress } from '../../data/images.ts';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { type DownloadChoice, downloadAddress, downloadName, planDownload } from '../../model/cite/download.ts';
import { iiifAddress, scalerQuery } from '../../model/cite/picture-address.ts';
import type { Opened } from '../../state/opened.ts';
import { pictured, scaleOnScreen } from '../../state/viewport.ts';
import { Button } from '../common/button.tsx';
import { formatCount } from '../common/counts.ts';
import { CopyRow } from './copy-row.tsx';
import { DownloadButton } from './download-button.tsx';
import { PictureChoice } from './picture-choice.tsx';
import { describeUnsupported } from './view-words.ts';

const print = (): void => void import('../print/print-view.tsx').then(({ printView }) => printView());

export function PictureSection({ opened, image }: { readonly opened: Opened; readonly image: Size }): VNode {
  const chosen = useSignal<DownloadChoice>({ size: 'full', format: 'jpg' });
  const state = pictured.value;
  const choice = chosen.value;
  const onScreen = choice.size === 'screen' ? scaleOnScreen.value : 1;
  const plan = planDownload(state, image, choice, onScreen, pageSettings);
  const scaler = `${baseAddress()}Scaler?${scalerQuery(state, plan.requested)}`;
  const download = downloadAddress(state, image, plan, choice.format, pageSettings.iiifSlash);
  const iiif = iiifAddress(state, image, pageSettings.iiifSlash);
  const iiifAddressHere = baseAddress() + iiif.path;
  return (
    <section class="panel-section">
      <h3>{message('picture')}</h3>
      <PictureChoice chosen={chosen} />
      <p class="picture-pixels">
        {message('pixel-size', { width: formatCount(plan.pixels.width), height: formatCount(plan.pixels.height) })}
      </p>
      {plan.reduced && <p class="soft">{message('picture-reduced')}</p>}
      <div class="downloads">
        <DownloadButton href={baseAddress() + download.path} name={downloadName(state.fn, plan, download.format)}>
          {message('download')}
        </DownloadButton>
        <DownloadButton href={baseAddress() + originalAddress(state.fn)} name={opened.card.name} isOriginal>
          {message('download-original')}
        </DownloadButton>
        <Button icon={Printer} onClick={print}>
          {message('print')}
        </Button>
      </div>
      <CopyRow name={message('cite-scaler')} text={scaler} href={scaler} />
      <CopyRow name={message('cite-iiif')} text={iiifAddressHere} href={iiifAddressHere}>
        {iiif.unsupported.length > 0 && (
          <p class="soft">{message('iiif-unsupported', { what: describeUnsupported(iiif.unsupported) })}</p>
        )}
      </CopyRow>
    </section>
  );
}
