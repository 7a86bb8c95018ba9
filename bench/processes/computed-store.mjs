/** The store of computed keys as a process of its own, so that its work and memory are not those of the benchmark. */
import { layoutsOf } from '../lib/catalogue/keys.mjs';
import { startStore } from '../lib/catalogue/store.mjs';

let store;

const answers = {
  async start({ bucket, keys, image }) {
    store = await startStore({ bucket, layouts: layoutsOf(keys), image: Buffer.from(image) });
    return { endpoint: store.endpoint };
  },
  take: () => store.take(),
  put({ key, bytes }) {
    const { etag, modifiedMs } = store.put(key, Buffer.from(bytes));
    return { etag, modifiedMs };
  },
};

process.on('message', async (message) => {
  try {
    process.send(await answers[message.kind](message));
  } catch (error) {
    process.send({ failure: `The computed store failed: ${error.message}` });
  }
});
