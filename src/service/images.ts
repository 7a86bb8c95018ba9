/** The use case of every image address: plans an admitted image’s response, and creates its body on demand. */
import { createHash } from 'node:crypto';
import type { CacheTiers, Derivatives } from '../cache/derivatives.ts';
import { ImageError } from '../image/model/errors.ts';
import { rendererVersion } from '../image/model/formats.ts';
import type { ImageRequest } from '../image/model/image-request.ts';
import type { Admitted, ImageSet, SourceFile } from '../image/model/image-set.ts';
import { type ExplanationLine, explain } from '../image/plan/explain.ts';
import { planImage } from '../image/plan/plan.ts';
import { isCut, keyOf, mediaTypeOf } from '../image/plan/plan-facts.ts';
import type { Plan, PlanningRules, Render, ResolvedRegion, SendTile } from '../image/plan/plan-types.ts';
import { createPlanExecutor, type ExecutorParts } from './execute-plan.ts';
import { type BodyOptions, createSharedWorks } from './shared-work.ts';

export type { BodyOptions } from './shared-work.ts';

/** The bytes of a body; for large files a stream with its length in bytes. */
export type ImageBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly stream: NodeJS.ReadableStream; readonly length: number };

/** A response whose body is not created yet. */
export interface ImageAnswer {
  readonly plan: Plan;
  readonly mediaType: string;
  /** The name for a saved copy. */
  readonly fileName: string;
  readonly attachment: boolean;
  /** Equal for equal bytes: made of the plan, the source's fingerprint and the renderer's version. */
  readonly etag: string;
  readonly lastModifiedMs: number;
  /** The region of requests that frame by region, as all of IIIF do. */
  readonly resolved?: ResolvedRegion;
  peek(): Buffer | undefined;
  /**
   * Creates the body. Throws ImageError `changed` where the file was replaced meanwhile: then the whole request has to start
   * again; at the deadline `overloaded` where the work has not started, or else `too-slow`.
   */
  body(options: BodyOptions): Promise<ImageBody>;
}

/** How a request is answered, in lines that name nothing of the host, and the plan that they explain. */
export interface Explanation {
  readonly plan: Plan;
  readonly lines: readonly ExplanationLine[];
}

export interface Images {
  /** Throws ImageError where the request can't be met. Renders nothing yet. */
  answer(request: ImageRequest, image: Admitted<ImageSet>): ImageAnswer;
  /** Explains how the request would be answered. Throws as `answer` and its body do. */
  explain(request: ImageRequest, image: Admitted<ImageSet>): Promise<Explanation>;
}

export interface ImagesParts extends ExecutorParts {
  readonly derivatives: Derivatives;
  readonly rules: PlanningRules;
}

const cacheKeyOf = (plan: Plan): string =>
  createHash('sha256').update(rendererVersion).update(keyOf(plan)).digest('base64url').slice(0, 24);

/** A whole tile is read from its source as fast as from a cache on disk; to cut one takes about a millisecond. */
const tiersOf = (plan: Render | SendTile): CacheTiers =>
  plan.kind === 'send-tile' && !isCut(plan) ? 'memory' : 'memory-and-disk';

const isAbandoned = (error: unknown): boolean => error instanceof ImageError && error.code === 'abandoned';

export function createImages({ derivatives, rules, ...parts }: ImagesParts): Images {
  const { execute, tileFaultOf } = createPlanExecutor(parts);
  const sharedWorks = createSharedWorks();

  async function readFile(file: SourceFile): Promise<ImageBody> {
    const body = await parts.sources.readCurrent(file);
    return Buffer.isBuffer(body)
      ? { kind: 'bytes', bytes: body }
      : { kind: 'stream', stream: body, length: file.bytes };
  }

  /** From the cache, or created once for all simultaneous requests, and aborted when none of these waits any longer. */
  async function derive(
    plan: Render | SendTile,
    image: ImageSet,
    key: string,
    options: BodyOptions,
  ): Promise<ImageBody> {
    const getOrCreate = () =>
      sharedWorks.run(key, options, (work) =>
        derivatives.getOrCreate(key, () => execute(plan, image, options.client, work), tiersOf(plan)),
      );
    const bytes = await getOrCreate().catch((error: unknown) => {
      // The requests that this one joined may have been aborted just before it came.
      if (isAbandoned(error) && !options.signal.aborted) return getOrCreate();
      throw error;
    });
    return { kind: 'bytes', bytes };
  }

  return {
    answer(request, image) {
      const { plan, resolved } = planImage(request, image, rules);
      const key = cacheKeyOf(plan);
      return {
        plan,
        mediaType: mediaTypeOf(plan),
        fileName: image.name,
        attachment: plan.kind === 'send-file' && plan.attachment,
        etag: `"${key}"`,
        lastModifiedMs: plan.file.modifiedMs,
        ...(resolved && { resolved }),
        peek: () => derivatives.peek(key),
        body: (options) => (plan.kind === 'send-file' ? readFile(plan.file) : derive(plan, image, key, options)),
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
