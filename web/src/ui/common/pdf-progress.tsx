/** How far the PDF is that the reader has asked for, with a button that cancels it, and links to it when it is there. */
import { BookDown, Download, ExternalLink, X } from 'lucide';
import { render, type VNode } from 'preact';
import { message } from '../../messages/messages.ts';
import { cancelPdf, makePdf, type PdfMaking, pdfMaking, type WantedPdf } from '../../state/pdf-making.ts';
import { Button, Icon, IconButton } from './button.tsx';
import { formatCount } from './words.ts';

function Making({ made, of, name }: { readonly made: number; readonly of: number; readonly name: string }): VNode {
  const isBegun = made > 0 && of > 0;
  const text = isBegun
    ? message('pdf-progress', { made: formatCount(made), of: formatCount(of) })
    : message('pdf-preparing');
  return (
    <>
      <progress aria-label={name} {...(isBegun && { max: of, value: made })} />
      <div class="pdf-progress-row row wrap">
        <p class="soft">{text}</p>
        <Button onClick={cancelPdf}>{message('cancel')}</Button>
      </div>
    </>
  );
}

const Done = ({ address }: { readonly address: string }): VNode => (
  <div class="pdf-progress-row row wrap">
    <a class="button primary" href={address} target="_blank" rel="noopener" onClick={() => setTimeout(cancelPdf)}>
      <Icon of={ExternalLink} size={16} />
      {message('pdf-open')}
    </a>
    <a class="button" href={address} download="" onClick={() => setTimeout(cancelPdf)}>
      <Icon of={Download} size={16} />
      {message('pdf-save')}
    </a>
  </div>
);

function stateText(making: PdfMaking): string {
  if (making.phase === 'done') return message('pdf-ready');
  if (making.phase === 'making') return '';
  return message(making.isBusy ? 'pdf-busy' : 'pdf-failed');
}

function PdfProgress(): VNode | null {
  const making = pdfMaking.value;
  if (making === undefined) return null;
  const { wanted, phase } = making;
  return (
    <section class="pdf-progress floating" aria-label={wanted.name}>
      <div class="pdf-progress-head row">
        <Icon of={BookDown} size={18} />
        <h2>{wanted.name}</h2>
        {phase !== 'making' && <IconButton icon={X} name={message('close')} onClick={cancelPdf} />}
      </div>
      {/* Only the end is announced: screen readers ask for the value of the bar themselves. */}
      <p class="pdf-progress-state" role="status">
        {stateText(making)}
      </p>
      {phase === 'making' && <Making made={making.made} of={making.of} name={wanted.name} />}
      {phase === 'done' && <Done address={making.address} />}
      {phase === 'failed' && (
        <div class="pdf-progress-row row wrap">
          <Button onClick={() => void makePdf(wanted)}>{message('try-again')}</Button>
        </div>
      )}
    </section>
  );
}

let host: HTMLElement | undefined;

/** Begins a PDF, and shows how far it is above whatever page the reader goes to. */
export function beginPdf(wanted: WantedPdf): void {
  if (host === undefined) {
    host = document.createElement('div');
    document.body.append(host);
    render(<PdfProgress />, host);
  }
  void makePdf(wanted);
}
