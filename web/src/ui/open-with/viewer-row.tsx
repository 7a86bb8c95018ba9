/** The viewers of other sites that open the folder, or the folder at an image. */
import { ExternalLink } from 'lucide';
import type { VNode } from 'preact';
import { pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { viewerAddress } from '../../model/viewer-links.ts';
import { Icon } from '../common/icon.tsx';
import { type ManifestLink, type OpenSubject, startingAt } from './addresses.ts';

interface ViewerRowProps {
  readonly subject: OpenSubject;
  readonly link: ManifestLink;
}

export function ViewerRow({ subject, link: { manifest, canvas = '' } }: ViewerRowProps): VNode | null {
  if (pageSettings.viewers.length === 0) return null;
  const target = {
    manifest,
    canvas,
    start: startingAt(manifest, canvas),
    index: subject.kind === 'image' ? subject.at - 1 : 0,
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
