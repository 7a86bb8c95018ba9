/** What is said of what a page has and the reading room can't show: three dimensions, kinds that it does not know, or nothing at all. */
import { Box, CircleHelp, type IconNode } from 'lucide';
import type { VNode } from 'preact';
import { mediaMessage } from '../../messages/media.ts';
import type { CanvasMedia, Unshown } from '../../model/media/canvas-media.ts';
import { Icon } from '../common/button.tsx';

interface NoticeProps {
  readonly icon: IconNode;
  readonly title: string;
  readonly text: string;
  readonly files?: readonly Unshown[];
}

const nameOf = (address: string): string => decodeName(new URL(address).pathname.split('/').at(-1) ?? '') || address;

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

const Notice = ({ icon, title, text, files = [] }: NoticeProps): VNode => (
  <div class="media-notice" role="note">
    <Icon of={icon} size={32} />
    <h2>{title}</h2>
    <p>{text}</p>
    {files.map(({ address, format }) =>
      address === undefined ? null : (
        <a key={address} class="button" href={address} target="_blank" rel="noopener noreferrer">
          {mediaMessage('open-file')}: {nameOf(address)}
          {format !== '' && ` (${format})`}
        </a>
      ),
    )}
  </div>
);

export function UnshownNotices({ media }: { readonly media: CanvasMedia }): VNode {
  const models = media.unshown.filter(({ kind }) => kind === '3d');
  const others = media.unshown.filter(({ kind }) => kind === 'other');
  const isNothing = media.items.length === 0 && media.unshown.length === 0 && !media.isScene;
  return (
    <>
      {media.isScene && (
        <Notice icon={Box} title={mediaMessage('scene-title')} text={mediaMessage('scene-todo')} files={models} />
      )}
      {!media.isScene && models.length > 0 && (
        <Notice icon={Box} title={mediaMessage('model-title')} text={mediaMessage('model-todo')} files={models} />
      )}
      {others.map((one) => (
        <Notice
          key={one.type}
          icon={CircleHelp}
          title={mediaMessage('other-title')}
          text={mediaMessage('other-todo', { type: one.type })}
          files={[one]}
        />
      ))}
      {isNothing && (
        <Notice icon={CircleHelp} title={mediaMessage('nothing-title')} text={mediaMessage('nothing-todo')} />
      )}
    </>
  );
}
