import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileErrors, validate } from '@readme/openapi-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { altoOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import {
  type DescribedOperation,
  type Description,
  exampleRequest,
  exampleStatus,
  operationsOf,
  readDescription,
} from './openapi-reader.ts';
import { goldenFolders, type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const base = '/digilib';

/** Routes that are not described: the context path without its slash, which redirects, and routes that are described below it. */
const undescribed: ReadonlySet<string> = new Set([base, '/robots.txt', '/llms.txt', '/healthz', '/readyz', '/metrics']);

const registered = new Set<string>();
/** The route of each request, in order. */
const taken: (string | undefined)[] = [];

/** Fastify publishes every new instance before anything is registered. */
function watch(message: unknown): void {
  const { fastify } = message as { readonly fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ url }) => void registered.add(url));
  fastify.addHook('onRequest', async ({ routeOptions }) => void taken.push(routeOptions.url));
}

/** The text of the example image, as in a further base directory. */
let texts: LibraryFolder;
let app: RunningApp;
let text: string;
let description: Description;
let operations: readonly (readonly [string, DescribedOperation])[];

beforeAll(async () => {
  subscribe('fastify.initialization', watch);
  texts = makeLibraryFolder();
  texts.write('books/book1/page0001.xml', altoOf([['word', 1, 2, 30, 40]]));
  app = await startApp({ http: { contextPath: base }, library: { folders: [...goldenFolders, texts.root] } });
  unsubscribe('fastify.initialization', watch);
  text = (await app.get(`${base}/openapi.json`)).body.toString();
  description = await readDescription(text);
  operations = operationsOf(description);
});
afterAll(async () => {
  await app.close();
  texts.remove();
});

const ask = (path: string, operation: DescribedOperation, method = 'GET'): Promise<ReceivedResponse> =>
  app.get(base + exampleRequest(path, operation), { method });

const typeOf = ({ headers }: ReceivedResponse): string =>
  (headers['content-type'] ?? '').replace(/(?:; (?:version=[\d.]+|charset=utf-8))+$/, '');

const jsonOperations = (): typeof operations =>
  operations.filter(([, { responses }]) => responses['200']?.content?.['application/json'] !== undefined);

describe('a query of over 100 parameters', () => {
  const excess = (count: number): string => Array.from({ length: count }, (_, index) => `x${index}=1`).join('&');

  it('is refused at every route, and also where its answer is remembered', async () => {
    const answered: string[] = [];
    const addresses = operations.map(([path, operation]) => base + exampleRequest(path, operation));
    for (const address of [...addresses, ...[...undescribed].filter((path) => path !== base)]) {
      const separator = address.includes('?') ? '&' : '?';
      for (const _ of ['first', 'again', 'once more']) {
        const { status } = await app.get(`${address}${separator}${excess(101)}`);
        if (status !== 400) answered.push(`${status} ${address}`);
      }
    }
    expect(answered).toEqual([]);
  });

  it('is refused where there is no route, and with 100 it is not', async () => {
    expect((await app.get(`${base}/nothing/here?${excess(101)}`)).status).toBe(400);
    expect((await app.get(`${base}/nothing/here?${excess(100)}`)).status).toBe(404);
    expect((await app.get(`${base}/api/folder.json?${excess(100)}`)).status).toBe(200);
  });
});

describe('the API description', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await validate(JSON.parse(text));
    expect(result.valid ? '' : compileErrors(result)).toBe('');
    expect(description.openapi).toBe('3.1.0');
  });

  it('describes every route, and nothing else', async () => {
    taken.length = 0;
    for (const [path, operation] of operations) await ask(path, operation, 'HEAD');
    const strays = operations.filter((_, index) => taken[index] === undefined).map(([path]) => path);
    expect(strays).toEqual([]);
    expect(registered.size).toBeGreaterThan(30);
    expect([...registered].filter((url) => !taken.includes(url))).toEqual([...undescribed]);
  });

  it('has the version and the license of the package, and the requested address', async () => {
    const { version, license } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(description.info).toMatchObject({ version, license: { identifier: license } });
    expect(description.servers).toEqual([{ url: `${app.url}${base}` }]);
    const { body } = await app.get(`${base}/openapi.json`, { headers: { host: 'scans.example:8443' } });
    expect(JSON.parse(body.toString()).servers).toEqual([{ url: `http://scans.example:8443${base}` }]);
    expect((await app.get(`${base}/openapi.json`)).body.toString()).not.toContain('scans.example');
  });

  it('has an ETag, and is answered 304 to a matching If-None-Match', async () => {
    const { headers } = await app.get(`${base}/openapi.json`);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    const { etag = '' } = headers;
    expect((await app.get(`${base}/openapi.json`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
});

/** The top of the golden library has only folders, so its manifest redirects to its collection. */
const redirecting: ReadonlySet<string> = new Set(['/presentation/2/manifest.json', '/presentation/3/manifest.json']);

/** The text of the example image is no hOCR, the folder with the image has no text file, and the library no sound. */
const hasNone = (path: string): boolean =>
  path === '/api/text/{path}.html' ||
  path.includes('/Texter') ||
  path.startsWith('/media/') ||
  path.startsWith('/tours/');

describe('the examples of the API description', () => {
  it('are answered with the documented status and media type', async () => {
    for (const [path, operation] of operations) {
      const answer = await ask(path, operation);
      const status = redirecting.has(path) ? 303 : hasNone(path) ? 404 : exampleStatus(operation);
      expect(answer.status, path).toBe(status);
      const { content } = operation.responses[status] ?? {};
      if (content !== undefined) expect(Object.keys(content), path).toContain(typeOf(answer));
    }
  });

  it('of each part of an address match its pattern and are answered 200', async () => {
    const requested: string[] = [];
    for (const [path, operation] of operations.filter(([, { tags }]) => tags[0] === 'IIIF Image')) {
      for (const { name, schema } of operation.parameters) {
        const { pattern = '', examples = schema.enum ?? [] } = schema;
        for (const example of examples) {
          expect(example).toMatch(new RegExp(pattern, 'u'));
          const address = exampleRequest(path, operation, { [name]: example });
          requested.push(address);
          expect((await app.get(base + address)).status, address).toBe(200);
        }
      }
    }
    expect(requested.length).toBeGreaterThan(60);
  });
});

const golden = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/golden/images/hires/${name}`, import.meta.url));

describe('the API description of another library', () => {
  const describedBy = async (other: RunningApp): Promise<typeof operations> => {
    const body = (await other.get('/openapi.json')).body.toString();
    const result = await validate(JSON.parse(body));
    expect(result.valid ? '' : compileErrors(result)).toBe('');
    return operationsOf(await readDescription(body));
  };

  it('has the example of an image at the top, if there are no folders', async () => {
    const flat = await startApp({ library: { folders: [golden('photos')] } });
    for (const [path, operation] of await describedBy(flat)) {
      const { status } = await flat.get(exampleRequest(path, operation));
      // No image of this library has a text.
      expect(status, path).toBe(/^\/(?:api\/text|txt)\//.test(path) || hasNone(path) ? 404 : exampleStatus(operation));
    }
    await flat.close();
  });

  it('has the example of an image in a folder at the top, and the start page links to the description', async () => {
    const { example } = description.paths['/Scaler']?.get?.parameters.find(({ name }) => name === 'fn') ?? {};
    const { folders } = JSON.parse((await app.get(`${base}/api/folder.json`)).body.toString());
    expect(folders.map(({ cover }: { cover: string | null }) => cover)).toContain(example);
    const { headers } = await app.get(`${base}/`);
    expect(headers['link']).toBe(`<${app.url}${base}/openapi.json>; rel="service-desc"`);
  });
});

describe('the schemas of the API description', () => {
  const ajv = new Ajv2020({ strict: false, formats: { uri: (value: string) => URL.canParse(value) } });
  const faultsOf = (schema: object | false, value: unknown): unknown => {
    const check = ajv.compile(schema);
    return check(value) ? [] : check.errors;
  };

  it('match the responses in JSON', async () => {
    const operationsInJson = jsonOperations();
    expect(operationsInJson.length).toBeGreaterThan(35);
    for (const [path, operation] of operationsInJson) {
      const answer = await ask(path, operation);
      if (answer.status !== 200) continue;
      const { schema = {} } = operation.responses['200']?.content?.['application/json'] ?? {};
      expect(faultsOf(schema, JSON.parse(answer.body.toString())), path).toEqual([]);
    }
  });

  const others: readonly (readonly [string, string, string])[] = [
    ['no image', '/api/ImgInfo-json.jsp', '/api/ImgInfo-json.jsp?fn=nowhere'],
    ['no folder', '/api/dirInfo-json.jsp', '/api/dirInfo-json.jsp?fn=nowhere'],
    ['a folder without its list', '/api/dirInfo-json.jsp', '/api/dirInfo-json.jsp?fn=books/book1&mo=dir'],
    ['an image without a resolution', '/api/ImgInfo-json.jsp', '/api/ImgInfo-json.jsp?fn=gif'],
    ['the info object without parameters', '/api/dlInfo-json.jsp', '/api/dlInfo-json.jsp'],
    ['a folder of folders', '/api/folder.json', '/api/folder.json'],
    ['a folder with unreadable images', '/api/folder.json', '/api/folder.json?fn=broken'],
    ['a search', '/api/search.json', '/api/search.json?q=book'],
    ['a tiled pyramid', '/iiif/3/{identifier}/info.json', '/iiif/3/tiff!tiled1500x1001.tif/info.json'],
  ];

  it.each(others)('hold for %s too', async (_, path, address) => {
    const { schema } = description.paths[path]?.get?.responses['200']?.content?.['application/json'] ?? {};
    const { status, body } = await app.get(base + address);
    expect(status).toBe(200);
    expect(faultsOf(schema ?? false, JSON.parse(body.toString()))).toEqual([]);
  });

  it('refuse an info object with an additional, a missing, or a non-string member', async () => {
    const { schema = {} } =
      description.paths['/api/dlInfo-json.jsp']?.get?.responses['200']?.content?.['application/json'] ?? {};
    const members = JSON.parse((await app.get(`${base}/api/dlInfo-json.jsp`)).body.toString());
    const { fn, ...less } = members;
    expect(fn).toBe('');
    for (const wrong of [{ ...members, more: '' }, less, { ...members, dw: 0 }])
      expect(faultsOf(schema, wrong)).not.toEqual([]);
  });

  it('name the root elements of the responses in XML', async () => {
    const named = operations.flatMap(([path, operation]) => {
      const schema = operation.responses['200']?.content?.['text/xml']?.schema as { readonly xml?: { name: string } };
      return schema?.xml === undefined ? [] : [{ path, operation, name: schema.xml.name }];
    });
    expect(named.length).toBeGreaterThanOrEqual(2);
    for (const { path, operation, name } of named) {
      const [, root = ''] = (await ask(path, operation)).body.toString().split('\n');
      expect(root, path).toMatch(new RegExp(`^<${name}[ />]`));
    }
  });
});

describe('the errors of the API description', () => {
  const missing: readonly (readonly [string, string, number])[] = [
    ['/Scaler', '/Scaler?fn=nowhere&dw=10', 404],
    ['/Scaler', '/Scaler?fn=nowhere&dw=10&mo=errtxt', 404],
    ['/Scaler', '/Scaler?fn=books/book1&dw=0', 400],
    ['/iiif/3/{identifier}/info.json', '/iiif/3/nowhere/info.json', 404],
    [
      '/iiif/3/{identifier}/{region}/{size}/{rotation}/{quality}.{format}',
      '/iiif/3/books!book1!page0001.jpg/full/^0,/0/default.jpg',
      400,
    ],
    ['/presentation/3/{folder}/manifest.json', '/presentation/3/nowhere/manifest.json', 404],
    ['/api/ImgInfo-json.jsp', `/api/ImgInfo-json.jsp?${'a=1&'.repeat(101)}`, 400],
    ['/api/folder.json', '/api/folder.json?fn=nowhere', 404],
    ['/api/folder.json', '/api/folder.json?from=x', 400],
    ['/api/search.json', '/api/search.json?fn=nowhere&q=a', 404],
  ];

  it.each(missing)('at %s have the status and the form of %s', async (path, address, status) => {
    const answer = await app.get(base + address);
    expect(answer.status).toBe(status);
    const described = description.paths[path]?.get?.responses;
    expect(Object.keys((described?.[status] ?? described?.['default'])?.content ?? {})).toContain(typeOf(answer));
  });

  it('describe error pictures with status 200, if so configured', async () => {
    const legacy = await startApp({ digilib: { legacyErrorStatus: true } });
    const description = JSON.parse((await legacy.get('/openapi.json')).body.toString());
    await legacy.close();
    const sentence = 'with status 200, as digilib does';
    expect(description.paths['/Scaler'].get.description).toContain(sentence);
    expect(text).not.toContain(sentence);
  });
});
