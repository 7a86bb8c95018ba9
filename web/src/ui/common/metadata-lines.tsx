/** The metadata and rights of a folder, for a description list. */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { FolderListing, ShownText } from '../../../../src/image/folder/folder-listing.ts';
import { message } from '../../messages/message.ts';

/** Length in characters from which a value is shortened. */
const foldedLength = 280;

/** The beginning of a long text, cut after a word. */
const shortened = (text: string): string => `${text.slice(0, foldedLength).replace(/\s+\S{0,40}$/, '')} …`;

/** The paragraphs of a text, of which a long one is shortened at first. */
export function MetadataValue({ paragraphs }: { readonly paragraphs: readonly string[] }): VNode {
  const open = useSignal(false);
  const text = paragraphs.join('\n');
  const isLong = text.length > foldedLength;
  const shown = isLong && !open.value ? shortened(text) : text;
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

/** Only HTTP addresses become links, since metadata files may hold anything. */
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

export const hasMetadata = ({ metadata, rights }: FolderListing): boolean => metadata.length > 0 || rights !== null;

export const MetadataLines = ({ page }: { readonly page: FolderListing }): VNode => (
  <>
    {page.metadata.map((line) => (
      <Line key={line.label} line={line} />
    ))}
    {page.rights !== null && <RightsLine rights={page.rights} />}
  </>
);
