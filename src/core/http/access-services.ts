/** How info.json says what a caller can do to see more: services of the IIIF Authorization Flow 2.0 and Authentication 1.0. */
import { probedPicture } from '../image/addresses/iiif-addresses.ts';
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import type { AccessServices } from '../ports.ts';
import type { InfoForm } from './image-queries.ts';

/** An info.json with its services. */
export type WithServices = (document: object, form: InfoForm, path: string) => object;

/** Whether everyone sees the image whole. */
export const isWholeForAll = ({ isOpen, terms }: Admitted<ImageSet>): boolean => isOpen && terms === undefined;

/** `isProbed`: whether the image at the address itself is closed to some. */
export const servicesIn =
  (services: AccessServices, contextPath: string, isProbed: boolean): WithServices =>
  (document, form, path) => {
    const address = services.base + path.slice(contextPath.length);
    const probe = (): object => services.probe(probedPicture(address, form.version));
    const { logins, typedLogins, context } = services;
    if (form.version === 1) return { ...document, service: logins[0] };
    if (form.version === 2)
      return { ...document, service: [...logins, ...(isProbed ? [{ '@context': context, ...probe() }] : [])] };
    if (!isProbed) return { ...document, service: typedLogins };
    // The context of the services comes before that of the document (Authorization Flow 2.0, section 2.1).
    return { ...document, '@context': [context, form.context], service: [probe(), ...typedLogins] };
  };
