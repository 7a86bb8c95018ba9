/** The info object of `dlInfo-json.jsp` (info-endpoint.md, section 2.1). */
import { dpiOf, highest, type ImageSet } from '../../core/image/model/image-set.ts';
import type { WrittenElement } from '../../core/parsing/markup.ts';
import { defaultValues, formatValue, type ParameterName, type ParameterValues, parameterNames } from './parameters.ts';

/** The members that depend on the request itself. */
export interface InfoContext {
  readonly method: string;
  /** The full address that was requested, byte for byte. */
  readonly address: string;
  /** Hexadecimal, different for each request. */
  readonly id: string;
}

/** The five facts of an image, which replace values that the client sent under their names. */
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

/** All members except those that depend on the request itself. */
function printed(values: ParameterValues, image: ImageSet | undefined): Record<ParameterName, string> {
  const members = { ...printedDefaults };
  const changed: Partial<ParameterValues> = image === undefined ? values : { ...values, ...factsOf(image) };
  if (changed === defaultValues) return members;
  // Own properties come from the query or the image; the defaults are inherited.
  for (const name of Object.keys(changed) as ParameterName[]) {
    members[name] = formatValue(name, changed[name] ?? defaultValues[name]);
  }
  return members;
}

/** The 31 members, all strings, sorted by name. `image` is the one that the caller may see, if any. */
export function infoObject(
  values: ParameterValues,
  { method, address, id }: InfoContext,
  image: ImageSet | undefined,
): Readonly<Record<ParameterName, string>> {
  const request = `Request(${method} ${address})@${id}`;
  return { ...printed(values, image), 'base.url': address, 'servlet.request': request };
}

const membersText = (names: readonly ParameterName[], members: Readonly<Record<ParameterName, string>>): string =>
  names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(members[name])}`).join(',');

const requestAt = parameterNames.indexOf('servlet.request');
const namesBetween = parameterNames.slice(1, requestAt);
const namesAfter = parameterNames.slice(requestAt + 1);

/** Completes the JSON of the object with the members that depend on the request. */
export type InfoText = (context: InfoContext) => string;

function textOf(members: Readonly<Record<ParameterName, string>>): InfoText {
  const [between, after] = [membersText(namesBetween, members), membersText(namesAfter, members)];
  return ({ method, address, id }) => {
    const request = JSON.stringify(`Request(${method} ${address})@${id}`);
    return `{"base.url":${JSON.stringify(address)},${between},"servlet.request":${request},${after}}`;
  };
}

const defaultText = textOf(printedDefaults);

/** The object as JSON for requests with these values. `image` is the one that the caller may see, if any. */
export const infoText = (values: ParameterValues, image: ImageSet | undefined): InfoText =>
  values === defaultValues && image === undefined ? defaultText : textOf(printed(values, image));

/** The same members as the element of dlInfo-xml.jsp (digilib.md, section 4). */
export function infoXml(values: ParameterValues, context: InfoContext, image: ImageSet | undefined): WrittenElement {
  const parameters = Object.entries(infoObject(values, context, image));
  return {
    name: 'document-parameters',
    content: parameters.map(([name, value]) => ({ name: 'parameter', attributes: { name, value } })),
  };
}
