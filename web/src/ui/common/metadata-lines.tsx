/** The lines of a folder's metadata and its rights, for a list of descriptions. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { FolderListing, ShownText } from '../../../../src/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';

/** A value longer than this is folded, in letters. */
const foldedLength = 280;

/** The begin of a long text, up to the end of a word where there are words. */
const begunText = (text: string): string => `${text.slice(0, foldedLength).replace(/\s+\S{0,40}$/, '')} …`;

/** The paragraphs of a text, of which only the beginning shows where it is long. */
export function MetadataValue({ paragraphs }: { readonly paragraphs: readonly string[] }): VNode {
  const open = useSignal(false);
  const text = paragraphs.join('\n');
  const isLong = text.length > foldedLength;
  const shown = isLong && !open.value ? begunText(text) : text;
  return (
    <>
      {shown.split('\n').map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {isLong && (
        <button
          type="button"
          class="fold"
          aria-expanded={open.value}
          onClick={() => {
            open.value = !open.value;
          }}
        >
          {message(open.value ? 'show-less' : 'show-more')}
        </button>
      )}
    </>
  );
}

const Line = ({ line }: { readonly line: ShownText }): VNode => (
  <div>
    <dt>{line.label}</dt>
    <dd>
      <MetadataValue paragraphs={line.value} />
    </dd>
  </div>
);

/** Only addresses of the web are links; metadata files are written by many hands. */
const RightsLine = ({ rights }: { readonly rights: string }): VNode => (
  <div>
    <dt>{message('rights')}</dt>
    <dd>
      {/^https?:\/\//.test(rights) ? (
        <a href={rights} rel="license noopener">
          {rights.replace(/^https?:\/\//, '')}
        </a>
      ) : (
        rights
      )}
    </dd>
  </div>
);

/** Whether there are any lines. */
export const hasMetadata = ({ metadata, rights }: FolderListing): boolean => metadata.length > 0 || rights !== null;

export const MetadataLines = ({ page }: { readonly page: FolderListing }): VNode => (
  <>
    {page.metadata.map((line) => (
      <Line key={line.label} line={line} />
    ))}
    {page.rights !== null && <RightsLine rights={page.rights} />}
  </>
);
