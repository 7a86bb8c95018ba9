/** The HTTP server: what holds for every request, the fast path, and the routes below the context path. */
import { createServer as createNodeServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { OutgoingBytes } from '../answers/outgoing-bytes.ts';
import type { Additions, RouteGroup } from '../feature.ts';
import { badRequest } from '../image/model/errors.ts';
import { type AccessLog, withAccessLog } from './access-log.ts';
import type { Callers } from './callers.ts';
import type { Connections } from './connections/connections.ts';
import { createHttpServer, rejectConnection } from './connections/http-server.ts';
import { type OnEnd, withEnds } from './ended-requests.ts';
import { nothingHere, sendTextError } from './error-responses.ts';
import { createFailureLog, type FailureLog } from './failure-log.ts';
import { type Handler, type ResponseMaker, type SeesRequest, withFastPath } from './fast-path/fast-path.ts';
import { type OriginRules, originOf } from './origin.ts';
import { createDocumentTurns } from './outgoing.ts';
import { commonHeaders, type HeaderList } from './representation.ts';
import { recordStages, requestIdOf } from './request-context.ts';
import { abandonedStatus, type Measures, type RequestKind } from './request-metrics.ts';
import { addRestrictedReaders } from './restricted-readers.ts';
import { setHeaders } from './send.ts';
import { addSharedCacheHeaders, type SharedCaches } from './shared-caches.ts';
import { excessOf, maxAddressBytes, routableTarget } from './target.ts';
import { withTraces } from './traced-requests.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What requests of the route are counted as. */
    kind?: RequestKind;
    /** Whether forms may be sent to the route by POST, although nothing is changed by them. */
    acceptsForms?: boolean;
  }
  interface FastifyRequest {
    /** What the request is counted as, where its address decides more than its route. */
    kind: RequestKind | undefined;
  }
}

/** What the server needs for some settings: the rules of every request, and what features add. */
export interface ServerParts extends OriginRules {
  readonly contextPath: string;
  /** Whether there are rules of access. */
  readonly guarded: boolean;
  /** The headers of every answer. */
  readonly commonHeaders: HeaderList;
  readonly callers: Callers;
  /** What proxies and CDNs are told beside Cache-Control; undefined for nothing. */
  readonly sharedCaches: SharedCaches | undefined;
  readonly outgoing: OutgoingBytes;
  readonly measures: Measures;
  /** What is answered before Fastify, in this order. */
  readonly fastPath: readonly ResponseMaker[];
  /** What is not, since hooks have to see it. */
  readonly hooksSee: readonly SeesRequest[];
  readonly routes: readonly RouteGroup[];
  readonly rootRoutes: readonly RouteGroup[];
  readonly addHooks: readonly NonNullable<Additions['addHooks']>[];
  readonly answerNothingHere: Additions['answerNothingHere'];
  /** What a client can do instead of what it was refused. */
  readonly adviceFor: FastifyInstance['adviceFor'];
  /** Called when a client was told of images: it will soon request pictures. */
  readonly expectPictures: () => void;
  /** The path of the image that the address of a request names; undefined where it is none. */
  readonly imageOf: (request: IncomingMessage) => string | undefined;
}

const allowedMethods = 'GET, HEAD, OPTIONS';

function sendOptions(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header('allow', allowedMethods)
    .header('access-control-allow-methods', allowedMethods)
    .header('access-control-allow-headers', '*, authorization')
    .header('access-control-max-age', '86400')
    .send();
}

/** The server only reads, so that it refuses every other method for every address. */
function refuseMethod(reply: FastifyReply): FastifyReply {
  return reply
    .code(405)
    .header('allow', allowedMethods)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send(`This server only reads; use ${allowedMethods.replace(', OPTIONS', ' or OPTIONS')}.\n`);
}

type RequestRules = OriginRules & Pick<ServerParts, 'commonHeaders'>;

/** Applies what holds for every request; returns whether the route is still to respond. Throws ImageError to refuse it. */
function applyRequestRules(request: FastifyRequest, reply: FastifyReply, rules: RequestRules): boolean {
  setHeaders(reply, rules.commonHeaders);
  const origin = originOf(request.raw, rules.trusted);
  request.origin = rules.publicAddress ?? origin;
  const isForm = request.method === 'POST' && request.routeOptions.config.acceptsForms === true;
  if (request.method === 'GET' || request.method === 'HEAD' || isForm) {
    const excess = excessOf(request.originalUrl);
    if (excess !== undefined) throw excess;
    return true;
  }
  if (request.method === 'OPTIONS') sendOptions(reply);
  else refuseMethod(reply);
  return false;
}

function addRequestRules(server: FastifyInstance, rules: RequestRules): void {
  server.decorateRequest('origin', '');
  server.addHook('onRequest', (request, reply, next) => {
    try {
      if (applyRequestRules(request, reply, rules)) next();
    } catch (error) {
      next(error as Error);
    }
  });
}

/** Reports what Fastify itself refuses in this server's words. */
function sendFrameworkError(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  setHeaders(reply, commonHeaders);
  void sendTextError(badRequest('The request is malformed.'), request, reply);
}

/** Registers routes whose requests are counted as one kind. */
function registerCounted(scope: FastifyInstance, { kind, plugin }: RouteGroup): void {
  void scope.register((inner, _options, done) => {
    inner.addHook('onRoute', (route) => {
      route.config = { ...route.config, kind };
    });
    plugin(inner, {}, done);
  });
}

/** Counts each answer when it has ended, and measures its time. */
function addCounts(server: FastifyInstance, { measures }: ServerParts): void {
  server.decorateRequest('kind', undefined);
  const kindOf = ({ kind, routeOptions }: FastifyRequest): RequestKind => kind ?? routeOptions.config.kind ?? 'other';
  server.addHook('onRequest', (request, { raw }, next) => {
    if (request.raw.kindOf !== undefined) request.raw.kindOf = () => kindOf(request);
    raw.once('close', () => {
      measures.counts.add(kindOf(request), raw.writableFinished ? raw.statusCode : abandonedStatus);
    });
    next();
  });
  server.addHook('onSend', (request, { raw }, payload, next) => {
    recordStages(request.raw, raw, measures);
    next(null, payload);
  });
}

/** No route has a JSON schema. Without these, Fastify loads ajv and fast-json-stringify and makes a compiler of each. */
const withoutSchemas = {
  buildValidator: () => neverCompiled,
  buildSerializer: () => neverCompiled,
};

function neverCompiled(): never {
  throw new TypeError('A route has a JSON schema, and this server has no compiler for it.');
}

/** Whoever requests these soon requests pictures, too. */
const beforePictures: ReadonlySet<RequestKind | undefined> = new Set<RequestKind>(['page', 'folder', 'manifest']);

/** Lets the renderer get ready once the answer is sent, which is not delayed. */
function addExpectation(server: FastifyInstance, { expectPictures }: ServerParts): void {
  server.addHook('onResponse', (request, { statusCode }, next) => {
    if (statusCode < 400 && beforePictures.has(request.routeOptions.config.kind)) expectPictures();
    next();
  });
}

/** Fastify with all routes for some parts, on the server that it is given. */
function createRoutes(
  parts: ServerParts,
  logger: FastifyBaseLogger,
  failures: FailureLog,
  serverFor: (handler: Handler) => HttpServer,
): FastifyInstance {
  const server = Fastify({
    loggerInstance: logger,
    genReqId: (request) => requestIdOf(request, parts.trusted),
    // One logger for all requests: those that matter are logged with their address.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: maxAddressBytes },
    rewriteUrl: (request) => routableTarget(request.url ?? '/'),
    serverFactory: (handler) => serverFor(withFastPath(parts.fastPath, parts, handler)),
    forceCloseConnections: 'idle',
    schemaController: { compilersFactory: withoutSchemas },
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: rejectConnection,
  });
  server.decorate('failures', failures);
  server.decorate('outgoing', parts.outgoing);
  server.decorate('documentTurn', createDocumentTurns(parts.outgoing));
  server.decorateRequest('imageName', undefined);
  server.decorateRequest('imagePage', undefined);
  server.decorateRequest('openFolder', undefined);
  server.decorate('adviceFor', parts.adviceFor);
  server.decorateRequest('cacheSubject', undefined);
  addRequestRules(server, parts);
  if (parts.guarded) addRestrictedReaders(server, parts.callers);
  for (const addHooks of parts.addHooks) addHooks(server);
  if (parts.sharedCaches) addSharedCacheHeaders(server, parts.sharedCaches);
  const answerNothingHere =
    parts.answerNothingHere ?? (async (request, reply) => sendTextError(nothingHere(), request, reply));
  server.setNotFoundHandler(answerNothingHere);
  server.setErrorHandler((error, request, reply) => sendTextError(error, request, reply));
  const routes: FastifyPluginCallback = (scope, _options, done) => {
    for (const group of parts.routes) registerCounted(scope, group);
    done();
  };
  addCounts(server, parts);
  addExpectation(server, parts);
  void server.register(routes, { prefix: parts.contextPath });
  // Those who watch the server need not know where it serves, nor do crawlers.
  if (parts.contextPath !== '') {
    for (const group of parts.rootRoutes) registerCounted(server, group);
  }
  return server;
}

/** What is done around the handler. */
interface AroundHandler {
  /** Called first for each request. */
  readonly observe?: ((request: IncomingMessage) => void) | undefined;
  readonly accessLog?: AccessLog | undefined;
  /** Called for each request once its answer has ended. */
  readonly onEnd?: OnEnd | undefined;
  /** Runs the work for each request; `hasBegun` says whether its answer is being sent. */
  readonly forRequest?: ((run: () => void, hasBegun: () => boolean) => void) | undefined;
}

interface ReplaceableServer {
  /** Ready to listen. */
  readonly server: FastifyInstance;
  /** Answers all requests that begin from then on with other parts; those that are under way end with the former ones. */
  replace(parts: ServerParts): Promise<void>;
}

/** A server whose handler can be replaced while it listens. */
export function createServer(
  parts: ServerParts,
  connections: Connections,
  logger: FastifyBaseLogger,
  { observe, accessLog, onEnd, forRequest }: AroundHandler = {},
): ReplaceableServer {
  let { trusted, imageOf } = parts;
  const failures = createFailureLog(logger);
  let current: Handler;
  let latest: FastifyInstance | undefined;
  const server = createRoutes(parts, logger, failures, (handler) => {
    current = handler;
    const answer: Handler =
      forRequest === undefined
        ? (request, response) => current(request, response)
        : (request, response) =>
            forRequest(
              () => current(request, response),
              () => response.headersSent,
            );
    const observed: Handler =
      observe === undefined
        ? answer
        : (request, response) => {
            observe(request);
            answer(request, response);
          };
    const logged = accessLog === undefined ? observed : withAccessLog(accessLog, () => trusted, observed);
    const ended = onEnd === undefined ? logged : withEnds(onEnd, (request) => imageOf(request), logged);
    return createHttpServer(
      withTraces(() => trusted, ended),
      connections,
    );
  });
  // Also the latest routes let their clients know that the server closes.
  server.addHook('preClose', async () => latest?.close());
  server.addHook('onClose', async () => failures.close());
  return {
    server,
    async replace(next) {
      let replacement: Handler | undefined;
      // Fastify needs a server of its own, which never listens.
      const routes = createRoutes(next, logger, failures, (handler) => {
        replacement = handler;
        return createNodeServer();
      });
      await routes.ready();
      if (replacement === undefined) return;
      current = replacement;
      ({ trusted, imageOf } = next);
      latest = routes;
    },
  };
}
