/** Which annotations are georeferences, as far as it is seen before they are loaded. */
import { isObject, listOf, memberOf, textOf } from '../json-value.ts';

export const isGeoreference = (annotation: unknown): boolean =>
  listOf(memberOf(annotation, 'motivation')).some((one) => textOf(one).replace(/^\w+:/, '') === 'georeferencing');

/** Whether a page of annotations, which a manifest contains or names by its address, has a georeference: of an address, by its words. */
export const mayBeGeoreference = (source: unknown): boolean =>
  isObject(source)
    ? listOf(source['items']).some(isGeoreference)
    : /georef|annotations\.allmaps\.org/i.test(textOf(source));
