/** Beside the player: chapters, the transcript, annotations and files, as tabs of which those are there that have something. */
import { type Signal, signal } from '@preact/signals';
import { FileDown } from 'lucide';
import type { ComponentType, VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { isAllowedHere, reachable } from '../../data/foreign-hosts.ts';
import { mediaMessage } from '../../messages/media.ts';
import type { PageImage } from '../../model/manifest/page-image.ts';
import { chapterAt } from '../../model/media/chapters.ts';
import { formatClock } from '../../model/media/time.ts';
import { goToTime, type OpenMedia } from '../../state/media/open-media.ts';
import { Icon } from '../common/button.tsx';
import { moveByArrows, useOneStop } from '../common/elements.ts';
import { MetadataValue } from '../common/folder-facts.tsx';
import { TranscriptPane } from './transcript.tsx';
import { shown, spanText } from './words.ts';

interface NowProps {
  readonly now: OpenMedia;
}

const pictureOf = (image: PageImage | undefined): string | undefined =>
  image?.address !== undefined && isAllowedHere(image.address) ? reachable(image.address) : undefined;

function Chapters({ now }: NowProps): VNode {
  const list = useRef<HTMLOListElement>(null);
  useOneStop(list);
  const current = chapterAt(now.chapters, now.canvas, now.playback.time.value);
  return (
    <ol class="media-chapters list" ref={list} onKeyDown={moveByArrows}>
      {now.chapters.map((chapter, index) => {
        const { canvas, from, to, label, depth, thumbnail } = chapter;
        const picture = pictureOf(thumbnail);
        return (
          <li key={index} style={{ '--depth': String(depth) }}>
            <button
              type="button"
              aria-current={chapter === current ? 'true' : undefined}
              onClick={() => goToTime(now, canvas, from)}
            >
              {picture && <img src={picture} alt="" loading="lazy" referrerpolicy="no-referrer" />}
              <span>{shown(label) || spanText(from, to)}</span>
              <span class="soft tabular">{formatClock(from)}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

function Remarks({ now }: NowProps): VNode {
  const time = Math.floor(now.playback.time.value);
  return (
    <ol class="media-remarks list">
      {now.notes.value.slice(0, 2000).map(({ from, to, text, tags }, index) => {
        const isNow = from !== undefined && from <= time && time < (to ?? from + 1);
        return (
          <li key={index} class={isNow ? 'chosen' : undefined}>
            {from === undefined ? (
              <p class="soft">{mediaMessage('remark-whole')}</p>
            ) : (
              <button type="button" class="tabular" onClick={() => goToTime(now, now.canvas, from)}>
                {spanText(from, to)}
              </button>
            )}
            {text !== '' && <MetadataValue paragraphs={[text]} />}
            {tags.length > 0 && (
              <p class="note-tags wrap">
                {tags.map((tag) => (
                  <span class="chip" key={tag}>
                    {tag}
                  </span>
                ))}
              </p>
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface FileRow {
  readonly address: string;
  readonly name: string;
  readonly format: string;
}

const lastName = (address: string): string => new URL(address).pathname.split('/').at(-1) || address;

function filesOf({ media }: OpenMedia): readonly FileRow[] {
  const files = [...media.items.flatMap((item) => item.files), ...media.renderings];
  const rows = files.map(({ address, label, format }) => ({
    address,
    format,
    name: shown(label) || lastName(address),
  }));
  return [...new Map(rows.map((row) => [row.address, row])).values()];
}

const Files = ({ now }: NowProps): VNode => (
  <ul class="media-files list">
    {filesOf(now).map(({ address, name, format }) => (
      <li key={address}>
        <a href={address} target="_blank" rel="noopener noreferrer">
          <Icon of={FileDown} size={16} />
          {name}
        </a>
        {format !== '' && <span class="soft"> {format}</span>}
      </li>
    ))}
  </ul>
);

const parts = {
  chapters: [Chapters, ({ chapters }: OpenMedia) => chapters.length > 0],
  transcript: [TranscriptPane, ({ transcripts }: OpenMedia) => transcripts.value.length > 0],
  remarks: [Remarks, ({ notes }: OpenMedia) => notes.value.length > 0],
  files: [Files, (now: OpenMedia) => filesOf(now).length > 0],
} as const satisfies Record<string, readonly [ComponentType<NowProps>, (now: OpenMedia) => boolean]>;

type PartName = keyof typeof parts;

/** The tab of all players, for pages that have it. */
const chosen: Signal<PartName | undefined> = signal(undefined);

const names = Object.keys(parts) as readonly PartName[];

export function MediaSide({ now }: NowProps): VNode | null {
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  useOneStop(row);
  const there = names.filter((name) => parts[name][1](now));
  const name = there.find((one) => one === chosen.value) ?? there[0];
  if (name === undefined) return null;
  const [Content] = parts[name];
  return (
    <aside class="media-side" aria-label={mediaMessage(name)}>
      <div class="media-tabs" role="tablist" ref={row} onKeyDown={moveByArrows}>
        {there.map((one) => (
          <button
            key={one}
            id={`${id}-${one}`}
            type="button"
            role="tab"
            aria-selected={one === name}
            aria-current={one === name ? 'true' : undefined}
            aria-controls={`${id}-panel`}
            onClick={() => {
              chosen.value = one;
            }}
          >
            {mediaMessage(one)}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} class="media-tab" role="tabpanel" aria-labelledby={`${id}-${name}`}>
        <Content now={now} />
      </div>
    </aside>
  );
}
