/** The info object of `dlInfo-json.jsp` (info-endpoint.md, section 2.1). */
import { dpiOf, highest, type ImageSet } from '../image/image-set.ts';
import { defaultValues, formatValue, type ParameterName, type ParameterValues, parameterNames } from './parameters.ts';
import type { XmlElement } from './xml.ts';

/** What the object says of the request itself. */
export interface InfoContext {
  readonly method: string;
  /** The full address that was requested, byte for byte. */
  readonly address: string;
  /** Hexadecimal, different for each request. */
  readonly id: string;
}

/** The five facts of an image, in place of what the client sent under their names. */
function factsOf(image: ImageSet): Partial<ParameterValues> {
  const { width, height } = highest(image);
  const dpi = dpiOf(image);
  return {
    'img.fn': image.name,
    'img.dpix': Math.round(dpi?.x ?? 0),
    'img.dpiy': Math.round(dpi?.y ?? 0),
    'img.pix_x': width,
    'img.pix_y': height,
  };
}

const printedDefaults = Object.fromEntries(
  parameterNames.map((name) => [name, formatValue(name, defaultValues[name])]),
) as Record<ParameterName, string>;

/** The 31 members, all strings, sorted by name. `image` is the one that the caller may see, if any. */
export function infoObject(
  values: ParameterValues,
  { method, address, id }: InfoContext,
  image: ImageSet | undefined,
): Readonly<Record<ParameterName, string>> {
  const members = { ...printedDefaults };
  const changed: Partial<ParameterValues> = image === undefined ? values : { ...values, ...factsOf(image) };
  if (changed !== defaultValues) {
    // The own members are those that the query or the image says; the defaults stand behind them.
    for (const name of Object.keys(changed) as ParameterName[]) {
      members[name] = formatValue(name, changed[name] ?? defaultValues[name]);
    }
  }
  members['base.url'] = address;
  members['servlet.request'] = `Request(${method} ${address})@${id}`;
  return members;
}

const membersText = (names: readonly ParameterName[]): string =>
  names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(printedDefaults[name])}`).join(',');

const requestAt = parameterNames.indexOf('servlet.request');
const between = membersText(parameterNames.slice(1, requestAt));
const behind = membersText(parameterNames.slice(requestAt + 1));

/** The object as JSON. Where all members but the request's own have their defaults, their text is ready. */
export function infoText(values: ParameterValues, context: InfoContext, image: ImageSet | undefined): string {
  if (values !== defaultValues || image !== undefined) return JSON.stringify(infoObject(values, context, image));
  const { method, address, id } = context;
  const request = JSON.stringify(`Request(${method} ${address})@${id}`);
  return `{"base.url":${JSON.stringify(address)},${between},"servlet.request":${request},${behind}}`;
}

/** The same members as the element of dlInfo-xml.jsp (digilib.md, section 4). */
export function infoXml(values: ParameterValues, context: InfoContext, image: ImageSet | undefined): XmlElement {
  const parameters = Object.entries(infoObject(values, context, image));
  return {
    name: 'document-parameters',
    content: parameters.map(([name, value]) => ({ name: 'parameter', attributes: { name, value } })),
  };
}
