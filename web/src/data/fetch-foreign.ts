/** Requests to other hosts: allowed by the settings, without cookies and referrer, and of a bounded size. */
import { isAllowed } from '../model/allowed-hosts.ts';
import { parseJson } from '../model/json-value.ts';
import { type Answer, type Problem, problemOf } from './fetch.ts';
import { pageSettings } from './page-settings.ts';

/** In bytes. The largest manifests of libraries have some 20 MB. */
const maxBytes = 40_000_000;

/** Time for one document, in ms. */
const deadlineMs = 60_000;

/** Many old manifests name addresses without TLS, which a page with TLS can't load; nearly all such hosts have it. */
export const reachable = (address: string): string =>
  location.protocol === 'https:' ? address.replace(/^http:/i, 'https:') : address;

export const isAllowedHere = (address: string): boolean =>
  isAllowed(reachable(address), pageSettings.manifests, location.href);

/** The text of an answer; undefined where it is too long. */
async function readText(answer: Response): Promise<string | undefined> {
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const part = await reader?.read();
    if (part?.value === undefined) return text + decoder.decode();
    bytes += part.value.length;
    if (bytes > maxBytes) {
      await reader?.cancel();
      return undefined;
    }
    text += decoder.decode(part.value, { stream: true });
  }
}

const options = (signal: AbortSignal): RequestInit => ({ credentials: 'omit', referrerPolicy: 'no-referrer', signal });

/** Whether a host answers at all: a request of this kind is answered also where the host shares nothing, but can't be read. */
async function answersBlindly(address: string, signal: AbortSignal): Promise<boolean> {
  try {
    await fetch(address, { ...options(signal), mode: 'no-cors' });
    return true;
  } catch {
    return false;
  }
}

const fault = (problem: Problem): { readonly ok: false; readonly problem: Problem } => ({ ok: false, problem });

/** The parsed JSON of an address on another host, or on this one. */
export async function fetchForeignJson(address: string, wanted?: AbortSignal): Promise<Answer<unknown>> {
  if (!isAllowedHere(address)) return fault('refused-host');
  const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(wanted ? [wanted] : [])]);
  const url = reachable(address);
  try {
    const answer = await fetch(url, options(signal));
    if (!answer.ok) return fault(problemOf(answer.status));
    const text = await readText(answer);
    return text === undefined ? fault('too-large') : { ok: true, value: parseJson(text) };
  } catch {
    if (wanted?.aborted) return fault('aborted');
    return fault((await answersBlindly(url, signal)) ? 'unshared' : 'unreachable');
  }
}
