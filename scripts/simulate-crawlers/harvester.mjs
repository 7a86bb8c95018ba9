// A partner's harvester with a token: the list of changes, and of each book its manifest, its data set and some full sizes.
import { setTimeout as pause } from 'node:timers/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { harvesterAddress } from './addresses.mjs';
import { openClient } from './client.mjs';
import { pageName, pagesPerBook } from './library.mjs';

const issuer = 'https://login.example';
const audience = 'lectern';

/** Between the requests of the harvester, in ms. */
const restMs = 250;

const fullSizesOfBook = 4;

/** A data set is there within this time, in ms. */
const dataSetMs = 180_000;

/** A token, and the settings by which a server accepts it. */
export async function makeToken() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const token = await new SignJWT({ sub: 'harvester' })
    .setProtectedHeader({ alg: 'RS256', kid: '1' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime('4h')
    .sign(privateKey);
  const key = { ...(await exportJWK(publicKey)), alg: 'RS256', kid: '1' };
  return { token, rule: { issuer, audience, roles: ['partner'], keys: [key] } };
}

/** Opens the harvester; `tally()` is where its answers are counted at that moment. */
export function openHarvester({ port, token, tally }) {
  const client = openClient(port, 2);
  const headers = {
    authorization: `Bearer ${token}`,
    'x-forwarded-for': harvesterAddress,
    'user-agent': 'Harvester/1',
  };
  const pathOf = (address) => new URL(address).pathname;

  async function ask(kind, target) {
    const answer = await client.get(target, headers, kind !== 'full sizes');
    tally().add(kind, target, answer);
    return answer;
  }

  /** Asks until the answer is there, as Retry-After says: a list or a data set is made first. */
  async function awaitMade(target, endMs, isOver = () => false) {
    for (;;) {
      const startMs = performance.now();
      const answer = await client.get(target, headers, true);
      const waitMs = Number(answer.headers['retry-after'] ?? 1) * 1000;
      const isMaking = answer.status === 503 && answer.headers['retry-after'] !== undefined;
      if (!isMaking || isOver() || startMs + waitMs > endMs) return answer;
      await pause(waitMs);
    }
  }

  /** The folders of the library by the list of changes, which the server makes at the first request. */
  async function folders() {
    const all = await awaitMade('/activity/all-changes.json', performance.now() + 300_000);
    if (all.status !== 200) throw new Error(`the list of changes is not there: ${all.status} ${all.body}`);
    const found = [];
    for (let page = JSON.parse(all.body).last.id; page !== undefined; ) {
      const { body } = await client.get(pathOf(page), headers, true);
      const { orderedItems, prev } = JSON.parse(body);
      for (const { object } of orderedItems) {
        const folder = /\/presentation\/3\/([^/]+)\/manifest\.json$/.exec(object?.id ?? '')?.[1];
        if (folder !== undefined) found.push(decodeURIComponent(folder));
      }
      page = prev?.id;
    }
    return found;
  }

  async function harvestBook(book, isOver) {
    await ask('manifests', `/presentation/3/${book}/manifest.json`);
    for (let page = 0; page < fullSizesOfBook && !isOver(); page++) {
      await pause(restMs);
      const name = pageName((page * 5 + 1) % pagesPerBook);
      await ask('full sizes', `/iiif/3/${encodeURIComponent(`${book}/${name}`)}/full/1900,/0/default.jpg`);
    }
    if (isOver()) return;
    const startMs = performance.now();
    const target = `/dataset/${book}.zip`;
    const answer = await awaitMade(target, startMs + dataSetMs, isOver);
    // A data set that the end of the phase left half made is none.
    if (answer.status === 200 || !isOver())
      tally().add('data sets', target, { ...answer, ms: performance.now() - startMs });
  }

  return {
    folders,
    /** Harvests book after book until `isOver`. */
    async run(books, isOver) {
      for (let at = 0; !isOver(); at++) {
        await harvestBook(books[at % books.length], isOver);
        await pause(restMs);
      }
    },
    close: () => client.close(),
  };
}
