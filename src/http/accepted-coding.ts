/** In which of the codings that there are an answer is written, by what the client accepts (RFC 9110, section 12.5.3). */

function weightsOf(header: string): ReadonlyMap<string, number> {
  const parts = header.split(',').map((part): readonly [string, number] => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return [name, weight === undefined ? 1 : Number(weight) || 0];
  });
  return new Map(parts);
}

/** The first of the codings that is accepted; `identity` where none is, which a client can hardly mean. */
export function acceptedCoding<Name extends string>(
  codings: readonly Name[],
  header: string | undefined,
): Name | 'identity' {
  if (header === undefined) return 'identity';
  const weights = weightsOf(header);
  const accepts = (coding: string): boolean =>
    (weights.get(coding) ?? (coding === 'identity' ? 1 : (weights.get('*') ?? 0))) > 0;
  return codings.find(accepts) ?? 'identity';
}
