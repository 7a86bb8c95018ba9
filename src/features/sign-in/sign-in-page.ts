/** The page on which people sign in with a password, or go on to the provider. */
import { type Page, page } from '../../core/http/html.ts';
import type { PageLanguage } from '../../core/http/words.ts';
import { escapeHtml } from '../../core/parsing/markup.ts';
import { userFaults } from './users.ts';

interface SignInPage {
  /** Where the reader goes then, relative to the base. */
  readonly to: string;
  /** Why the last try failed. */
  readonly fault: string | undefined;
  readonly hasProvider: boolean;
  readonly providerLabel: string | undefined;
  readonly language: PageLanguage;
}

const words = {
  title: { en: 'Sign in', de: 'Anmelden', fr: 'Se connecter' },
  name: { en: 'Name', de: 'Name', fr: 'Nom' },
  password: { en: 'Password', de: 'Passwort', fr: 'Mot de passe' },
  provider: { en: 'Sign in with {label}', de: 'Anmelden mit {label}', fr: 'Se connecter avec {label}' },
  organization: { en: 'your organization', de: 'Ihrer Einrichtung', fr: 'votre établissement' },
  or: { en: 'or', de: 'oder', fr: 'ou' },
} as const satisfies Readonly<Record<string, Readonly<Record<PageLanguage, string>>>>;

const faultsIn: Readonly<Record<string, Readonly<Record<PageLanguage, string>>>> = {
  [userFaults.wrong]: {
    en: userFaults.wrong,
    de: 'Der Name oder das Passwort ist falsch.',
    fr: 'Le nom ou le mot de passe est incorrect.',
  },
  [userFaults.often]: {
    en: userFaults.often,
    de: 'Es gab zu viele falsche Passwörter; versuchen Sie es in einer Minute wieder.',
    fr: 'Trop de mots de passe incorrects ; réessayez dans une minute.',
  },
};

const style = `
main { max-width: 26rem; padding-top: 14vh; }
form, .provider { display: grid; gap: .4rem; margin-top: 1.6rem; }
label { color: var(--soft); font-size: .95rem; margin-top: .6rem; }
input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: .5rem; padding: .6rem .7rem; width: 100%; }
button, a.button { font: inherit; font-weight: 600; margin-top: 1.1rem; padding: .7rem 1rem; border-radius: .5rem; border: 1px solid var(--accent); text-align: center; text-decoration: none; cursor: pointer; }
button { background: var(--accent); color: var(--paper); }
a.button { color: var(--accent); background: none; }
.or { color: var(--soft); text-align: center; margin: 1.2rem 0 0; }
.fault { color: var(--accent); font-weight: 600; margin: 1rem 0 0; }
`;

export function signInPage({ to, fault, hasProvider, providerLabel, language }: SignInPage): Page {
  const word = (key: keyof typeof words): string => escapeHtml(words[key][language]);
  const label = escapeHtml(providerLabel ?? words.organization[language]);
  const address = `?with=provider&to=${encodeURIComponent(to)}`;
  const provider = `<p class="provider"><a class="button" href="${escapeHtml(address)}">${word('provider').replace('{label}', label)}</a></p>
<p class="or">${word('or')}</p>`;
  const notice = `<p class="fault" role="alert">${escapeHtml(faultsIn[fault ?? '']?.[language] ?? fault ?? '')}</p>`;
  const body = `<h1>${word('title')}</h1>
${hasProvider ? provider : ''}${fault === undefined ? '' : notice}
<form method="post">
<input type="hidden" name="to" value="${escapeHtml(to)}">
<label for="name">${word('name')}</label>
<input id="name" name="name" autocomplete="username" autocapitalize="none" required autofocus>
<label for="password">${word('password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>${word('title')}</button>
</form>`;
  return page({ title: `${words.title[language]} – Lectern`, body, style, language, hasForm: true });
}
