// What the crawlers ask for: all sizes of all images, from one list that the swarm shares, in short visits of one address each.
import { randomNumbers, shuffled } from '../../test/fixtures/files/random.mjs';
import { crawlerAddresses } from './addresses.mjs';
import { bookName, pageName, pagesPerBook } from './library.mjs';

/** The pictures of an image that the swarm takes: sizes of the whole for the most part, and some that no viewer asks for. */
const pictures = [
  'full/max/0/default',
  'full/1600,/0/default',
  'full/1000,/0/default',
  'full/1280,/0/default',
  'full/640,/0/default',
  'full/!400,400/0/default',
  'full/1800,/0/gray',
  'full/1500,/0/default',
  'full/800,/0/default',
  'square/900,/0/default',
  'full/1200,/90/default',
  '137,91,1500,1200/900,/0/default',
];

const browserHeaders = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  'accept-language': 'en-US,en;q=0.9',
  'sec-fetch-dest': 'image',
  'sec-fetch-mode': 'no-cors',
  'sec-fetch-site': 'same-origin',
};

const agents = [
  'python-requests/2.32.3',
  'Go-http-client/2.0',
  'Scrapy/2.11 (+https://scrapy.org)',
  'GPTBot/1.2',
  'curl/8.5.0',
];

const pathOf = (image) => `${bookName(Math.floor(image / pagesPerBook))}/${pageName(image % pagesPerBook)}`;

/** The address of picture `index` of the crawl; `less` makes it another size, so that it is not made before the crawl. */
export function pictureOf(order, index, less = 0) {
  const at = index % order.length;
  const image = order[at];
  // Neighbors in the list differ, and an image has another one in each round.
  const picture = pictures[(Math.floor(index / order.length) + at) % pictures.length];
  const size =
    less === 0
      ? picture
      : picture.replace('max', '2000,').replace(/(\d+),(?=\/|\d+\/)/, (_, width) => `${width - less},`);
  return `/iiif/3/${encodeURIComponent(pathOf(image))}/${size}.jpg`;
}

/** The images in the order of the crawl. */
export const crawlOrder = (images, seed) =>
  shuffled(
    Array.from({ length: images }, (_, index) => index),
    seed,
  );

/**
 * The visits of a crawl without end, each of the next address: `{ headers, targets }`. A quarter of the addresses send the
 * headers of a browser, and a fifth begin with a page of the reading room; others with info.json, the manifest, or neither.
 */
export function* visits({ images, addresses, networks, picturesPerVisit, seed }) {
  const random = randomNumbers(seed + 1);
  const order = crawlOrder(images, seed);
  const clients = shuffled(crawlerAddresses(addresses, networks), seed + 2);
  let next = 0;
  for (let at = 0; ; at = (at + 1) % clients.length) {
    // Which of them are browsers and which see a page is told by the place, so that it is the same each time they come.
    const agent = at % 4 === 0 ? browserHeaders : { 'user-agent': agents[at % agents.length], accept: '*/*' };
    const image = order[next % order.length];
    const before = [];
    if (at % 5 === 1) before.push(`/view/${pathOf(image)}`);
    else if (random() < 0.3) before.push(`/iiif/3/${encodeURIComponent(pathOf(image))}/info.json`);
    else if (random() < 0.05)
      before.push(`/presentation/3/${bookName(Math.floor(image / pagesPerBook))}/manifest.json`);
    const targets = Array.from({ length: picturesPerVisit }, () => pictureOf(order, next++));
    yield { headers: { ...agent, 'x-forwarded-for': clients[at] }, targets: [...before, ...targets] };
  }
}
