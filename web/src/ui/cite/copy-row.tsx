/** A text with its name and a button that copies it. */
import type { ComponentChildren, VNode } from 'preact';
import { message } from '../../messages/message.ts';
import { CopyButton } from '../common/copy.tsx';

interface CopyRowProps {
  readonly name: string;
  readonly text: string;
  /** The target of a link, if the text is an address. */
  readonly href?: string;
  /** Remarks below the text. */
  readonly children?: ComponentChildren;
}

export const CopyRow = ({ name, text, href, children }: CopyRowProps): VNode => (
  <div class="copy-row">
    <h4>{name}</h4>
    <CopyButton text={() => text} name={message('copy-named', { name })} />
    {href === undefined ? (
      <code class="copy-text" title={text}>
        {text}
      </code>
    ) : (
      <a class="copy-text" href={href} title={text} target="_blank" rel="noopener">
        {text}
      </a>
    )}
    {children}
  </div>
);
