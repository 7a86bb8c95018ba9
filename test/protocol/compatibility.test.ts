/** The server answers the requests of docs/compatibility.md as stated, and the page has no row without a test. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../scripts/compatibility/endpoints.mjs';
import { recordedParameter, shownBy, withProofs } from '../../scripts/compatibility/evidence.mjs';
import { type RunningApp, startApp } from './running-app.ts';

describe('the addresses of docs/compatibility.md', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp({ http: { contextPath: '/digilib' } });
  });
  afterAll(() => app.close());

  const rows = endpoints.flatMap(({ requests }) => Object.entries(requests));
  it.each(rows)('%s is answered %i', async (address, status) => {
    expect((await app.get(`/digilib${address}`)).status).toBe(status);
  });
});

describe('the generator of docs/compatibility.md', () => {
  it('finds the recorded answers to requests with a parameter', () => {
    expect(recordedParameter('rot')).toMatch(/^\d+ recorded answers, such as `scaler-[\w-]+`$/);
    expect(recordedParameter('nosuch')).toBeUndefined();
  });

  it('refuses a row that no test shows', () => {
    const rows = [['dw', 'works'] as const, ['dh', 'works'] as const];
    expect(withProofs(rows, { dw: 'a test', dh: 'another test' }, 'parameter')).toHaveLength(2);
    expect(() => withProofs(rows, { dw: 'a test', dh: undefined }, 'parameter')).toThrow(
      'no test shows the parameter dh',
    );
    expect(() => withProofs(rows, { dz: 'a test' }, 'parameter')).toThrow('tests of an unknown parameter: dz');
  });

  it('refuses a test that does not exist', () => {
    const file = 'test/protocol/scaler.test.ts';
    expect(shownBy(file, "'/Scaler/photos?pn=8&dw=50'")).toContain(file);
    expect(() => shownBy(file, 'mo=no-such-option')).toThrow('contains no “mo=no-such-option”');
    expect(() => shownBy('test/no-such-file.test.ts', '')).toThrow('no such file');
  });
});
