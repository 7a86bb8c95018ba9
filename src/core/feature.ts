/** The contract of features: what one adds to the server, what it is given for that, and what features may ask of each other. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { CoreSettings } from '../config/core-settings.ts';
import type { Admission } from './access/admit.ts';
import type { KnownDamage } from './access/known-damage.ts';
import type { Access } from './access/policy.ts';
import type { OutgoingBytes } from './answers/outgoing-bytes.ts';
import type { Derivatives } from './cache/derivatives.ts';
import type { FolderCards } from './folder-descriptions/folder-cards.ts';
import type { Callers, FindLinks, FindSignedIn } from './http/callers.ts';
import type { OnEnd } from './http/ended-requests.ts';
import type { DigilibErrors } from './http/error-responses.ts';
import type { ResponseMaker, SeesRequest } from './http/fast-path/fast-path.ts';
import type { ImageMount, PublicImages } from './http/image-queries.ts';
import type { ImageResponseParts } from './http/image-response.ts';
import type { ApiPart, Example } from './http/openapi/operation.ts';
import type { OriginRules } from './http/origin.ts';
import type { Readiness, ReadinessCheck } from './http/readiness.ts';
import type { HeaderList } from './http/representation.ts';
import type { Cost, Shares, WorkKind, WorkRules } from './http/request-context.ts';
import type { Measures, MetricRow, RequestKind } from './http/request-metrics.ts';
import type { SharedCaches } from './http/shared-caches.ts';
import type { LanguageMap } from './image/folder/folder-metadata.ts';
import type { Admitted, ImageSet } from './image/model/image-set.ts';
import type { Library } from './library/library.ts';
import type { Ports } from './ports.ts';
import type { Pyramids } from './pyramids/pyramids.ts';
import type { Renderer } from './render/renderer.ts';
import type { Catalogue } from './storage/catalogue.ts';

/** Groups of settings by their names. */
export type SettingGroups = Readonly<Record<string, z.ZodType>>;

/** The settings that a feature reads: those of the core and its own. */
export type SettingsWith<G extends SettingGroups> = CoreSettings & Readonly<z.output<z.ZodObject<G>>>;

/** What holds files, processes and memory: opened once, and kept when the settings are read again. */
export interface Resources {
  /** What is in buckets; undefined where nothing keeps it. */
  readonly catalogue: Catalogue | undefined;
  readonly library: Library;
  readonly renderer: Renderer;
  readonly derivatives: Derivatives;
  readonly pyramids: Pyramids;
  readonly outgoing: OutgoingBytes;
}

/** What a feature is opened with. */
export interface Opening<S = CoreSettings> {
  readonly settings: S;
  readonly logger: Logger;
  readonly resources: Resources;
  readonly measures: Measures;
  /** The metrics and the readiness of the core and of all features, as they are when they are asked for. */
  readonly metricRows: () => readonly MetricRow[];
  readonly readiness: Readiness;
}

/** A setting as the configuration page shows it. */
export interface SettingRow {
  readonly name: string;
  /** As JSON; empty where nothing is set. */
  readonly value: string;
  /** Whether the value equals the default. */
  readonly isDefault: boolean;
  readonly meaning: string;
}

/** The core for some settings: it is made anew when the settings are read again. */
export interface Core<S = CoreSettings> extends OriginRules, WorkRules, ImageResponseParts {
  readonly settings: S;
  /** Every setting of the core and of all features, as the configuration page shows it. */
  readonly settingRows: () => readonly SettingRow[];
  /** The file with the logo of the library. */
  readonly logoFile: string | undefined;
  readonly logger: Logger;
  readonly resources: Resources;
  readonly access: Access;
  readonly admission: Admission;
  readonly damage: KnownDamage;
  readonly cards: FolderCards;
  readonly publicImages: PublicImages;
  readonly callers: Callers;
  readonly errors: DigilibErrors;
  /** Whether there are rules of access, or people sign in, so that answers can differ from caller to caller. */
  readonly guarded: boolean;
  /** The headers of every answer. */
  readonly commonHeaders: HeaderList;
  /** The `Cache-Control` of what everyone may see. */
  readonly cacheControl: string;
  /** What proxies and CDNs are told beside it; undefined for nothing. */
  readonly sharedCaches: SharedCaches | undefined;
  /** What replaces the slash in the identifiers of IIIF addresses. */
  readonly iiifSlash: string;
  /** The name of the library by language; empty where it has none that everyone may know. */
  readonly libraryName: () => Promise<LanguageMap>;
  /** What the features before this one offer. */
  readonly ports: Ports;
  /** What all features offer, also those that follow: once all are added, as when a request comes. */
  readonly allPorts: () => Ports;
}

/** Routes whose requests are counted as one kind. */
export interface RouteGroup {
  readonly kind: RequestKind;
  readonly plugin: FastifyPluginCallback;
}

/** A group of routes with their parts. */
export const routeGroup = <P extends object>(
  kind: RequestKind,
  routes: FastifyPluginCallback<P>,
  parts: P,
): RouteGroup => ({ kind, plugin: (server, _options, done) => routes(server, parts, done) });

/** What a feature adds for some settings. */
export interface Additions {
  /** Below the context path. */
  readonly routes?: readonly RouteGroup[];
  /** At the root of the host, where there is a context path. */
  readonly rootRoutes?: readonly RouteGroup[];
  /** Addresses of images. */
  readonly imageMounts?: readonly ImageMount[];
  /** Describes its addresses, with an image for the examples. */
  readonly describe?: (example: Example) => Promise<ApiPart>;
  /** What is answered before Fastify. */
  readonly fastPath?: readonly ResponseMaker[];
  readonly ports?: Ports;
  /** Adds hooks that hold for all routes, also for those of others. */
  readonly addHooks?: (server: FastifyInstance) => void;
  /** Whether its hooks have to see a request, so that Fastify answers it. */
  readonly hooksSee?: SeesRequest;
  /** Answers addresses at which there is no route. */
  readonly answerNothingHere?: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** Says with whom clients share the render queue, and what they may have beside it. */
export interface RequestShares {
  /** Notes what a request tells about its client; called for each request before anything else. */
  observe(request: IncomingMessage): void;
  /** `isKnown` is whether the caller has shown who it is, by a session or a token. */
  of(request: IncomingMessage, isKnown: boolean, work: WorkKind): Shares;
  /** As `Pay`. */
  pay(request: IncomingMessage, isKnown: boolean, cost: Cost): Promise<void>;
}

/** A feature that is open. */
export interface OpenFeature<S = CoreSettings> {
  /** Throws SettingsError where the settings can't be used. */
  readonly add: (core: Core<S>) => Additions | Promise<Additions>;
  /** Its metrics, and whether it is ready. */
  readonly metricRows?: readonly MetricRow[];
  readonly readiness?: () => readonly ReadinessCheck[];
  /** Find out who signed in, asked in this order. */
  readonly findSignedIn?: readonly FindSignedIn[];
  /** Finds what the signed links of a request open. */
  readonly linksOf?: FindLinks;
  readonly shares?: RequestShares;
  /** Called for each request once its answer has ended, also where that came before Fastify; has to be quick. */
  readonly onEnd?: OnEnd;
  /** Called with each image that was admitted. */
  readonly sawImage?: ((image: Admitted<ImageSet>) => void) | undefined;
  /** Loads the modules that requests load on demand. */
  loadAhead?(): Promise<unknown>;
  /** Begins background jobs, once the server listens. */
  start?(): void;
  close?(): Promise<void>;
}

/** A feature: a plain value that says all that it adds. */
export interface Feature<S = CoreSettings> {
  readonly name: string;
  /** Its own settings, from a file that loads nothing else of it: `app/settings/settings.ts` has them in the schema of all. */
  readonly settings?: SettingGroups;
  readonly open: (opening: Opening<S>) => OpenFeature<S>;
}
