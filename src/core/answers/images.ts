/** The use case of every image address: plans an admitted image’s response, and creates its body on demand. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KnownDamage } from '../access/known-damage.ts';
import type { CacheTiers, Derivatives } from '../cache/derivatives.ts';
import { largestWithin } from '../image/model/answer-limits.ts';
import { fileChanged, ImageError } from '../image/model/errors.ts';
import { rendererVersion } from '../image/model/formats.ts';
import type { Size } from '../image/model/geometry.ts';
import type { ImageRequest } from '../image/model/image-request.ts';
import { type Admitted, highest, type ImageSet } from '../image/model/image-set.ts';
import { isOfCrowd } from '../image/model/share.ts';
import { keyOf, mediaTypeOf, outputBytesOf } from '../image/plan/cost.ts';
import { type ExplanationLine, explain } from '../image/plan/explanation.ts';
import { limitsFor } from '../image/plan/image-limits.ts';
import { planImage } from '../image/plan/plan.ts';
import type { Plan, PlanningRules, Render, ResolvedRegion, SendFile, SendTile } from '../image/plan/plan-types.ts';
import type { OpenedFile } from '../storage/storage.ts';
import { createPlanExecutor, type ExecutorParts } from './execute-plan.ts';
import type { OutgoingBytes } from './outgoing-bytes.ts';
import { type BodyOptions, createSharedWorks } from './shared-work.ts';

export type { BodyOptions } from './shared-work.ts';

interface AnswerFacts {
  readonly mediaType: string;
  /** The name for a saved copy. */
  readonly fileName: string;
  readonly attachment: boolean;
  /** Equal for equal bytes: made of the plan, the source's fingerprint and the renderer's version. */
  readonly etag: string;
  /** Of the file; absent where something lies on the image, which can change without the file. */
  readonly lastModifiedMs?: number;
  /** Whether it shows only what can be decoded of a file that is truncated or damaged. */
  readonly truncated: boolean;
  /** The region of requests that frame by region, as all of IIIF do. */
  readonly resolved?: ResolvedRegion;
}

/** A picture that is not made yet. */
export interface DerivativeAnswer extends AnswerFacts {
  readonly kind: 'derivative';
  readonly plan: Render | SendTile;
  /** The picture, where it is there without waiting: in memory, or stored as a tile of a file that the system has in memory. */
  peek(): Buffer | undefined;
  /**
   * Makes the picture. Throws ImageError `changed` where the file was replaced meanwhile: then the whole request has to start
   * again; at the deadline `overloaded` where the work has not started, or else `too-slow`.
   */
  body(options: BodyOptions): Promise<Buffer>;
}

/** An original file that is not open yet. */
export interface OriginalAnswer extends AnswerFacts {
  readonly kind: 'original';
  readonly plan: SendFile;
  /**
   * Throws ImageError `changed` where the file was replaced meanwhile: then the whole request has to start again; `damaged`
   * where it was to be sent in place of a picture and can't be decoded.
   */
  open(options: BodyOptions): Promise<OpenedFile>;
}

export type ImageAnswer = DerivativeAnswer | OriginalAnswer;

/** How a request is answered, in lines that name nothing of the host, and the plan that they explain. */
export interface Explanation {
  readonly plan: Plan;
  readonly lines: readonly ExplanationLine[];
}

export interface Images {
  /** The size of the largest picture of the whole image in its own proportions, in pixels, that the limits allow as JPEG. */
  largestOf(image: ImageSet): Size;
  /** Changes when pictures of the image do, by its files, by what lies on it or by the rules: the same on all servers, and with or without a pyramid. */
  versionOf(image: ImageSet): string;
  /** Throws ImageError where the request can't be met. Renders nothing yet. */
  answer(request: ImageRequest, image: Admitted<ImageSet>): ImageAnswer;
  /** Explains how the request would be answered. Throws as `answer` and its body do. */
  explain(request: ImageRequest, image: Admitted<ImageSet>): Promise<Explanation>;
}

interface ImagesParts extends ExecutorParts {
  readonly derivatives: Derivatives;
  readonly outgoing: OutgoingBytes;
  readonly rules: PlanningRules;
  /** Files whose damage was noticed when they were decoded. */
  readonly damage: KnownDamage;
}

const cacheKeyOf = (plan: Plan): string => hash('sha256', rendererVersion + keyOf(plan), 'base64url').slice(0, 24);

/** How many files are remembered that were checked before they were sent in place of pictures. */
const maxDecodable = 10_000;

const isTruncated = (plan: Plan): boolean => plan.kind === 'render' && plan.truncated === true;

const isDamaged = (error: unknown): boolean => error instanceof ImageError && error.code === 'damaged';

const isRefused = (error: unknown): boolean => error instanceof ImageError && error.code === 'over-budget';

const isAbandoned = (error: unknown): boolean => error instanceof ImageError && error.code === 'abandoned';

export function createImages({ derivatives, outgoing, rules, damage, ...parts }: ImagesParts): Images {
  const { execute, tileFaultOf } = createPlanExecutor(parts);
  const sharedWorks = createSharedWorks();
  /** The keys of checks that succeeded. */
  const decodable = new LRUCache<string, true>({ max: maxDecodable });

  /** A tile is read from a disk as fast as from the cache there, and from a store as fast as from another one, as long as that answers. */
  function tiersOf(plan: Render | SendTile): CacheTiers {
    if (isTruncated(plan)) return 'memory';
    if (plan.kind !== 'send-tile') return 'memory-and-disk';
    return parts.sources.handle(plan.file).localPath === undefined ? 'memory-and-own-disk' : 'memory';
  }

  /**
   * From the cache, or created once for all simultaneous requests, and aborted when none of these waits any longer. The crowd joins others,
   * and nobody else joins the crowd.
   */
  async function derive(plan: Render | SendTile, image: ImageSet, key: string, options: BodyOptions): Promise<Buffer> {
    const getOrCreate = () => {
      const workKey = isOfCrowd(options) && !sharedWorks.joins(key) ? `${key} of the crowd` : key;
      return sharedWorks.run(workKey, options, (work) =>
        derivatives.getOrCreate(key, () => execute(plan, image, options, work), {
          tiers: tiersOf(plan),
          within: (produce) => outgoing.produce(outputBytesOf(plan), work.signal, produce),
          workKey,
        }),
      );
    };
    return getOrCreate().catch((error: unknown) => {
      if (isDamaged(error) && rules.truncated === 'show' && !isTruncated(plan)) {
        damage.add(plan.file);
        throw fileChanged(error);
      }
      if (isDamaged(error)) damage.addRefused(plan.file);
      // The requests that this one joined may have been aborted just before it came.
      if (isAbandoned(error) && !options.signal.aborted) return getOrCreate();
      // Nothing is made for the one that it joined.
      if (isRefused(error) && options.refusal === undefined) return getOrCreate();
      throw error;
    });
  }

  function peek(plan: Render | SendTile, key: string): Buffer | undefined {
    const cached = derivatives.peek(key);
    if (cached !== undefined || plan.kind !== 'send-tile') return cached;
    const read = parts.sources.readTileAtOnce(plan);
    if (read?.kind !== 'tile') return undefined;
    derivatives.keep(key, read.bytes);
    return read.bytes;
  }

  async function requireDecodable(check: Render, image: ImageSet, options: BodyOptions): Promise<void> {
    const key = cacheKeyOf(check);
    if (decodable.has(key)) return;
    await derive(check, image, key, options);
    decodable.set(key, true);
  }

  async function openOriginal({ file, check }: SendFile, image: ImageSet, options: BodyOptions): Promise<OpenedFile> {
    if (check !== undefined) await requireDecodable(check, image, options);
    return parts.sources.handle(file).read();
  }

  const { maxArea, maxWidth, maxHeight, maxUpscale, maxScalerUpscale } = rules.limits;
  const limits = [maxArea, maxWidth, maxHeight, maxUpscale, maxScalerUpscale];
  const rulesKey = JSON.stringify([rendererVersion, rules.profiles, rules.truncated, rules.sendFile, limits]);

  function versionOf({ resolutions, page, covers, metadata, terms }: ImageSet): string {
    const files = resolutions.map(({ file, width, height, orientation }) => [
      file.fingerprint,
      width,
      height,
      orientation,
    ]);
    const shown = JSON.stringify([files, page, covers?.key, metadata.dpi, terms?.tier.formats]);
    return hash('sha256', rulesKey + shown, 'base64url').slice(0, 16);
  }

  return {
    versionOf,
    largestOf: (image) =>
      largestWithin(highest(image), { degrees: 0, enlarge: false }, 'jpeg', limitsFor(image, rules.limits)),
    answer(request, image) {
      const { plan, resolved } = planImage(request, image, rules);
      const key = cacheKeyOf(plan);
      const facts = {
        mediaType: mediaTypeOf(plan),
        fileName: image.name,
        attachment: plan.kind === 'send-file' && plan.attachment,
        etag: `"${key}"`,
        ...(image.covers === undefined && { lastModifiedMs: plan.file.modifiedMs }),
        truncated: isTruncated(plan),
        ...(resolved && { resolved }),
      };
      if (plan.kind === 'send-file') {
        return { ...facts, kind: 'original', plan, open: (options) => openOriginal(plan, image, options) };
      }
      return {
        ...facts,
        kind: 'derivative',
        plan,
        peek: () => peek(plan, key),
        body: (options) => derive(plan, image, key, options),
      };
    },
    async explain(request, image) {
      const decision = planImage(request, image, rules);
      const { plan } = decision;
      const tileFault = await tileFaultOf(plan, image);
      const lines = explain(decision, { image, key: cacheKeyOf(plan), ...(tileFault !== undefined && { tileFault }) });
      return { plan, lines };
    },
  };
}
