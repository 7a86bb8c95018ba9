import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { afterAll, describe, expect, it, test } from 'vitest';
import { type Configuration, readConfiguration } from '../../../../src/app/settings/configuration.ts';
import { readDigilibConfig } from '../../../../src/config/digilib-config/read.ts';
import { makeSite } from '../../../digilib-site.ts';

const site = makeSite();
afterAll(() => site.remove());

/** The configuration of a site with authorization on, this auth file and these classes. */
function read(auth: string | undefined, parameters: Readonly<Record<string, string>> = {}): Configuration {
  const name = auth === undefined ? 'none.xml' : 'my-auth.xml';
  if (auth !== undefined) site.write(`WEB-INF/${name}`, auth);
  site.configure({
    'basedir-list': '../images/hires',
    'use-authorization': 'true',
    'auth-file': name,
    ...parameters,
  });
  return readConfiguration({ digilib: (own) => readDigilibConfig(site.configFile, own), environment: {}, flags: {} });
}

const publicKey = (pair: { readonly publicKey: { export(options: { format: 'jwk' }): JsonWebKey } }): JsonWebKey =>
  pair.publicKey.export({ format: 'jwk' });

const keys = {
  rsa: publicKey(generateKeyPairSync('rsa', { modulusLength: 2048 })),
  p256: publicKey(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  p384: publicKey(generateKeyPairSync('ec', { namedCurve: 'P-384' })),
  p521: publicKey(generateKeyPairSync('ec', { namedCurve: 'P-521' })),
  ed25519: publicKey(generateKeyPairSync('ed25519')),
};

const openId = (key: object, more = 'keytype="jwk"'): string =>
  `<openid issuer="https://id.example" clientid="me" roles="staff, guest" ${more}>
     ${JSON.stringify(key)}
   </openid>`;

const whole = `<?xml version="1.0" encoding="ISO-8859-1"?>
<auth-config>
  <digilib-paths>
    <path name="histast/eastwood-collection" role="eastwood-coll,staff" />
    <path name="closed" role="" />
  </digilib-paths>
  <digilib-addresses>
    <address ip="127" role="local" />
    <address ip="0:0:0:0:0:0:0:1" role="local" />
    <address ip="130.92.68" role="eastwood-coll,ptolemaios-geo" />
  </digilib-addresses>
  <digilib-oauth>${openId(keys.rsa)}</digilib-oauth>
  <digilib-access>
    <access type="group:mpiwg" role="mpiwg-user"/>
    <access type="private" role=""/>
    <access type="default" role=""/>
  </digilib-access>
</auth-config>`;

const addresses = [
  { address: '127', roles: ['local'] },
  { address: '0:0:0:0:0:0:0:1', roles: ['local'] },
  { address: '130.92.68', roles: ['eastwood-coll', 'ptolemaios-geo'] },
];
const paths = [
  { path: 'histast/eastwood-collection', roles: ['eastwood-coll', 'staff'] },
  { path: 'closed', roles: [] },
];
const types = [
  { type: 'group:mpiwg', roles: ['mpiwg-user'] },
  { type: 'private', roles: [] },
];
const tokens = [
  {
    issuer: 'https://id.example',
    audience: 'me',
    roles: ['staff', 'guest'],
    keys: [keys.rsa],
    algorithms: ['RS256'],
  },
];

describe('the classes say which parts of the file count', () => {
  test.each<[string | undefined, string | undefined, object]>([
    [undefined, undefined, { addresses, paths }],
    ['IpAuthnOps', 'PathAuthzOps', { addresses, paths }],
    ['IpAuthnOps', 'MetaAccessAuthzOps', { addresses, types }],
    ['OpenIdAuthnOps', 'PathAuthzOps', { tokens, paths }],
    ['IpOpenIdAuthnOps', 'MetaAccessAuthzOps', { addresses, tokens, types }],
    ['IpServletAuthnOps', 'PathAuthzOps', { addresses, paths }],
  ])('%s and %s', (authn, authz, expected) => {
    const { given } = read(whole, {
      ...(authn === undefined ? {} : { 'authnops-class': `digilib.auth.${authn}` }),
      ...(authz === undefined ? {} : { 'authzops-class': `digilib.auth.${authz}` }),
    });
    expect(given['access']).toEqual(expected);
  });

  it('one older class stands for two', () => {
    const { given } = read(whole, { 'authops-class': 'digilib.auth.MetaAccessServletAuthOps' });
    expect(given['access']).toEqual({ addresses, types });
  });
});

describe('the default access type', () => {
  test.each([
    ['', []],
    ['staff', [{ type: 'default', roles: ['staff'] }]],
  ])('with role="%s"', (role, expected) => {
    const { settings } = read(`<a><digilib-access><access type="Default" role="${role}"/></digilib-access></a>`, {
      'authzops-class': 'digilib.auth.MetaAccessAuthzOps',
    });
    expect(settings.access?.types).toEqual(expected);
  });
});

describe('the signature that a key is for', () => {
  test.each<[string, object, string]>([
    ['RSA', keys.rsa, 'RS256'],
    ['RSA that says it', { ...keys.rsa, alg: 'PS384' }, 'PS384'],
    ['P-256', keys.p256, 'ES256'],
    ['P-384', keys.p384, 'ES384'],
    ['P-521', keys.p521, 'ES512'],
    ['OKP', keys.ed25519, 'EdDSA'],
  ])('%s', (_, key, algorithm) => {
    const { settings } = read(`<a><digilib-oauth>${openId(key)}</digilib-oauth><digilib-paths/></a>`, {
      'authnops-class': 'digilib.auth.OpenIdAuthnOps',
    });
    expect(settings.access?.tokens[0]).toMatchObject({ keys: [key], algorithms: [algorithm] });
  });
});

describe('what can’t be understood stops the start', () => {
  const open = '<digilib-paths/>';
  test.each<[string | undefined, Readonly<Record<string, string>>, RegExp]>([
    [undefined, {}, /auth-file: there is no file .*none\.xml$/m],
    ['<auth-config><digilib-paths>', {}, /auth-file: my-auth\.xml: .*it is no well-formed XML/],
    [`<a><digilib-paths>\n<path name="x"/></digilib-paths></a>`, {}, /my-auth\.xml: line 2: <path> must have role="…"/],
    [
      '<a><digilib-paths><pth name="x" role="y"/></digilib-paths></a>',
      {},
      /no <pth> in <digilib-paths>; did you mean <path>\?/,
    ],
    ['<a><digilib-addresses/></a>', {}, /it must have <digilib-paths>.*everything would be open/],
    [
      whole,
      { 'authzops-class': 'digilib.auth.MyAuthzOps' },
      /line \d: authzops-class: must be one of digilib\.auth\.Path/,
    ],
    [whole, { 'authnops-class': 'IpAuthnOps' }, /authnops-class: must be one of digilib\.auth\.IpAuthnOps/],
    [whole, { 'authops-class': 'digilib.auth.XMLAuthOps' }, /authops-class: must be one of digilib\.auth\.PathServlet/],
    [
      `<a>${open}<digilib-addresses>\n<address ip="host" role="a"/></digilib-addresses></a>`,
      {},
      /line 2: <address>: address: .*must be an address/,
    ],
  ])('%j %j', (auth, parameters, message) => expect(() => read(auth, parameters)).toThrow(message));

  test.each<[string, RegExp]>([
    [openId(keys.rsa, ''), /<openid> must have keytype="…"/],
    [openId(keys.rsa, 'keytype="pem"'), /<openid> must have keytype="jwk"/],
    ['<openid issuer="a" clientid="b" roles="c" keytype="jwk">no key</openid>', /must hold a key as JSON/],
    [openId({ kty: 'oct', k: 'c2VjcmV0' }), /must be public/],
    [openId({ kty: 'EC', crv: 'P-1' }), /must be public/],
    [openId({ ...keys.rsa, alg: 'none' }), /<openid>: algorithms/],
  ])('%s', (element, message) =>
    expect(() =>
      read(`<a><digilib-oauth>${element}</digilib-oauth>${open}</a>`, {
        'authnops-class': 'digilib.auth.OpenIdAuthnOps',
      }),
    ).toThrow(message),
  );
});

it('with authorization off, nothing of the file counts, not even that it is there', () => {
  const { settings } = read(undefined, { 'use-authorization': 'false' });
  expect(settings.access).toBeUndefined();
});

it('a JSON file adds to what digilib’s files protect', () => {
  read(whole);
  const file = site.write('lectern.json', JSON.stringify({ access: { rolesHeader: 'X-Roles' } }));
  const { settings } = readConfiguration({
    digilib: (own) => readDigilibConfig(site.configFile, own),
    file,
    environment: {},
    flags: {},
  });
  expect(settings.access).toMatchObject({ paths, rolesHeader: 'X-Roles' });
});
