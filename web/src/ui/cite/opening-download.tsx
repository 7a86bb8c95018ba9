/** Downloads both pages of an opening as one picture. */
import { useSignal } from '@preact/signals';
import { BookOpen } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { planOpening } from '../../model/cite/opening-plan.ts';
import { type DownloadChoice, downloadScale, outputType } from '../../model/cite/picture-address.ts';
import type { ViewState } from '../../model/view-state.ts';
import type { Opened } from '../../state/opened.ts';
import { drawOpening, pagesOfOpening } from '../../state/opening-picture.ts';
import { Button } from '../common/button.tsx';
import { saveFile } from '../common/elements.ts';

/** Of JPEG and WebP, from 0 to 1. */
const quality = 0.92;

const blobOf = (canvas: HTMLCanvasElement, type: string): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, quality));

/** Safari writes PNG in place of WebP. */
const extensions: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp' };

/** `book_p02-p03-804x600.jpg` */
function nameOf(paths: readonly string[], { width, height }: HTMLCanvasElement, type: string): string {
  const names = paths.map((path) => {
    const { file, page } = splitPage(path);
    const stem = (file.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '');
    return page > 1 ? `${stem}-${page}` : stem;
  });
  const folder = paths[0]?.split('/').at(-2);
  const stem = `${folder === undefined ? '' : `${folder}_`}${names.join('-')}`.replaceAll(/[\\/:*?"<>|]/g, '-');
  return `${stem}-${width}x${height}.${extensions[type] ?? 'png'}`;
}

type State =
  | { readonly kind: 'idle' | 'busy' | 'failed' }
  | { readonly kind: 'done'; readonly name: string; readonly reduced: boolean };

interface OpeningDownloadProps {
  readonly opened: Opened;
  readonly state: ViewState;
  readonly choice: DownloadChoice;
  /** Device pixels per pixel of the image. */
  readonly onScreen: number;
}

/** Makes the picture and saves it; undefined where a page can't be loaded or the browser can't write it. */
async function save({ opened, state, choice, onScreen }: OpeningDownloadProps, signal: AbortSignal): Promise<State> {
  const pages = await pagesOfOpening(opened);
  if (pages === undefined) return { kind: 'failed' };
  // From left to right, as they are seen.
  const paths = [...pages].sort((one, other) => one.part.x - other.part.x).map(({ path }) => path);
  const plan = planOpening(pages, state, downloadScale(choice.size, onScreen));
  if (plan === undefined) return { kind: 'failed' };
  const canvas = await drawOpening(pages, plan, state, signal);
  const blob = await blobOf(canvas, outputType(choice.format));
  if (blob === null || signal.aborted) return { kind: 'failed' };
  const name = nameOf(paths, canvas, blob.type);
  saveFile(blob, name);
  return { kind: 'done', name, reduced: plan.reduced };
}

export function OpeningDownload(props: OpeningDownloadProps): VNode {
  const now = useSignal<State>({ kind: 'idle' });
  const pending = useRef<AbortController | undefined>(undefined);
  const { opened, state, choice } = props;
  const what = JSON.stringify([opened.path, choice, state.rotation, state.mirror, state.color]);
  useEffect(() => {
    now.value = { kind: 'idle' };
    return () => pending.current?.abort();
  }, [what]);
  const start = async (): Promise<void> => {
    if (now.peek().kind === 'busy') return;
    const controller = new AbortController();
    pending.current = controller;
    now.value = { kind: 'busy' };
    const ended = await save(props, controller.signal).catch((): State => ({ kind: 'failed' }));
    if (!controller.signal.aborted) now.value = ended;
  };
  const { value } = now;
  return (
    <>
      <Button icon={BookOpen} onClick={() => void start()}>
        {message('download-opening')}
      </Button>
      <p class="soft download-state" role="status">
        {value.kind === 'busy' && message('download-preparing')}
        {value.kind === 'failed' && message('download-opening-failed')}
        {value.kind === 'done' && message('download-done', { name: value.name })}
        {value.kind === 'done' && value.reduced && ` ${message('download-opening-reduced')}`}
      </p>
    </>
  );
}
