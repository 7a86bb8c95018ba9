/** Which addresses the settings allow: as browsers decide by the Content-Security-Policy. */
import { expect, it } from 'vitest';
import { isAllowed } from '../../../../web/src/model/manifest/foreign-service.ts';

const page = 'https://lectern.example/view';

it.each([
  ['https://iiif.example/m.json', [], false],
  ['https://lectern.example/presentation/3/manifest.json', [], true],
  ['https://iiif.example/m.json', ['*'], true],
  ['javascript:alert(1)', ['*'], false],
  ['data:application/json,{}', ['*'], false],
  ['https://iiif.example/m.json', ['https:'], true],
  ['http://iiif.example/m.json', ['https:'], false],
  ['https://iiif.example/m.json', ['https://iiif.example'], true],
  ['https://iiif.example/m.json', ['http://iiif.example'], true],
  ['http://iiif.example/m.json', ['https://iiif.example'], false],
  ['https://iiif.example/m.json', ['iiif.example'], true],
  ['https://a.iiif.example/m.json', ['iiif.example'], false],
  ['https://a.iiif.example/m.json', ['*.iiif.example'], true],
  ['https://iiif.example/m.json', ['*.iiif.example'], false],
  ['https://evil-iiif.example/m.json', ['*.iiif.example'], false],
  ['https://iiif.example:8443/m.json', ['iiif.example'], false],
  ['https://iiif.example:8443/m.json', ['iiif.example:8443'], true],
  ['https://iiif.example:8443/m.json', ['iiif.example:*'], true],
  ['https://iiif.example@evil.example/m.json', ['iiif.example'], false],
  ['no address', ['*'], false],
])('%s with %j: %s', (address, sources, allowed) => {
  expect(isAllowed(address, sources, page)).toBe(allowed);
});
