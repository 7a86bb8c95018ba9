/** Links that open a manifest, at a page, in viewers of other sites. */

/** A viewer of another site: its name, and the template of its addresses. */
export interface ViewerTemplate {
  readonly name: string;
  readonly address: string;
}

/** What a link can say; all addresses are absolute. */
export interface ViewerTarget {
  /** The manifest, version 3, and the same beginning at the canvas. */
  readonly manifest: string;
  readonly start: string;
  /** The canvas of the page; '' for a whole folder. */
  readonly canvas: string;
  /** The position of the page's canvas in the manifest, from 0. */
  readonly index: number;
}

/** In base64 for addresses, without padding (IIIF Content State 1.0, section 6). */
function encoded(text: string): string {
  const bytes = new TextEncoder().encode(encodeURIComponent(text));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The content state of a page, or of a whole manifest (IIIF Content State 1.0, section 2). */
export function contentStateOf({ manifest, canvas }: Pick<ViewerTarget, 'manifest' | 'canvas'>): string {
  const whole = { id: manifest, type: 'Manifest' };
  return encoded(
    JSON.stringify({
      '@context': 'http://iiif.io/api/presentation/3/context.json',
      id: `${canvas || manifest}#content-state`,
      type: 'Annotation',
      motivation: ['contentState'],
      target: canvas === '' ? whole : { id: canvas, type: 'Canvas', partOf: [whole] },
    }),
  );
}

/** The address of a viewer; `{manifest}`, `{start}`, `{canvas}`, `{index}` and `{state}` in its template are replaced. */
export function viewerAddress({ address }: ViewerTemplate, target: ViewerTarget): string {
  const values: Readonly<Record<string, string>> = {
    manifest: target.manifest,
    start: target.start,
    canvas: target.canvas,
    index: String(target.index),
    state: contentStateOf(target),
  };
  return address.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? encodeURIComponent(values[name] ?? '') : whole,
  );
}
