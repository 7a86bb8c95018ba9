/** The use case of every image address: from an admitted image and a request to an answer whose body is made on demand. */
import { createHash } from 'node:crypto';
import type { Derivatives } from '../cache/derivatives.ts';
import { ImageError } from '../image/model/errors.ts';
import { outputFormats, rendererVersion } from '../image/model/formats.ts';
import type { ImageRequest } from '../image/model/image-request.ts';
import { type Admitted, highest, type ImageSet, type SourceFile } from '../image/model/image-set.ts';
import { type ExplanationLine, explain } from '../image/plan/explain.ts';
import { planImage } from '../image/plan/plan.ts';
import { isCut, keyOf, mediaTypeOf } from '../image/plan/plan-facts.ts';
import type { Plan, PlanningRules, Render, ResolvedRegion, SendTile } from '../image/plan/plan-types.ts';
import type { Pyramids } from '../pyramids/pyramids.ts';
import type { Renderer } from '../render/renderer.ts';
import type { ReadTile } from '../render/tiles/tiles.ts';
import { createSharedAbort } from './shared-abort.ts';

/** The bytes of an answer, or where these are many a stream of them with their length. */
export type ImageBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'stream'; readonly stream: NodeJS.ReadableStream; readonly length: number };

/** An answer that is known but for its body. */
export interface ImageAnswer {
  readonly plan: Plan;
  readonly mediaType: string;
  /** The name that a saved copy should have. */
  readonly fileName: string;
  readonly attachment: boolean;
  /** Equal for equal bytes: from the plan, the source's fingerprint and the renderer's version. */
  readonly etag: string;
  readonly lastModifiedMs: number;
  /** Of requests that frame by region, as all of IIIF do. */
  readonly resolved?: ResolvedRegion;
  /** The body at once, where it is in memory. */
  peek(): Buffer | undefined;
  /**
   * Makes the body. `signal` tells when nobody waits for it any more. Throws ImageError `changed` where the file was
   * replaced meanwhile: then the whole answer has to be made anew.
   */
  body(signal: AbortSignal): Promise<ImageBody>;
}

const shortKeyOf = (plan: Plan): string =>
  createHash('sha256').update(rendererVersion).update(keyOf(plan)).digest('base64url').slice(0, 24);

/** How a request is answered, in lines that name nothing of the host, and the plan that they explain. */
export interface Explanation {
  readonly plan: Plan;
  readonly lines: readonly ExplanationLine[];
}

/** Answers requests for pictures. */
export interface Images {
  /** Throws ImageError where the request can't be met. Renders nothing yet. */
  answer(request: ImageRequest, image: Admitted<ImageSet>): ImageAnswer;
  /** How the request would be answered. Throws as `answer` and its body do. */
  explain(request: ImageRequest, image: Admitted<ImageSet>): Promise<Explanation>;
}

/** How source files are read; all throw ImageError `changed` where the file is no longer the planned one. */
export interface Sources {
  requireCurrent(file: SourceFile): Promise<void>;
  readCurrent(file: SourceFile): Promise<Buffer | NodeJS.ReadableStream>;
  readTile(plan: SendTile): Promise<ReadTile>;
}

/** What is told of derived pyramids: where one is missed, and where one is damaged. */
export type PyramidUse = Pick<Pyramids, 'recordSlowRegion' | 'drop'>;

export interface ImagesParts {
  readonly renderer: Renderer;
  readonly sources: Sources;
  readonly derivatives: Derivatives;
  readonly pyramids: PyramidUse;
  readonly rules: PlanningRules;
}

const isFromPyramid = ({ file }: Plan, { derived }: ImageSet): boolean => file.path === derived?.file.path;

/** Whether a part is cut out of the highest resolution's own file, for which a pyramid would have served. */
const missesPyramid = (plan: Plan, image: ImageSet): boolean =>
  plan.kind === 'render' &&
  plan.read !== undefined &&
  image.derived === undefined &&
  plan.file.path === highest(image).file.path &&
  outputFormats[plan.format].lossy;

const pyramidGone = (): ImageError => new ImageError('changed', 'The image’s file is being replaced; ask again.');

export function createImages({ renderer, sources, derivatives, pyramids, rules }: ImagesParts): Images {
  const awaited = createSharedAbort();

  /** What a file gives; where that fails because the file was replaced meanwhile, ImageError `changed`. */
  async function orChanged<T>(file: SourceFile, result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      await sources.requireCurrent(file);
      throw error;
    }
  }

  async function render(plan: Render, signal: AbortSignal): Promise<Buffer> {
    const { bytes } = await orChanged(plan.file, renderer.render(plan, signal));
    await sources.requireCurrent(plan.file);
    return bytes;
  }

  async function spliceOrRender(plan: SendTile, signal: AbortSignal): Promise<Buffer> {
    const read = await orChanged(plan.file, sources.readTile(plan));
    return read.kind === 'tile' ? read.bytes : render(plan.fallback, signal);
  }

  async function readFile(file: SourceFile): Promise<ImageBody> {
    const body = await sources.readCurrent(file);
    return Buffer.isBuffer(body)
      ? { kind: 'bytes', bytes: body }
      : { kind: 'stream', stream: body, length: file.bytes };
  }

  const makeFromSource = (plan: Render | SendTile, signal: AbortSignal): Promise<Buffer> =>
    plan.kind === 'send-tile' ? spliceOrRender(plan, signal) : render(plan, signal);

  /** What the plan makes of the pyramid; undefined where that can't be read. */
  async function makeFromPyramid(plan: Render | SendTile, signal: AbortSignal): Promise<Buffer | undefined> {
    if (plan.kind === 'send-tile') {
      const read = await sources.readTile(plan);
      if (read.kind === 'tile') return read.bytes;
      return read.kind === 'uncut' ? makeFromPyramid(plan.fallback, signal) : undefined;
    }
    return render(plan, signal).catch((error: unknown) => {
      if (error instanceof ImageError && error.code === 'damaged') return undefined;
      throw error;
    });
  }

  /** A pyramid that can't be read goes; the answer is then made anew, from the source. */
  async function make(plan: Render | SendTile, image: ImageSet, signal: AbortSignal): Promise<Buffer> {
    if (!isFromPyramid(plan, image)) {
      if (missesPyramid(plan, image)) pyramids.recordSlowRegion(highest(image));
      return makeFromSource(plan, signal);
    }
    const bytes = await makeFromPyramid(plan, signal);
    if (bytes !== undefined) return bytes;
    await pyramids.drop(plan.file);
    throw pyramidGone();
  }

  /** From the cache, or made once for all who ask for it now; given up when all of them have gone. */
  async function derive(
    plan: Render | SendTile,
    image: ImageSet,
    key: string,
    signal: AbortSignal,
  ): Promise<ImageBody> {
    // A whole tile is read from its source as fast as from a file of its own; to cut one takes about a millisecond.
    const places = plan.kind === 'send-tile' && !isCut(plan) ? 'memory' : 'memory-and-disk';
    const ask = (): Promise<Buffer> =>
      awaited.run(key, signal, (nobodyWaits) =>
        derivatives.getOrCreate(key, () => make(plan, image, nobodyWaits), places),
      );
    try {
      return { kind: 'bytes', bytes: await ask() };
    } catch (error) {
      // Those before who waited for the same have gone, this one has not.
      if (!(error instanceof ImageError) || error.code !== 'abandoned' || signal.aborted) throw error;
      return { kind: 'bytes', bytes: await ask() };
    }
  }

  return {
    answer(request, image) {
      const { plan, resolved } = planImage(request, image, rules);
      const key = shortKeyOf(plan);
      return {
        plan,
        mediaType: mediaTypeOf(plan),
        fileName: image.name,
        attachment: plan.kind === 'send-file' && plan.attachment,
        etag: `"${key}"`,
        lastModifiedMs: plan.file.modifiedMs,
        ...(resolved && { resolved }),
        peek: () => derivatives.peek(key),
        body: (signal) => (plan.kind === 'send-file' ? readFile(plan.file) : derive(plan, image, key, signal)),
      };
    },
    async explain(request, image) {
      const decision = planImage(request, image, rules);
      const { plan } = decision;
      const read = plan.kind === 'send-tile' ? await orChanged(plan.file, sources.readTile(plan)) : undefined;
      if (read?.kind === 'unusable' && isFromPyramid(plan, image)) {
        await pyramids.drop(plan.file);
        throw pyramidGone();
      }
      const fault = read !== undefined && read.kind !== 'tile' ? { tileFault: read.reason } : {};
      return { plan, lines: explain(decision, { image, key: shortKeyOf(plan), ...fault }) };
    },
  };
}
