/** Executes plans that are not whole files: splices stored tiles or renders, from source files or derived pyramids. */
import { cutShort, DecoderFault, fileChanged, ImageError, isNoAnswer, isStoreFailure } from '../image/model/errors.ts';
import { outputFormats } from '../image/model/formats.ts';
import { formatIdentifier, rootIdentifier, splitLast } from '../image/model/identifier.ts';
import { type ImageSet, type SourceFile, storedHighest } from '../image/model/image-set.ts';
import { costOf, mediaTypeOf, tilesOf } from '../image/plan/cost.ts';
import type { Plan, Render, SendTile } from '../image/plan/plan-types.ts';
import type { Quarantine } from '../library/quarantine.ts';
import type { Pyramids } from '../pyramids/pyramids.ts';
import type { Rendered, Renderer, RenderOrigin } from '../render/renderer.ts';
import type { ReadTile } from '../render/tiles/tile-reader.ts';
import type { SourceHandle } from '../storage/storage.ts';
import { type Attributes, traced } from '../tracing/tracing.ts';
import type { BodyOptions, SharedWork } from './shared-work.ts';

/** Reads source files. Methods throw ImageError `changed` where the file is no longer the one that was planned with. */
export interface Sources {
  /** A file at its storage. */
  handle(file: SourceFile): SourceHandle<SourceFile>;
  /** The plan with what it needs of a file on no disk; undefined for other files, and where it needs the whole. */
  readParts(plan: Render): Promise<Render | undefined>;
  /** How the samples of a plan are scaled was measured: it need not be read for that again. */
  keepScale(plan: Render, scale: NonNullable<Rendered['scale']>): void;
  readTile(plan: SendTile): Promise<ReadTile>;
  /** The same without waiting; undefined where that is not possible. Never throws. */
  readTileAtOnce(plan: SendTile): ReadTile | undefined;
}

/** Called where a region would have been faster with a pyramid, where a pyramid is damaged, and where its store fails. */
type PyramidUse = Pick<Pyramids, 'recordSlowRegion' | 'replace' | 'leaveOut'>;

export interface ExecutorParts {
  readonly renderer: Pick<Renderer, 'render' | 'requireRoom'>;
  readonly sources: Sources;
  readonly pyramids: PyramidUse;
  readonly quarantine: Pick<Quarantine, 'requireUsable' | 'add'>;
}

type Requester = Pick<BodyOptions, 'client' | 'groups' | 'weight' | 'refusal' | 'paysPyramid' | 'onRendered'>;

/** Methods throw ImageError `changed` where a file was replaced, or a pyramid removed: then the request is planned again. */
interface PlanExecutor {
  /** `requester` is the one that requested it first. */
  execute(plan: Render | SendTile, image: ImageSet, requester: Requester, work: SharedWork): Promise<Buffer>;
  /** The reason why the stored tile of a plan can't be sent; undefined where it can, and for other plans. */
  tileFaultOf(plan: Plan, image: ImageSet): Promise<string | undefined>;
}

const usesPyramid = ({ file }: Plan, { derived }: ImageSet): boolean => file.path === derived?.file.path;

/** Whether a region is cut out of the file of the highest resolution, where a pyramid would have been faster. */
const missesPyramid = (plan: Render | SendTile, image: ImageSet): plan is Render =>
  plan.kind === 'render' &&
  plan.read !== undefined &&
  image.derived === undefined &&
  plan.file.path === storedHighest(image).file.path &&
  outputFormats[plan.format].lossy;

const attributesOf = (plan: Render | SendTile, image: ImageSet): Attributes => ({
  'lectern.image': formatIdentifier(image.identifier),
  'lectern.media_type': mediaTypeOf(plan),
  'lectern.uses_pyramid': usesPyramid(plan, image),
});

/** So many stored tiles are joined for everyone, as viewers ask for them; a join of more holds the server's thread for 15 ms and longer. */
const maxJoinedForAll = 4;

/** What has to be rendered, or would be in place of a long join; undefined for what takes next to no time. */
function costlyPartOf(plan: Render | SendTile): Render | undefined {
  if (plan.kind === 'render') return plan;
  const { width, height } = tilesOf(plan);
  return width * height > maxJoinedForAll ? plan.fallback : undefined;
}

/** A plan to execute for the requests that share the work. */
interface Execution {
  readonly origin: RenderOrigin;
  readonly work: SharedWork;
  readonly requester: Pick<Requester, 'onRendered' | 'refusal'>;
}

const originOf = ({ identifier }: ImageSet, { client, groups, weight }: Requester): RenderOrigin => ({
  ...{ client, groups, weight },
  folder: formatIdentifier(splitLast(identifier).parent ?? rootIdentifier),
});

export function createPlanExecutor({ renderer, sources, pyramids, quarantine }: ExecutorParts): PlanExecutor {
  /** The result of reading a file; ImageError `changed` where reading fails because the file was replaced meanwhile. */
  async function orChanged<T>(file: SourceFile, result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      if (!isNoAnswer(error)) await sources.handle(file).requireCurrent();
      throw error;
    }
  }

  async function replacePyramid({ file }: Plan, image: ImageSet): Promise<never> {
    await pyramids.replace(file, storedHighest(image));
    throw fileChanged();
  }

  /** Renders from parts of a file in an object store where that is possible, or else from a local file. */
  async function renderSource(plan: Render, origin: RenderOrigin, work: SharedWork): Promise<Rendered> {
    const source = sources.handle(plan.file);
    const parts = await sources.readParts(plan);
    if (parts !== undefined) {
      try {
        const rendered = await renderer.render(parts, origin, work);
        if (rendered.scale) sources.keepScale(plan, rendered.scale);
        return rendered;
      } catch (error) {
        // The decoder may need more than the parts; and whether the file is damaged, the whole of it tells.
        if (!(error instanceof ImageError) || !['failed', 'damaged'].includes(error.code)) throw error;
        if (error.cause instanceof DecoderFault) throw error;
      }
    }
    return source.withLocalCopy((file) => renderer.render(file === plan.file ? plan : { ...plan, file }, origin, work));
  }

  async function render(plan: Render, { origin, work, requester }: Execution): Promise<Buffer> {
    if (requester.refusal !== undefined) throw requester.refusal;
    // A render process would wait for a disk that hangs, and keep its slot from pictures on other disks.
    const source = sources.handle(plan.file);
    await source.requireAnswer();
    await quarantine.requireUsable(plan);
    const rendered = renderSource(plan, origin, work).catch(async (error: unknown) => {
      const fault = error instanceof ImageError ? error.cause : undefined;
      if (fault instanceof DecoderFault) await quarantine.add(plan, fault.kind);
      throw error;
    });
    const { bytes, queueMs, renderMs } = await orChanged(plan.file, rendered);
    requester.onRendered?.({ queueMs, renderMs });
    await source.requireCurrent();
    return bytes;
  }

  async function executeOnSource(plan: Render | SendTile, execution: Execution): Promise<Buffer> {
    if (plan.kind === 'render') return render(plan, execution);
    execution.work.start();
    const read = await orChanged(plan.file, sources.readTile(plan));
    if (read.kind === 'tile') return read.bytes;
    // libvips would fill the rest of the tile with gray.
    if (read.kind === 'unusable' && read.isCutShort) throw cutShort();
    return render(plan.fallback, execution);
  }

  /** Undefined where the pyramid is damaged. */
  async function executeOnPyramid(plan: Render | SendTile, execution: Execution): Promise<Buffer | undefined> {
    if (plan.kind === 'send-tile') {
      execution.work.start();
      const read = await sources.readTile(plan);
      if (read.kind === 'tile') return read.bytes;
      return read.kind === 'uncut' ? executeOnPyramid(plan.fallback, execution) : undefined;
    }
    return render(plan, execution).catch((error: unknown) => {
      if (error instanceof ImageError && error.code === 'damaged') return undefined;
      throw error;
    });
  }

  /** The same; where the store of pyramids does not answer, the request is planned again without them. */
  async function executeOnStore(plan: Render | SendTile, execution: Execution): Promise<Buffer | undefined> {
    try {
      return await executeOnPyramid(plan, execution);
    } catch (error) {
      if (!isStoreFailure(error)) throw error;
      pyramids.leaveOut(error);
      throw fileChanged(error);
    }
  }

  return {
    execute: (plan, image, requester, work) =>
      traced(
        () => ({ name: plan.kind === 'render' ? 'render' : 'read tile', attributes: attributesOf(plan, image) }),
        async () => {
          const execution = { origin: originOf(image, requester), work, requester };
          const costly = costlyPartOf(plan);
          if (costly !== undefined) renderer.requireRoom(costly, execution.origin, work);
          if (usesPyramid(plan, image)) return (await executeOnStore(plan, execution)) ?? replacePyramid(plan, image);
          if (requester.refusal === undefined && missesPyramid(plan, image))
            pyramids.recordSlowRegion(storedHighest(image), costOf(plan).ms, requester.paysPyramid);
          return executeOnSource(plan, execution);
        },
      ),
    async tileFaultOf(plan, image) {
      if (plan.kind !== 'send-tile') return undefined;
      const read = await orChanged(plan.file, sources.readTile(plan));
      if (read.kind === 'unusable' && usesPyramid(plan, image)) return replacePyramid(plan, image);
      return read.kind === 'tile' ? undefined : read.reason;
    },
  };
}
