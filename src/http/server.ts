/** The HTTP server: what holds for every request, and the routes. */
import {
  createServer as createNodeServer,
  type Server as HttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { badRequest, ImageError } from '../image/model/errors.ts';
import { sendTextError } from './errors.ts';
import { originOf, routableTarget } from './origin.ts';
import { rejectConnection } from './reject-connection.ts';
import { browseRoutes } from './routes/browse.ts';
import { configRoute } from './routes/config.ts';
import { digilibApiRoutes } from './routes/digilib-api.ts';
import { iiifRoutes } from './routes/iiif.ts';
import { infoObjectRoute, withInfoObjectFastLane } from './routes/info-object.ts';
import { notYetRoutes } from './routes/not-yet.ts';
import { sendNothingHere } from './routes/nothing-here.ts';
import { openApiRoute } from './routes/openapi.ts';
import { presentationRoutes } from './routes/presentation.ts';
import { roomRoutes } from './routes/reading-room.ts';
import { scalerRoutes } from './routes/scaler.ts';
import { unitsRoute } from './routes/units.ts';
import { webappRoute } from './routes/webapp.ts';
import { maxAddressBytes, type Service } from './service.ts';

/** All headers together, in bytes: less than what arrives in one piece, which tells what was too long. */
const maxHeaderBytes = 60_000;

const allowedMethods = 'GET, HEAD, OPTIONS';

/** Headers that browsers and viewers need on every answer, errors included. */
function setCommonHeaders(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*');
  reply.header('x-content-type-options', 'nosniff');
}

function answerOptions(reply: FastifyReply): FastifyReply {
  return reply
    .code(204)
    .header('allow', allowedMethods)
    .header('access-control-allow-methods', allowedMethods)
    .header('access-control-allow-headers', '*, authorization')
    .header('access-control-max-age', '86400')
    .send();
}

/** The server only reads: any other method is refused for every address alike. */
function refuseMethod(reply: FastifyReply): FastifyReply {
  return reply
    .code(405)
    .header('allow', allowedMethods)
    .type('text/plain; charset=utf-8')
    .send(`This server only reads; use ${allowedMethods.replace(', OPTIONS', ' or OPTIONS')}.\n`);
}

/** What holds for every request; throws where it can't be served. Returns whether the route is still to answer. */
function applyRequestRules(request: FastifyRequest, reply: FastifyReply, service: Service): boolean {
  setCommonHeaders(reply);
  if (request.originalUrl.length > maxAddressBytes) {
    throw new ImageError('address-too-long', `An address can have at most ${maxAddressBytes} bytes.`);
  }
  const origin = originOf(request.raw, service.trusted);
  request.origin = service.publicAddress ?? origin;
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  if (request.method === 'OPTIONS') answerOptions(reply);
  else refuseMethod(reply);
  return false;
}

function addRequestRules(server: FastifyInstance, service: Service): void {
  server.addHook('onRequest', (request, reply, next) => {
    try {
      if (applyRequestRules(request, reply, service)) next();
    } catch (error) {
      next(error as Error);
    }
  });
}

/** What Fastify itself refuses, in this server's words. */
function answerFrameworkError(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  setCommonHeaders(reply);
  void sendTextError(badRequest('The request is malformed.'), request, reply);
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Node's server with its bounds on slow and large requests. */
const createHttpServer = (handler: Handler): HttpServer =>
  createNodeServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: 15_000,
      requestTimeout: 20_000,
      keepAliveTimeout: 10_000,
      connectionsCheckingInterval: 5_000,
    },
    handler,
  );

export interface ServerOptions {
  /** The path below which everything is served, such as `/digilib`; empty for the root. */
  readonly contextPath: string;
  readonly logger: FastifyBaseLogger;
}

/** A server that is ready to listen. */
export function createServer(service: Service, { contextPath, logger }: ServerOptions): FastifyInstance {
  const server = Fastify({
    loggerInstance: logger,
    // One logger for all requests: those that matter are logged with their address.
    childLoggerFactory: (parent) => parent,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: maxAddressBytes },
    rewriteUrl: (request) => routableTarget(request.url ?? '/'),
    serverFactory: (handler) =>
      createHttpServer(withInfoObjectFastLane(service, service.fastPath.before(service, handler))),
    forceCloseConnections: 'idle',
    frameworkErrors: answerFrameworkError,
    clientErrorHandler: rejectConnection,
  });
  server.decorateRequest('origin', '');
  addRequestRules(server, service);
  server.setNotFoundHandler((request, reply) => sendNothingHere(service, request, reply));
  server.setErrorHandler((error, request, reply) => sendTextError(error, request, reply));
  infoObjectRoute(server, service);
  digilibApiRoutes(server, contextPath, service);
  notYetRoutes(server, contextPath);
  configRoute(server, contextPath, service);
  scalerRoutes(server, contextPath, service);
  iiifRoutes(server, contextPath, service);
  presentationRoutes(server, contextPath, service);
  openApiRoute(server, contextPath, service);
  browseRoutes(server, contextPath, service);
  unitsRoute(server, contextPath, service);
  roomRoutes(server, contextPath, service);
  webappRoute(server, contextPath, service);
  return server;
}
