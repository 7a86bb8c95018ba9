/** The keys of the player, as the keyboard help lists them, and which keys of images a page with sound or video has too. */
import type { MediaMessageKey } from '../../messages/media.ts';
import type { MessageKey } from '../../messages/messages.ts';

export const mediaKeys: readonly { readonly keys: readonly string[]; readonly name: MediaMessageKey }[] = [
  { keys: [' ', 'k'], name: 'keys-play' },
  { keys: ['ArrowLeft', 'ArrowRight'], name: 'keys-arrows' },
  { keys: ['j', 'l'], name: 'keys-letters' },
  { keys: ['m'], name: 'keys-mute' },
];

export const keysOfAllPages: ReadonlySet<MessageKey> = new Set<MessageKey>([
  'next-page',
  'previous-page',
  'first-page',
  'last-page',
  'go-to-page',
  'panel-cite',
  'panel-about',
  'thumbnails',
  'keep',
  'full-screen',
  'leave-tool',
  'keyboard',
]);
