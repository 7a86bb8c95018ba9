/** The pages of windows and frames that viewers open: they close themselves, send a message, or ask their reader. */
import { type Page, page } from '../../core/http/html.ts';
import type { PageLanguage } from '../../core/http/words.ts';
import { escapeHtml } from '../../core/parsing/markup.ts';
import { type AuthWord, type NamedLibrary, wordIn } from './auth-words.ts';

interface Read {
  readonly language: PageLanguage;
  readonly library: NamedLibrary;
}

const style = `
main { max-width: 34rem; padding-top: 12vh; }
h1 { font-size: 1.9rem; overflow-wrap: anywhere; }
button { font: inherit; font-weight: 600; margin-top: 1.4rem; padding: .7rem 1.4rem; border-radius: .4rem; border: 1px solid var(--accent); background: var(--accent); color: var(--paper); cursor: pointer; }
`;

const titleOf = (heading: string): string => `${heading} – Lectern`;

const textPage = (
  language: PageLanguage,
  heading: string,
  texts: readonly string[],
  more: Partial<Parameters<typeof page>[0]>,
  controls = '',
): Page =>
  page({
    title: titleOf(heading),
    body: `<h1>${escapeHtml(heading)}</h1>\n${texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}\n${controls}`,
    style,
    language,
    ...more,
  });

/** A window that a script has not opened stays, and says so. */
export const closingPage = ({ language, library }: Read, heading: AuthWord): Page =>
  textPage(language, wordIn(language, heading, library), [wordIn(language, 'close-note', library)], {
    script: 'window.close();',
  });

/**
 * Asks the reader, with a click, whether pages of an origin may read what it may see. The button has no focus: a page that has
 * its reader hold a key, and opens this window meanwhile, would press it.
 */
export const askingPage = ({ language, library }: Read, site: string, person: string): Page =>
  textPage(
    language,
    wordIn(language, 'ask-title', library, { site }),
    [wordIn(language, 'ask-note', library, { site, person })],
    { hasForm: true },
    `<form method="post"><button>${escapeHtml(wordIn(language, 'allow', library))}</button></form>`,
  );

/**
 * Where a browser keeps cookies from frames, it may give them when it is asked (Storage Access API), and what the server says then
 * is sent.
 */
const tokenScript = `
(async () => {
  const { message, origin, asksForCookies } = JSON.parse(document.body.dataset.facts);
  let sent = message;
  if (asksForCookies && document.requestStorageAccess) {
    try {
      await document.requestStorageAccess();
      const answer = await fetch(location.href, { credentials: 'include', headers: { accept: 'application/json' } });
      if (answer.ok) sent = (await answer.json()).message;
    } catch {}
  }
  parent.postMessage(sent, origin);
})();
`;

export interface TokenFacts {
  readonly message: object;
  /** To whose page alone the message goes. */
  readonly origin: string;
  readonly asksForCookies: boolean;
}

export const tokenPage = (facts: TokenFacts): Page =>
  page({ title: 'Lectern', body: '', style: '', script: tokenScript, isEmbeddable: true, facts });

const logoutScript = `
const { address, home, isAsked } = JSON.parse(document.body.dataset.facts);
const button = document.querySelector('button');
const out = async () => {
  button.disabled = true;
  const answer = await fetch(address, { method: 'POST' });
  if (!answer.ok) return void (button.disabled = false);
  const next = (await answer.json()).address;
  if (next !== home) return void location.replace(next);
  document.querySelector('h1').textContent = button.dataset.done;
  document.querySelectorAll('p').forEach((one) => one.remove());
  button.remove();
  window.close();
};
button.addEventListener('click', out);
if (isAsked) out();
`;

export interface LogoutFacts {
  /** Where the session is ended by POST. */
  readonly address: string;
  readonly home: string;
  /** Whether the reader has asked for it by a click, so that it is done at once. */
  readonly isAsked: boolean;
}

export function logoutPage({ language, library }: Read, person: string | undefined, facts: LogoutFacts): Page {
  const done = wordIn(language, 'signed-out', library);
  if (person === undefined) return closingPage({ language, library }, 'signed-out');
  const label = wordIn(language, 'sign-out', library);
  const button = `<button data-done="${escapeHtml(done)}" autofocus>${escapeHtml(label)}</button>`;
  const text = wordIn(language, 'signed-in-as', library, { person });
  return textPage(language, label, [text], { script: logoutScript, facts }, button);
}
