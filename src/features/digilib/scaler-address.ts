/** The addresses of digilib's Scaler become queries for images (digilib.md, section 5). */

import type { ErrorForm } from '../../core/http/error-responses.ts';
import {
  type IiifPathOf,
  type ImageMount,
  type ImageQuery,
  type InfoForm,
  wantsExplanation,
} from '../../core/http/image-queries.ts';
import { pathBehind, segmentsOf, type Target } from '../../core/http/target.ts';
import { formatIdentifierSegment } from '../../core/image/addresses/iiif-addresses.ts';
import { servletPaths } from '../../core/image/addresses/servlets.ts';
import { badRequest, ImageError } from '../../core/image/model/errors.ts';
import { formatIdentifier } from '../../core/image/model/identifier.ts';
import type { Kernel } from '../../core/image/model/image-request.ts';
import { percentDecoded } from '../../core/parsing/parse.ts';
import { parseQuery } from './parameters.ts';
import { errorFormOf, toImageRequest } from './scaler-request.ts';

/** The settings by which the Scaler's addresses are read. */
export interface ScalerRules {
  /** The path below which everything is served; empty for the root. */
  readonly contextPath: string;
  /** How pixels are computed for requests that name no quality. */
  readonly defaultKernel: Kernel;
  /** The form of errors where the request names none. */
  readonly defaultErrorForm: ErrorForm;
  /** Whether `explain=1` in the query is answered with how the picture is made. */
  readonly explain: boolean;
  /** The name after `Scaler` that leads to IIIF, and what replaces the slash in its identifiers. */
  readonly iiifPrefix: string;
  readonly iiifSlash: string;
  /** How `mo=info` describes an image; undefined where IIIF is not served. */
  readonly infoForm: InfoForm | undefined;
}

/** The path after the Scaler's name, decoded, with the slash before it. */
function scalerPath(path: string, prefixSegments: number): string {
  if (segmentsOf(path) <= prefixSegments) return '';
  const decoded = percentDecoded(pathBehind(path, prefixSegments));
  if (decoded !== undefined) return `/${decoded}`;
  throw new ImageError('not-found', 'There is no image of this name: the address is not UTF-8.');
}

function parseScalerAddress({ path, query }: Target, prefixSegments: number, rules: ScalerRules): ImageQuery {
  let errorForm = rules.defaultErrorForm;
  try {
    const values = parseQuery(query);
    errorForm = errorFormOf(values, errorForm);
    const identifiers = [scalerPath(path, prefixSegments) + values.fn];
    const name = { identifiers, page: values.pn, errorForm };
    const iiifPathOf: IiifPathOf = ({ identifier }) =>
      `${rules.contextPath}/Scaler/${rules.iiifPrefix}/${formatIdentifierSegment(formatIdentifier(identifier), rules.iiifSlash)}`;
    if (values.mo.has('info') || values.mo.has('redirect_info')) {
      const { infoForm } = rules;
      if (infoForm === undefined) throw badRequest('This server does not serve info.json.');
      return values.mo.has('info')
        ? { ...name, kind: 'info', form: infoForm, iiifPathOf }
        : { ...name, kind: 'redirect-to-info', iiifPathOf };
    }
    const request = toImageRequest(values, rules.defaultKernel);
    return { ...name, kind: 'picture', request, explain: rules.explain && wantsExplanation(query) };
  } catch (error) {
    return { kind: 'invalid', identifiers: [], page: 1, errorForm, error };
  }
}

export const scalerMounts = (rules: ScalerRules): readonly ImageMount[] =>
  servletPaths('Scaler').map((prefix) => ({
    prefix,
    isAddress: true,
    parse: (target, prefixSegments) => parseScalerAddress(target, prefixSegments, rules),
  }));
