/** The viewers of other sites that open the folder, or the folder at an image. */
import { ExternalLink } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { isForeign } from '../../model/address/foreign-path.ts';
import { viewerAddress } from '../../model/cite/content-states.ts';
import { FolderImages } from '../../state/folder-images.ts';
import { Icon } from '../common/icon.tsx';
import { type ManifestLink, type OpenSubject, startingAt } from './addresses.ts';

interface ViewerRowProps {
  readonly subject: OpenSubject;
  readonly link: ManifestLink;
}

/**
 * The position of a page's canvas in the manifest, from 0: files of several pages have a canvas for each, unreadable ones none. That
 * of the file until the images before it have loaded.
 */
function useCanvasIndex(subject: OpenSubject): number {
  const { path, folder, at } = subject.kind === 'image' ? subject : { path: '', folder: '', at: 1 };
  const isNeeded = !isForeign(path) && pageSettings.viewers.some(({ address }) => address.includes('{index}'));
  const images = useMemo(() => (isNeeded ? new FolderImages(folder, 'manual') : undefined), [isNeeded, folder]);
  useEffect(() => {
    images?.need(positionsBefore(at));
    return () => images?.close();
  }, [images, at]);
  const before = positionsBefore(at).map((position) => images?.cardAt(position));
  const inner = splitPage(path).page - 1;
  if (!before.every((card) => card !== undefined)) return at - 1 + inner;
  return before.reduce((sum, { width, pages }) => sum + (width === null ? 0 : pages), inner);
}

const positionsBefore = (at: number): readonly number[] => Array.from({ length: at - 1 }, (_, index) => index + 1);

export function ViewerRow({ subject, link: { manifest, canvas = '' } }: ViewerRowProps): VNode | null {
  const index = useCanvasIndex(subject);
  if (pageSettings.viewers.length === 0) return null;
  const target = {
    manifest,
    canvas,
    start: startingAt(manifest, canvas),
    index,
  };
  return (
    <section class="viewer-row" aria-label={message('viewers')}>
      {pageSettings.viewers.map((viewer) => (
        <a key={viewer.name} class="button" href={viewerAddress(viewer, target)} target="_blank" rel="noopener">
          <Icon of={ExternalLink} size={16} />
          {viewer.name}
        </a>
      ))}
      {location.protocol === 'http:' && <p class="note">{message('viewers-need-https')}</p>}
    </section>
  );
}
