/** Addresses of images in both dialects, as the fast path, the routes and `lectern explain` read them. */
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createImageAddresses } from '../../../../src/core/http/image-queries.ts';
import { splitTarget } from '../../../../src/core/http/target.ts';
import { scalerMounts } from '../../../../src/features/digilib/scaler-address.ts';
import { iiifImageMounts, infoForms } from '../../../../src/features/iiif-image/image-address.ts';

const rules = {
  contextPath: '/digilib',
  iiifPrefix: 'IIIF',
  defaultIiifVersion: 2 as const,
  rawSlashes: false,
  iiifSlash: '!',
  defaultKernel: 'cubic' as const,
  defaultErrorForm: 'image' as const,
  explain: true,
  infoForm: infoForms[2],
};

const addresses = createImageAddresses([...scalerMounts(rules), ...iiifImageMounts(rules)], rules.contextPath);

function parse(address: string) {
  const target = splitTarget(address);
  const mount = addresses.mountOf(target.path);
  return mount && addresses.parse(target, mount);
}

describe('an address of an image', () => {
  it.each<[string, object | undefined]>([
    ['/digilib/Scaler', { kind: 'picture', identifiers: [''], page: 1, errorForm: 'image', explain: false }],
    ['/digilib/Scaler?fn=a&pn=2&mo=errtxt', { kind: 'picture', identifiers: ['a'], page: 2, errorForm: 'text' }],
    ['/digilib/servlet/Scaler/a/b%20c?explain=1', { kind: 'picture', identifiers: ['/a/b c'], explain: true }],
    ['/digilib/Scaler?fn=a&mo=info', { kind: 'info', identifiers: ['a'], form: infoForms[2] }],
    ['/digilib/Scaler?fn=a&mo=redirect_info', { kind: 'redirect-to-info', identifiers: ['a'] }],
    ['/digilib/Scaler/%ff?mo=errcode', { kind: 'invalid', identifiers: [], errorForm: 'code' }],
    ['/digilib/Scaler/IIIF', { kind: 'picture', identifiers: ['/IIIF'] }],
    ['/digilib/Scaler/IIIF/3', { kind: 'redirect-to-info', identifiers: ['3'] }],
    ['/digilib/Scaler/IIIF/a/info.json', { kind: 'info', identifiers: ['a'], form: infoForms[2] }],
    ['/digilib/iiif/3/a!b/info.json', { kind: 'info', identifiers: ['a/b', 'a!b'], form: infoForms[3] }],
    ['/digilib/iiif/1/a/full/full/0/native.jpg', { kind: 'picture', identifiers: ['a'], explain: false }],
    ['/digilib/iiif/3/a/full/max/0/default.jpg?explain=1', { kind: 'picture', identifiers: ['a'], explain: true }],
    ['/digilib/iiif/3/a/none/max/0/default.jpg', { kind: 'invalid', identifiers: ['a'] }],
    ['/digilib/iiif/3/a/b', { kind: 'invalid', identifiers: [] }],
    ['/digilib/iiif/4/a/info.json', undefined],
    ['/digilib/Scalers?fn=a', undefined],
    ['/Scaler?fn=a', undefined],
    ['/', undefined],
  ])('%s', (address, query) => {
    if (query === undefined) expect(parse(address)).toBeUndefined();
    else expect(parse(address)).toMatchObject(query);
  });

  it.each([
    ['/digilib/Scaler/IIIF/3', '/digilib/Scaler/IIIF/3'],
    ['/digilib/iiif/3/a!b/info.json', '/digilib/iiif/3/a!b'],
    ['/digilib/Scaler?fn=a&mo=info', '/digilib/Scaler/IIIF/x!y'],
    ['/digilib/Scaler?fn=a&mo=redirect_info', '/digilib/Scaler/IIIF/x!y'],
  ])('gives the IIIF path: %s', (address, path) =>
    expect(parse(address)).toSatisfy(({ iiifPathOf }) => iiifPathOf({ identifier: { segments: ['x', 'y'] } }) === path),
  );

  it('has no error form in IIIF, whose errors are texts', () =>
    expect(parse('/digilib/iiif/3/a/info.json')).not.toHaveProperty('errorForm'));

  it('is parsed once for a request', () => {
    const request = { url: '/digilib/Scaler?fn=a' } as IncomingMessage;
    const mount = addresses.mountOf('/digilib/Scaler');
    if (mount === undefined) throw new TypeError('the Scaler has no mount');
    expect(addresses.queryOf(request, mount)).toBe(addresses.queryOf(request, mount));
  });
});
