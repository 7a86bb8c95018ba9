/** Reads digilib's parameters of authorization; where one is wrong, the server does not start (digilib.md, section 7). */
import { type ProtectionRules, type RoleSource, readDigilibAuth } from './auth-file.ts';
import { configFileOf } from './locations.ts';
import { type DigilibContext, flagOf, labelOf, type Piece, textOf, unusedOf } from './values.ts';

/** The class that also takes the roles of logins of the servlet container. */
const servletClass = 'digilib.auth.IpServletAuthnOps';

/** What gives callers roles, by the class of authentication. */
const authentications: Readonly<Record<string, readonly RoleSource[]>> = {
  'digilib.auth.IpAuthnOps': ['addresses'],
  'digilib.auth.OpenIdAuthnOps': ['tokens'],
  'digilib.auth.IpOpenIdAuthnOps': ['addresses', 'tokens'],
  [servletClass]: ['addresses'],
};

const authorizations: Readonly<Record<string, ProtectionRules>> = {
  'digilib.auth.PathAuthzOps': 'paths',
  'digilib.auth.MetaAccessAuthzOps': 'types',
};

/** The class for both that digilib had until 2.3, and the two that replaced it. */
const olderClasses: Readonly<Record<string, readonly [authn: string, authz: string]>> = {
  'digilib.auth.PathServletAuthOps': [servletClass, 'digilib.auth.PathAuthzOps'],
  'digilib.auth.MetaAccessServletAuthOps': [servletClass, 'digilib.auth.MetaAccessAuthzOps'],
};

const oneOf = (table: Readonly<Record<string, unknown>>): string => Object.keys(table).join(', ');

const details = ['auth-file', 'authn-token-cookie', 'authnops-class', 'authzops-class', 'authops-class'];

interface Classes {
  readonly authn: string;
  readonly authz: string;
  readonly unused: readonly string[];
  readonly problems: readonly string[];
}

/** The names of the classes, by the newer parameters or, without any of these, by the older one. */
function classesOf(context: DigilibContext): Classes {
  const defaults = { authn: 'digilib.auth.IpAuthnOps', authz: 'digilib.auth.PathAuthzOps' };
  const older = textOf(context, 'authops-class');
  const authn = textOf(context, 'authnops-class');
  const authz = textOf(context, 'authzops-class');
  if (older === undefined || authn !== undefined || authz !== undefined) {
    const unused = unusedOf(context, ['authops-class'], 'authnops-class and authzops-class took its place');
    return { authn: authn ?? defaults.authn, authz: authz ?? defaults.authz, unused, problems: [] };
  }
  const pair = olderClasses[older];
  if (pair !== undefined) return { authn: pair[0], authz: pair[1], unused: [], problems: [] };
  return {
    ...defaults,
    unused: [],
    problems: [`${labelOf(context, 'authops-class')}: must be one of ${oneOf(olderClasses)}`],
  };
}

/** The settings of access; none where authorization is off. */
export function readAccess(context: DigilibContext): Piece {
  const isOn = flagOf(context, 'use-authorization');
  if (isOn === undefined) {
    return { problems: [`${labelOf(context, 'use-authorization')}: must be true or false`] };
  }
  if (!isOn) return { unused: unusedOf(context, details, 'it has no effect unless use-authorization is true') };
  const { authn, authz, unused, problems } = classesOf(context);
  const sources = authentications[authn];
  const rules = authorizations[authz];
  const unknown = [
    ...problems,
    ...(sources ? [] : [`${labelOf(context, 'authnops-class')}: must be one of ${oneOf(authentications)}`]),
    ...(rules ? [] : [`${labelOf(context, 'authzops-class')}: must be one of ${oneOf(authorizations)}`]),
  ];
  if (sources === undefined || rules === undefined) return { problems: unknown };
  const file = configFileOf(context.locations, textOf(context, 'auth-file') ?? 'digilib-auth.xml');
  const { access, problems: faults } = readDigilibAuth(file, sources, rules);
  const readsTokens = sources.includes('tokens');
  const cookie = readsTokens ? textOf(context, 'authn-token-cookie') : undefined;
  return {
    values: { access: { ...access, ...(cookie === undefined ? {} : { tokenCookie: cookie }) } },
    unused: [
      ...unused,
      ...(authn === servletClass
        ? [
            'authnops-class: the users of the servlet container are named by signIn.usersFile; a proxy may name roles by access.rolesHeader',
          ]
        : []),
      ...(readsTokens
        ? []
        : unusedOf(context, ['authn-token-cookie'], 'the configured authnops-class reads no tokens')),
    ],
    problems: [...unknown, ...faults.map((fault) => `${labelOf(context, 'auth-file')}: ${fault}`)],
  };
}
