/** What is seen of a canvas with time: its videos, images and texts in their places, the image beside sound, and captions. */
import { type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { AudioLines } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isAllowedHere, reachable } from '../../data/foreign-hosts.ts';
import { mediaMessage } from '../../messages/media.ts';
import { thumbnailAddress } from '../../model/manifest/foreign-service.ts';
import type { PageImage } from '../../model/manifest/page-image.ts';
import type { CanvasMedia, MediaFile, TimedItem } from '../../model/media/canvas-media.ts';
import { linesShown } from '../../model/media/captions.ts';
import { isActive, isTimed } from '../../model/media/timeline.ts';
import type { Rect } from '../../model/view-state.ts';
import type { OpenMedia } from '../../state/media/open-media.ts';
import { openedNow } from '../../state/opened.ts';
import { Icon } from '../common/button.tsx';
import { chosenCaptions, versionOf } from './choices.ts';

/** The longest side of an image that is loaded, in pixels. */
const imageSide = 1600;

/** The address of a picture that fits the stage; undefined where its host is not allowed. */
function pictureOf(image: PageImage | undefined): string | undefined {
  if (image === undefined) return undefined;
  const box = { width: imageSide, height: imageSide };
  const page = { image, thumbnail: undefined, canvas: image.size } as Parameters<typeof thumbnailAddress>[0];
  const address = thumbnailAddress(page, box);
  return address !== undefined && isAllowedHere(address) ? reachable(address) : undefined;
}

const placed = ({ x, y, width, height }: Rect) => ({
  left: `${x * 100}%`,
  top: `${y * 100}%`,
  width: `${width * 100}%`,
  height: `${height * 100}%`,
});

interface Fault {
  readonly file: MediaFile;
  readonly isRefused: boolean;
}

function FaultNotice({ file, isRefused }: Fault): VNode {
  const [title, text] = isRefused
    ? [mediaMessage('fault-host'), mediaMessage('fault-host-todo', { host: new URL(file.address).host })]
    : [mediaMessage('fault-file'), mediaMessage('fault-file-todo', { format: file.format || '?' })];
  return (
    <div class="media-fault floating" role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      <a class="button" href={file.address} target="_blank" rel="noopener noreferrer">
        {mediaMessage('open-file')}
      </a>
    </div>
  );
}

interface FileProps {
  readonly now: OpenMedia;
  readonly index: number;
  readonly item: TimedItem;
  readonly onSize: (size: Size) => void;
}

/** The element of a file: of several forms the chosen one, else the first that plays. */
function TimedFile({ now, index, item, onSize }: FileProps): VNode {
  const element = useRef<HTMLVideoElement>(null);
  const failed = useSignal<readonly MediaFile[]>([]);
  const isShown = useComputed(() => isActive(item, now.playback.time.value));
  const file = versionOf(item, failed.value);
  const isRefused = !isAllowedHere(file.address);
  const isFaulty = isRefused || failed.value.includes(file);
  useEffect(() => (element.current === null ? undefined : now.playback.attach(index, element.current)), [now, index]);
  useSignalEffect(() => now.playback.applySettings());
  useEffect(() => {
    if (isFaulty) now.playback.fail(index);
  }, [isFaulty]);
  const props = {
    ref: element,
    src: isRefused ? undefined : reachable(file.address),
    preload: index < 4 ? 'metadata' : 'none',
    onError: () => {
      failed.value = [...failed.peek(), file];
    },
  } as const;
  if (item.kind === 'sound') {
    return (
      <>
        <audio {...props} />
        {isFaulty && <FaultNotice file={file} isRefused={isRefused} />}
      </>
    );
  }
  return (
    <div class={isShown.value ? 'media-item' : 'media-item hidden'} style={placed(item.place)}>
      <video
        {...props}
        playsInline
        onLoadedMetadata={({ currentTarget: { videoWidth: width, videoHeight: height } }) => {
          if (width > 0 && height > 0) onSize({ width, height });
        }}
        onClick={() => now.playback.toggle()}
      />
      {isFaulty && <FaultNotice file={file} isRefused={isRefused} />}
    </div>
  );
}

interface StillProps {
  readonly now: OpenMedia;
  readonly item: TimedItem;
}

/** An image or a text that is on the canvas for a time. */
function Still({ now, item }: StillProps): VNode | null {
  const isShown = useComputed(() => isActive(item, now.playback.time.value));
  if (!isShown.value) return null;
  if (item.kind === 'text') {
    return (
      <p class="media-item media-text" style={placed(item.place)}>
        <span>{item.text}</span>
      </p>
    );
  }
  const address = pictureOf(item.image);
  return address === undefined ? null : (
    <img class="media-item" style={placed(item.place)} src={address} alt="" referrerpolicy="no-referrer" />
  );
}

/** The lines that are spoken now, where captions are on. */
function CaptionLines({ now }: { readonly now: OpenMedia }): VNode | null {
  const lines = useComputed(() => linesShown(chosenCaptions(now)?.cues ?? [], now.playback.time.value));
  // The same lines are not rendered again at each step of the time.
  const key = useComputed(() => lines.value.map(({ from }) => from).join());
  if (key.value === '') return null;
  return (
    <div class="media-captions through" lang={chosenCaptions(now)?.language || undefined}>
      {lines.peek().map(({ text, from }) => (
        <p key={from}>{text}</p>
      ))}
    </div>
  );
}

/** The picture over the stage: before it plays the placeholder, and beside sound the one that accompanies it. */
function StandIn({ now }: { readonly now: OpenMedia }): VNode | null {
  const { media, playback } = now;
  const isFirst = !playback.hasStarted.value;
  const isSeen = media.items.some(({ kind }) => kind !== 'sound');
  const image = isFirst && media.placeholder ? media.placeholder : isSeen ? undefined : media.accompanying;
  const address = pictureOf(image ?? (isSeen ? undefined : media.placeholder));
  if (address !== undefined) {
    return <img class="media-item media-stand-in through" src={address} alt="" referrerpolicy="no-referrer" />;
  }
  return isSeen ? null : (
    <div class="media-sound-only">
      <Icon of={AudioLines} size={56} />
      <p>{openedNow()?.card.label}</p>
    </div>
  );
}

/** The proportions of the stage: of the canvas, of the picture that stands for sound, or of a video. */
function shapeOf({ size, accompanying, placeholder, items }: CanvasMedia, video: Size | undefined): Size | undefined {
  const isSeen = items.some(({ kind }) => kind !== 'sound');
  return size ?? (isSeen ? video : (accompanying ?? placeholder)?.size);
}

export function MediaStage({ now }: { readonly now: OpenMedia }): VNode {
  const video: Signal<Size | undefined> = useSignal(undefined);
  const { media } = now;
  const shape = shapeOf(media, video.value) ?? { width: 16, height: 9 };
  const isSeen = media.items.some(({ kind }) => kind !== 'sound');
  return (
    <div class="media-stage">
      <figure
        class={isSeen ? 'media-canvas' : 'media-canvas sound'}
        aria-label={openedNow()?.card.label}
        style={{ '--ratio': String(shape.width / shape.height) }}
      >
        {media.items.map((item, index) =>
          isTimed(item) ? (
            <TimedFile
              key={index}
              now={now}
              index={index}
              item={item}
              onSize={(size) => {
                video.value ??= size;
              }}
            />
          ) : (
            <Still key={index} now={now} item={item} />
          ),
        )}
        <StandIn now={now} />
        {isSeen && <CaptionLines now={now} />}
      </figure>
      {!isSeen && <CaptionLines now={now} />}
    </div>
  );
}
