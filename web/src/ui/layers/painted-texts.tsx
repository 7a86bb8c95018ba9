/** Texts that a manifest paints on the image: they move, turn and grow with it. */
import type { VNode } from 'preact';
import type { PaintedText } from '../../model/manifest/painted-texts.ts';
import { facts } from '../../state/opened.ts';
import { frame } from '../../state/view.ts';

/** The width of the image in CSS pixels in which the texts are laid out, before they are scaled to where it is. */
const laidOut = 2000;

/** Styles of few elements: a style sheet of their own would cost every page a request or bytes. */
const corner = { position: 'absolute', inset: '0 auto auto 0', width: 0, height: 0, transformOrigin: '0 0' } as const;
const plain = {
  position: 'absolute',
  boxSizing: 'border-box',
  margin: 0,
  color: '#fff',
  background: 'rgb(16 16 16 / 60%)',
  lineHeight: 1.2,
} as const;

/** Only this part is rendered again while the image moves. */
export function PaintedTexts({ texts }: { readonly texts: readonly PaintedText[] }): VNode | null {
  const [now, image] = [frame.value, facts.value];
  if (now === undefined || image === undefined) return null;
  const height = (laidOut * image.height) / image.width;
  const [a, b, c, d, e, f] = now.matrix;
  const matrix = [a / laidOut, b / laidOut, c / height, d / height, e, f].join(',');
  return (
    <div class="painted-texts through" style={{ ...corner, transform: `matrix(${matrix})` }}>
      {texts.map(({ text, language, place, size, padding, color, background }, index) => (
        <p
          key={index}
          class="painted-text"
          lang={language || undefined}
          style={{
            ...plain,
            left: `${place.x * laidOut}px`,
            top: `${place.y * height}px`,
            width: `${place.width * laidOut}px`,
            fontSize: `${size * laidOut}px`,
            padding: `${padding * laidOut}px`,
            ...(color !== undefined && { color }),
            ...(background !== undefined && { background }),
          }}
        >
          {text}
        </p>
      ))}
    </div>
  );
}
