/** Whether an address may be requested: the sources of the Content-Security-Policy (CSP 3, section 6.7.2.8), so that the page can say why not. */

/** Protocols that a source with the protocol of its left also allows. */
const upgrades: Readonly<Record<string, readonly string[]>> = { 'http:': ['http:', 'https:'], 'https:': ['https:'] };

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const source = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[a-z0-9_.-]+)(?::(\d+|\*))?\/?$/i;

const allowsHost = (wanted: string, host: string): boolean =>
  wanted === '*' || (wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted);

function allowsPort(wanted: string | undefined, { port, protocol }: URL): boolean {
  if (wanted === '*') return true;
  const own = port || defaultPorts[protocol];
  return own === (wanted ?? defaultPorts[protocol]) || (wanted === '80' && own === '443');
}

function allows(text: string, url: URL, pageProtocol: string): boolean {
  if (text === '*') return url.protocol === 'http:' || url.protocol === 'https:';
  if (/^https?:$/i.test(text)) return (upgrades[text.toLowerCase()] ?? []).includes(url.protocol);
  const [, protocol = pageProtocol, host = '', port] = source.exec(text.toLowerCase()) ?? [];
  const protocols = upgrades[protocol] ?? [];
  return protocols.includes(url.protocol) && allowsHost(host, url.hostname) && allowsPort(port, url);
}

/** Whether one of the sources allows an address, or it is on the host of the page itself; `page` is the address of the page. */
export function isAllowed(address: string, sources: readonly string[], page: string): boolean {
  const [url, own] = [address, page].map((text) => (URL.canParse(text) ? new URL(text) : undefined));
  if (url === undefined || own === undefined) return false;
  return url.origin === own.origin || sources.some((one) => allows(one, url, own.protocol));
}
