/** IIIF Content State 1.0: what a link of one viewer tells another; and links that open a manifest in viewers of other sites. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isFiniteNumber, isObject, listOf, memberOf, parseJson, textOf } from '../json-value.ts';
import { formatSeconds } from '../media/time.ts';
import type { Rect } from '../view-state.ts';

export interface ContentState {
  /** The address of the manifest; empty where only a canvas is named. */
  readonly manifest: string;
  /** The id of the canvas; empty for the whole manifest. */
  readonly canvas: string;
  /** The fragment of the canvas such as `xywh=10,20,300,400` in units of the canvas, or `t=83`; empty for all of it. */
  readonly fragment: string;
}

/** Content states that contain others, such as an annotation in an annotation, are followed this far. */
const maxDepth = 6;

const bytesOf = (base64: string): Uint8Array | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
};

/** Decodes the encoding of the specification (section 6.2): base64url of percent-encoded text; or of UTF-8, as others write it. */
export function decodeContent(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9_=-]+$/.test(encoded)) return undefined;
  const bytes = bytesOf(encoded.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/'));
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Encodes as the specification does, section 6.2. */
export const encodeContent = (text: string): string =>
  btoa(encodeURIComponent(text)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

const idOf = (value: unknown): string =>
  typeof value === 'string' ? value : textOf(memberOf(value, 'id') ?? memberOf(value, '@id'));

const typeOf = (value: unknown): string =>
  textOf(listOf(memberOf(value, 'type') ?? memberOf(value, '@type'))[0]).replace(/^.*[:/#]/, '');

const manifestAround = (value: unknown): string => {
  const parents = listOf(memberOf(value, 'partOf') ?? memberOf(value, 'within'));
  return idOf(parents.find((parent) => typeOf(parent) === 'Manifest') ?? parents[0]);
};

/** Whether a fragment names a part in space or in time. */
const namesPart = (text: string): boolean => /(?:^|[#&])(?:xywh|t)=/.test(text);

const selected = (value: unknown): string => {
  const selectors = listOf(memberOf(value, 'selector'));
  const texts = selectors.map((one) => {
    const time = memberOf(one, 't');
    return isFiniteNumber(time) ? `t=${time}` : textOf(memberOf(one, 'value'));
  });
  return texts.find(namesPart) ?? '';
};

function read(value: unknown, depth: number): ContentState | undefined {
  if (depth > maxDepth) return undefined;
  const [first] = listOf(value);
  if (isObject(first)) {
    const inner = first['target'] ?? first['source'];
    if (inner !== undefined) {
      const found = read(inner, depth + 1);
      if (found === undefined) return undefined;
      const manifest = found.manifest || manifestAround(first);
      return { ...found, manifest, fragment: found.fragment || selected(first) };
    }
  }
  const [id = '', fragment = ''] = idOf(first).split('#');
  if (id === '') return undefined;
  const around = manifestAround(first);
  const isCanvas = typeOf(first) === 'Canvas' || around !== '' || namesPart(fragment);
  return isCanvas ? { manifest: around, canvas: id, fragment } : { manifest: id, canvas: '', fragment: '' };
}

/** The value that a content state stands for: an address, or JSON; undefined for anything else. */
function valueOfContent(content: string): unknown {
  const text = content.trim();
  if (/^https?:\/\//i.test(text)) return text;
  const plain = /^[{["]/.test(text) ? text : decodeContent(text)?.trim();
  if (plain === undefined) return undefined;
  return /^https?:\/\//i.test(plain) ? plain : parseJson(plain);
}

/** Reads a content state in any of its forms: the address of a manifest, JSON, or either encoded. Undefined for anything else. */
export const parseContentState = (content: string): ContentState | undefined => read(valueOfContent(content), 0);

/** The most pages that are opened beside each other. */
const maxTargets = 4;

/** All that a content state points to: several targets are to be compared (section 5.3). Empty for anything else. */
export function parseContentStates(content: string): readonly ContentState[] {
  const value = valueOfContent(content);
  const several = listOf(value).flatMap((one) => {
    const targets = memberOf(one, 'target');
    return isObject(one) && Array.isArray(targets) ? targets.map((target: unknown) => ({ ...one, target })) : [one];
  });
  return several.slice(0, maxTargets).flatMap((one) => read(one, 0) ?? []);
}

const pixels = (region: Rect, { width, height }: Size): string =>
  [region.x * width, region.y * height, region.width * width, region.height * height].map(Math.round).join(',');

interface PointedTo {
  readonly manifest: string;
  readonly canvas: string;
  /** Fractions of the canvas; absent for all of it. */
  readonly region?: Rect | undefined;
  /** In units of the canvas. */
  readonly size: Size;
}

/** A content state in its short form (section 2.2): the canvas, or the part of it, within its manifest; as JSON. */
export function formatContentState({ manifest, canvas, region, size }: PointedTo): string {
  const fragment = region === undefined ? '' : `#xywh=${pixels(region, size)}`;
  return JSON.stringify({
    '@context': 'http://iiif.io/api/presentation/3/context.json',
    id: `${canvas}${fragment}`,
    type: 'Canvas',
    partOf: [{ id: manifest, type: 'Manifest' }],
  });
}

/** The same for a time on a canvas, in seconds. */
export const timedContentState = (manifest: string, canvas: string, time: number | undefined): string =>
  JSON.stringify({
    '@context': 'http://iiif.io/api/presentation/3/context.json',
    id: time === undefined ? canvas : `${canvas}#t=${formatSeconds(time)}`,
    type: 'Canvas',
    partOf: [{ id: manifest, type: 'Manifest' }],
  });

/** A viewer of another site: its name, and the template of its addresses. */
export interface ViewerTemplate {
  readonly name: string;
  readonly address: string;
}

/** What a link can say; all addresses are absolute. */
interface ViewerTarget {
  /** The manifest, version 3, and the same beginning at the canvas. */
  readonly manifest: string;
  readonly start: string;
  /** The canvas of the page; '' for a whole folder. */
  readonly canvas: string;
  /** The position of the page's canvas in the manifest, from 0. */
  readonly index: number;
}

/** The content state of a page, or of a whole manifest (IIIF Content State 1.0, section 2). */
export function contentStateOf({ manifest, canvas }: Pick<ViewerTarget, 'manifest' | 'canvas'>): string {
  const whole = { id: manifest, type: 'Manifest' };
  return encodeContent(
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
