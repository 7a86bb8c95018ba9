/** Text as forms encode it (application/x-www-form-urlencoded). */

/** Decodes percent-encoding as UTF-8 and `+` as a space; what is malformed becomes U+FFFD or stays as it is. */
export function decodeFormText(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  return spaced.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}
