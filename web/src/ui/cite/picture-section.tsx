/** The picture of the view: its address and downloads. */
import { type Signal, useSignal } from '@preact/signals';
import { Download, Printer } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { joinTier } from '../../../../src/core/image/model/identifier.ts';
import { type Answer, fetchBytes, fetchHead, type Problem } from '../../data/fetch.ts';
import { originalAddress } from '../../data/images.ts';
import { baseAddress, pageSettings } from '../../data/page-settings.ts';
import { countedMessage, language, message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import {
  type DownloadChoice,
  downloadAddress,
  downloadName,
  iiifAddress,
  type PictureFormat,
  planDownload,
  type SizeChoice,
  scalerQuery,
  type Unsupported,
} from '../../model/cite/picture-address.ts';
import { partsOfView, type ViewPart } from '../../model/view/color.ts';
import type { ViewState } from '../../model/view-state.ts';
import type { Opened } from '../../state/opened.ts';
import { pageBeside } from '../../state/pages.ts';
import { changeView, view } from '../../state/view.ts';
import { pictured, scaleOnScreen } from '../../state/viewport.ts';
import { Button, Icon } from '../common/button.tsx';
import { download, saveFile } from '../common/elements.ts';
import { Choices } from '../common/fields.tsx';
import { lazilyQuiet, ProblemNotice } from '../common/loading.tsx';
import { RightsNote } from '../common/rights-note.tsx';
import { CopyRow } from '../common/take-along.tsx';
import { formatCount, formatFraction, operatorNames } from '../common/words.ts';

const print = (): void => void import('../print/print-view.tsx').then(({ printView }) => printView());

const OpeningDownload = lazilyQuiet(async () => (await import('./opening-download.tsx')).OpeningDownload);

interface PictureProps {
  readonly opened: Opened;
  readonly image: Size;
  readonly chosen: Signal<DownloadChoice>;
}

export const firstChoice: DownloadChoice = { size: 'full', format: 'jpg' };

/** How the picture of a choice is requested, and of which image or tier. */
function requestOf({ opened, image, chosen }: PictureProps) {
  const state = pictured.value;
  const onScreen = chosen.value.size === 'screen' ? scaleOnScreen.value : 1;
  const plan = planDownload(state, image, chosen.value, onScreen, pageSettings);
  return { state, plan, inTier: { ...state, fn: joinTier(state.fn, opened.card.tier?.name) } };
}

export function PictureSection(props: PictureProps): VNode {
  const { opened, image, chosen } = props;
  const { state, plan, inTier } = requestOf(props);
  const { tier, covered = false } = opened.card;
  const download = downloadAddress(inTier, image, plan, chosen.value.format, pageSettings.iiifSlash);
  return (
    <section class="panel-section">
      <h3>{message('picture')}</h3>
      <PictureChoice chosen={chosen} />
      <p class="picture-pixels tabular">
        {message('pixel-size', { width: formatCount(plan.pixels.width), height: formatCount(plan.pixels.height) })}
      </p>
      {plan.reduced && <p class="soft">{message('picture-reduced')}</p>}
      <div class="downloads">
        <DownloadButton href={baseAddress() + download.path} name={downloadName(state.fn, plan, download.format)}>
          {message('download')}
        </DownloadButton>
        {state.twoPages && pageBeside(opened) !== undefined && (
          <OpeningDownload opened={opened} state={state} choice={chosen.value} onScreen={scaleOnScreen.value} />
        )}
        {tier?.originals !== false && !covered && (
          <DownloadButton href={baseAddress() + originalAddress(state.fn)} name={opened.card.name} isOriginal>
            {message('download-original')}
          </DownloadButton>
        )}
        <Button icon={Printer} onClick={print}>
          {message('print')}
        </Button>
      </div>
      <RightsNote folder={opened.folder} />
    </section>
  );
}

/** The addresses of the picture in both dialects. */
export function PictureAddresses(props: PictureProps): VNode {
  const { state, plan, inTier } = requestOf(props);
  const scaler = `${baseAddress()}Scaler?${scalerQuery(state, plan.requested)}`;
  const iiif = iiifAddress(inTier, props.image, pageSettings.iiifSlash);
  const iiifAddressHere = baseAddress() + iiif.path;
  return (
    <section class="panel-section">
      <h3>{message('picture')}</h3>
      <CopyRow name={message('cite-scaler')} text={scaler} href={scaler} />
      <CopyRow name={message('cite-iiif')} text={iiifAddressHere} href={iiifAddressHere}>
        {iiif.unsupported.length > 0 && (
          <p class="soft">{message('iiif-unsupported', { what: describeUnsupported(iiif.unsupported) })}</p>
        )}
      </CopyRow>
    </section>
  );
}

const sizes: readonly SizeChoice[] = ['full', 'half', 'screen'];

/** The names are the same in all languages. */
const formats: readonly (readonly [format: PictureFormat, name: string])[] = [
  ['jpg', 'JPG'],
  ['png', 'PNG'],
  ['webp', 'WebP'],
];

/** `q0` to `q3` of the Scaler. */
const qualities: readonly ViewState['quality'][] = [undefined, 0, 1, 2, 3];

/** The quality is a part of the view, since old addresses contain it. */
function Quality(): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{message('quality')}</label>
      <select
        id={id}
        value={String(view.value.quality ?? '')}
        onChange={({ currentTarget }) =>
          changeView({ quality: qualities.find((quality) => String(quality ?? '') === currentTarget.value) })
        }
      >
        {qualities.map((quality) => (
          <option key={quality} value={String(quality ?? '')}>
            {message(`quality-${quality ?? 'default'}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

function PictureChoice({ chosen }: { readonly chosen: Signal<DownloadChoice> }): VNode {
  const change = (part: Partial<DownloadChoice>): void => {
    chosen.value = { ...chosen.peek(), ...part };
  };
  const { size, format } = chosen.value;
  return (
    <div class="picture-choice">
      <Choices
        class="segments"
        legend={message('picture-size')}
        choices={sizes.map((value) => [value, message(`size-${value}`)])}
        chosen={size}
        onChoose={(value) => change({ size: value })}
      />
      <Choices
        class="segments"
        legend={message('picture-format')}
        choices={formats}
        chosen={format}
        onChoose={(value) => change({ format: value })}
      />
      <Quality />
    </div>
  );
}

type State = { readonly kind: 'idle' | 'busy' | 'done' } | { readonly kind: 'problem'; readonly problem: Problem };

/** An original may be too large for memory: it is only checked here, and the browser downloads it. */
async function fetchFile(
  { href, name, isOriginal }: Pick<DownloadButtonProps, 'href' | 'name' | 'isOriginal'>,
  signal: AbortSignal,
): Promise<Answer<unknown>> {
  if (isOriginal) {
    const answer = await fetchHead(href, signal);
    if (answer.ok) download(href, name);
    return answer;
  }
  const answer = await fetchBytes(href, signal);
  if (answer.ok) saveFile(answer.value, name);
  return answer;
}

interface DownloadButtonProps {
  readonly href: string;
  readonly name: string;
  readonly isOriginal?: boolean;
  readonly children: ComponentChildren;
}

/** A download link that fetches the file itself, so that an error is shown here and does not replace the page. */
function DownloadButton({ children, ...what }: DownloadButtonProps): VNode {
  const state = useSignal<State>({ kind: 'idle' });
  const pending = useRef<AbortController | undefined>(undefined);
  // The state of the previous download does not apply to another picture.
  useLayoutEffect(() => {
    state.value = { kind: 'idle' };
    return () => pending.current?.abort();
  }, [what.href]);
  const start = async (event?: MouseEvent): Promise<void> => {
    event?.preventDefault();
    if (state.peek().kind === 'busy') return;
    const controller = new AbortController();
    pending.current = controller;
    state.value = { kind: 'busy' };
    const answer = await fetchFile(what, controller.signal);
    if (!controller.signal.aborted)
      state.value = answer.ok ? { kind: 'done' } : { kind: 'problem', problem: answer.problem };
  };
  const now = state.value;
  return (
    <>
      <a class={what.isOriginal ? 'button' : 'button primary'} href={what.href} download={what.name} onClick={start}>
        <Icon of={Download} size={16} />
        {children}
      </a>
      <p class="soft download-state" role="status">
        {now.kind === 'busy' && !what.isOriginal && message('download-preparing')}
        {now.kind === 'done' && message('download-done', { name: what.name })}
      </p>
      {now.kind === 'problem' && <ProblemNotice problem={now.problem} onRetry={() => void start()} />}
    </>
  );
}

/** A name inside of a sentence; nouns keep their capital letter in German. */
const insideSentence = (name: string): string =>
  language.value === 'de' ? name : name.charAt(0).toLowerCase() + name.slice(1);

function wordsOf(part: ViewPart): string {
  switch (part.name) {
    case 'rotation':
      return message('part-rotation', { degrees: formatFraction(part.degrees) });
    case 'marks':
    case 'rectangles':
      return countedMessage(`part-${part.name}`, part.count);
    case 'operation':
      return insideSentence(message(operatorNames[part.operator]));
    default:
      return message(`part-${part.name}`);
  }
}

/** "region, rotation 90°, contrast, 3 marks". */
export function describeView(state: ViewState): string {
  const parts = partsOfView(state).map(wordsOf);
  return parts.length === 0 ? message('part-none') : parts.join(', ');
}

/** Describes the parts of a view that an address contains or can't express. */
const describeUnsupported = (parts: readonly Unsupported[]): string =>
  parts.map((part) => message(`unsupported-${part}`)).join(', ');
