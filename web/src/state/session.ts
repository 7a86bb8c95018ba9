/** Who is signed in, in all tabs of the browser, and how a reader signs in and out. */
import { signal } from '@preact/signals';
import { addressOf, fetchJson } from '../data/fetch.ts';
import { baseAddress, pageSettings } from '../data/page-settings.ts';

interface Session {
  /** Null where nobody is signed in. */
  readonly name: string | null;
  readonly roles: readonly string[];
}

/** Undefined until the server has said it, and where nobody can sign in. */
export const session = signal<Session | undefined>(undefined);

/** A tab tells the others who is signed in: what they show was for somebody else, perhaps, and must not stay on the screen. */
function followOtherTabs(): BroadcastChannel {
  const channel = new BroadcastChannel(`lectern-session ${baseAddress()}`);
  channel.addEventListener('message', ({ data }: MessageEvent<string | null>) => {
    if (session.value !== undefined && session.value.name !== data) location.reload();
  });
  return channel;
}

let tabs: BroadcastChannel | undefined;

export async function loadSession(): Promise<void> {
  if (!pageSettings.signsIn) return;
  tabs ??= followOtherTabs();
  const answer = await fetchJson<Session>('api/session.json');
  if (!answer.ok) return;
  session.value = answer.value;
  tabs.postMessage(answer.value.name);
}

/** Leads back to the present view, whose address is always in the bar of the browser. */
export const signInAddress = (): string =>
  new URL(addressOf('sign-in', { to: location.href.slice(baseAddress().length) }), document.baseURI).href;

/** Signs out here, and goes on to the provider, which asks whether the reader signs out there too. */
export async function signOut(): Promise<void> {
  try {
    const answer = await fetch(new URL('sign-out', document.baseURI), { method: 'POST' });
    const { address } = (await answer.json()) as { readonly address: string };
    // Another tab says the same once it has loaded again, which must not keep this one from the provider.
    session.value = { name: null, roles: [] };
    tabs?.postMessage(null);
    location.assign(address);
  } catch {
    location.reload();
  }
}
