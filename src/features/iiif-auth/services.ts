/** The services of Authorization Flow 2.0 and of Authentication 1.0, as info.json and manifests declare them. */
import type { AccessServices } from '../../core/ports.ts';
import { type AuthWord, type NamedLibrary, wordIn, wordMap } from './auth-words.ts';

/** The addresses, below the context path. */
export const authPaths = {
  login: '/iiif-auth/login',
  kiosk: '/iiif-auth/kiosk',
  token2: '/iiif-auth/token/2',
  token1: '/iiif-auth/token/1',
  logout: '/iiif-auth/logout',
  probe: '/iiif-auth/probe',
} as const;

export const context2 = 'http://iiif.io/api/auth/2/context.json';
const base1 = 'http://iiif.io/api/auth/1';

interface ServiceParts {
  /** Origin and context path. */
  readonly base: string;
  readonly library: NamedLibrary;
  readonly hasKiosk: boolean;
}

/** The access services (Authorization Flow 2.0, section 3), in the order in which clients try them. */
function accessServices2({ base, library, hasKiosk }: ServiceParts): {
  readonly whole: object[];
  readonly named: object[];
} {
  const word = (key: AuthWord): object => wordMap(key, library);
  const token = {
    id: base + authPaths.token2,
    type: 'AuthAccessTokenService2',
    errorHeading: word('denied'),
    errorNote: word('denied-note'),
  };
  const logout = { id: base + authPaths.logout, type: 'AuthLogoutService2', label: word('logout') };
  const type = 'AuthAccessService2';
  const external = { type, profile: 'external', label: word('known'), service: [token] };
  const kiosk = { id: base + authPaths.kiosk, type, profile: 'kiosk', label: word('known'), service: [token] };
  const active = {
    id: base + authPaths.login,
    type,
    profile: 'active',
    label: word('label'),
    heading: word('heading'),
    note: word('note'),
    confirmLabel: word('confirm'),
    service: [token, logout],
  };
  const named = [...(hasKiosk ? [kiosk] : []), active];
  return { whole: [external, ...named], named };
}

/**
 * The services of Authentication 1.0 (section 2), whose texts have one language. `external` is not among them: Universal Viewer
 * gives up where it fails.
 */
function services1({ base, library, hasKiosk }: ServiceParts, isTyped: boolean): readonly object[] {
  const word = (key: AuthWord): string => wordIn('en', key, library);
  const typed = (type: string): object => (isTyped ? { '@type': type } : {});
  const token = { '@id': base + authPaths.token1, ...typed('AuthTokenService1'), profile: `${base1}/token` };
  const logout = {
    '@id': base + authPaths.logout,
    ...typed('AuthLogoutService1'),
    profile: `${base1}/logout`,
    label: word('logout'),
  };
  const cookie = (path: string, profile: string): object => ({
    '@context': `${base1}/context.json`,
    '@id': base + path,
    ...typed('AuthCookieService1'),
    profile: `${base1}/${profile}`,
    failureHeader: word('denied'),
    failureDescription: word('denied-note'),
  });
  const login = {
    ...cookie(authPaths.login, 'login'),
    label: word('label'),
    header: word('heading'),
    description: word('note'),
    confirmLabel: word('confirm'),
    service: [token, logout],
  };
  const kiosk = { ...cookie(authPaths.kiosk, 'kiosk'), label: word('known'), service: [token] };
  return [...(hasKiosk ? [kiosk] : []), login];
}

const referenceTo = (service: object): object => {
  const { id, type } = service as { readonly id: string; readonly type: string };
  return { id, type };
};

export function createServices(parts: ServiceParts): AccessServices {
  const { base, library } = parts;
  const { whole, named } = accessServices2(parts);
  return {
    base,
    context: context2,
    probe: (address, form = 'whole') => ({
      id: base + authPaths.probe + address.slice(base.length),
      type: 'AuthProbeService2',
      // Mirador 4 reads the profile of every service.
      profile: 'probe',
      ...(form === 'whole' && {
        errorHeading: wordMap('denied', library),
        errorNote: wordMap('denied-note', library),
      }),
      service: form === 'whole' ? whole : named.map(referenceTo),
    }),
    shared: named,
    logins: services1(parts, false),
    typedLogins: services1(parts, true),
  };
}
