// What the shield and the sums for /admin add to a request, in ns: what each request costs, what each picture that is not cached, and what else costs.
//   node bench/accounting.mjs [--checkout DIR]
import { IncomingMessage } from 'node:http';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { checkout: { type: 'string' } } });
const root = path.resolve(values.checkout ?? fileURLToPath(new URL('..', import.meta.url)));
const load = (file) => import(pathToFileURL(path.join(root, 'dist', file)).href);

const [{ createCallersOfShield }, { Budgets }, { Holds }, { createPayments }, { ReadingPatterns }, { createShares }] =
  await Promise.all(
    ['asking', 'budgets', 'holds', 'payments', 'reading-patterns', 'shares'].map((name) =>
      load(`features/shield/${name}.js`),
    ),
  );
const { shieldSettings } = await load('features/shield/shield-settings.js');
const [{ trustProxies }, { withEnds }, { createCosts }] = await Promise.all(
  ['core/http/origin', 'core/http/ended-requests', 'features/duty/costs'].map((name) => load(`${name}.js`)),
);

const shield = shieldSettings.shield.parse({ partners: [{ name: 'Harvest', addresses: ['203.0.113.0/26'] }] });
const patterns = new ReadingPatterns('!');
const holds = new Holds();
await holds.hold('192.0.2.0/24', Date.now() + 3_600_000);
const budgets = new Budgets({ rules: shield.budgets, cores: 2, busy: () => 0.5 });
const payments = createPayments({ budgets, holds });
const callers = createCallersOfShield({
  ...{ shield, patterns, trusted: trustProxies([]), systems: () => undefined },
  engines: { has: () => false },
});
const shares = createShares({ callers, patterns, payments, count: () => undefined, noteNeed: () => undefined });

// The sums of who costs what, of requests that are answered at once.
const counted = { network: '10.0.0.0/24', system: '' };
const costs = createCosts(
  () => counted,
  () => undefined,
);
const answered = { writableEnded: true, closed: false, statusCode: 200 };
const ends = withEnds(
  (ended) => costs.record(ended),
  () => undefined,
  () => undefined,
);

/** Requests of some addresses in turn, by their number: new ones, as they come from the network. */
function requestsOf(sockets, url) {
  return Array.from({ length: 5000 }, (_, index) => {
    const request = new IncomingMessage(sockets[(index * 7) % sockets.length]);
    request.url = url(index);
    request.headers = { 'user-agent': 'Mozilla/5.0' };
    return request;
  });
}

const socketsOf = (addresses) =>
  Array.from({ length: addresses }, (_, client) => ({
    remoteAddress: `10.${client % 200}.${(client >> 8) % 10}.${client & 255}`,
    bytesWritten: 1000,
  }));

const tile = (index) => `/iiif/3/herbal!page-${index % 3}.jpg/${(index % 50) * 512},0,512,512/512,512/0/default.jpg`;
const info = (index) => `/iiif/3/herbal!page-${index % 3}.jpg/info.json`;
const large = () => '/iiif/3/a/full/max/0/default.jpg';
const document = () => '/pdf/herbal.pdf';

const rows = [
  ['any request: a tile', tile, (request) => shares.observe(request)],
  ['any request: info.json', info, (request) => shares.observe(request)],
  ['any request: the sums for /admin', tile, (request) => ends(request, answered)],
  ['a reader’s picture that is not cached', tile, (request) => shares.of(request, false, 'picture')],
  ['a stranger’s picture that is not cached', large, (request) => shares.of(request, false, 'picture')],
  ['a known caller’s picture that is not cached', tile, (request) => shares.of(request, true, 'picture')],
  [
    'what else costs, from four budgets',
    document,
    (request) => budgets.take(budgets.chargesFor({ ...callers.of(request, false), system: 'AS64500' }, { ms: 0.01 })),
  ],
];

/** The lower quartile of some rounds, in ns for each request: what else the machine does only adds to it. */
function timeOf(work, addresses, url) {
  const sockets = socketsOf(addresses);
  const times = Array.from({ length: 60 }, () => {
    const requests = requestsOf(sockets, url);
    const began = process.hrtime.bigint();
    for (const request of requests) work(request);
    return Number(process.hrtime.bigint() - began) / requests.length;
  });
  return times.sort((one, other) => one - other)[15];
}

const width = 46;
console.log(`${'ns for a request, with so many addresses'.padEnd(width)}${'100'.padStart(8)}${'20,000'.padStart(8)}`);
for (const [name, url, work] of rows) {
  const times = [100, 20_000].map((addresses) => timeOf(work, addresses, url));
  console.log(name.padEnd(width) + times.map((time) => Math.round(time).toString().padStart(8)).join(''));
}
