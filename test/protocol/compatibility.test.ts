/** What docs/compatibility.md says of digilib's addresses is what the server does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// The table that the page is made from.
import { endpoints } from '../../scripts/compatibility/endpoints.mjs';
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
