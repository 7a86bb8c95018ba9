/** Executes plans that are not whole files: splices stored tiles or renders, from source files or derived pyramids. */
import { fileChanged, ImageError } from '../image/model/errors.ts';
import { outputFormats } from '../image/model/formats.ts';
import { highest, type ImageSet, type SourceFile } from '../image/model/image-set.ts';
import type { Plan, Render, SendTile } from '../image/plan/plan-types.ts';
import type { Pyramids } from '../pyramids/pyramids.ts';
import type { Renderer } from '../render/renderer.ts';
import type { ReadTile } from '../render/tiles/tile-reader.ts';

/** Reads source files. All methods throw ImageError `changed` where the file is no longer the one that was planned with. */
export interface Sources {
  requireCurrent(file: SourceFile): Promise<void>;
  readCurrent(file: SourceFile): Promise<Buffer | NodeJS.ReadableStream>;
  readTile(plan: SendTile): Promise<ReadTile>;
}

/** Called where a region would have been faster with a pyramid, and where a pyramid is damaged. */
export type PyramidUse = Pick<Pyramids, 'recordSlowRegion' | 'drop'>;

export interface ExecutorParts {
  readonly renderer: Renderer;
  readonly sources: Sources;
  readonly pyramids: PyramidUse;
}

/** Methods throw ImageError `changed` where a file was replaced, or a pyramid removed: then the request is planned again. */
export interface PlanExecutor {
  execute(plan: Render | SendTile, image: ImageSet, signal: AbortSignal): Promise<Buffer>;
  /** The reason why the stored tile of a plan can't be sent; undefined where it can, and for other plans. */
  tileFaultOf(plan: Plan, image: ImageSet): Promise<string | undefined>;
}

const usesPyramid = ({ file }: Plan, { derived }: ImageSet): boolean => file.path === derived?.file.path;

/** Whether a region is cut out of the file of the highest resolution, where a pyramid would have been faster. */
const missesPyramid = (plan: Render | SendTile, image: ImageSet): boolean =>
  plan.kind === 'render' &&
  plan.read !== undefined &&
  image.derived === undefined &&
  plan.file.path === highest(image).file.path &&
  outputFormats[plan.format].lossy;

export function createPlanExecutor({ renderer, sources, pyramids }: ExecutorParts): PlanExecutor {
  /** The result of reading a file; ImageError `changed` where reading fails because the file was replaced meanwhile. */
  async function orChanged<T>(file: SourceFile, result: Promise<T>): Promise<T> {
    try {
      return await result;
    } catch (error) {
      await sources.requireCurrent(file);
      throw error;
    }
  }

  async function dropPyramid(file: SourceFile): Promise<never> {
    await pyramids.drop(file);
    throw fileChanged();
  }

  async function render(plan: Render, signal: AbortSignal): Promise<Buffer> {
    const { bytes } = await orChanged(plan.file, renderer.render(plan, signal));
    await sources.requireCurrent(plan.file);
    return bytes;
  }

  async function executeOnSource(plan: Render | SendTile, signal: AbortSignal): Promise<Buffer> {
    if (plan.kind === 'render') return render(plan, signal);
    const read = await orChanged(plan.file, sources.readTile(plan));
    return read.kind === 'tile' ? read.bytes : render(plan.fallback, signal);
  }

  /** Undefined where the pyramid is damaged. */
  async function executeOnPyramid(plan: Render | SendTile, signal: AbortSignal): Promise<Buffer | undefined> {
    if (plan.kind === 'send-tile') {
      const read = await sources.readTile(plan);
      if (read.kind === 'tile') return read.bytes;
      return read.kind === 'uncut' ? executeOnPyramid(plan.fallback, signal) : undefined;
    }
    return render(plan, signal).catch((error: unknown) => {
      if (error instanceof ImageError && error.code === 'damaged') return undefined;
      throw error;
    });
  }

  return {
    async execute(plan, image, signal) {
      if (usesPyramid(plan, image)) return (await executeOnPyramid(plan, signal)) ?? dropPyramid(plan.file);
      if (missesPyramid(plan, image)) pyramids.recordSlowRegion(highest(image));
      return executeOnSource(plan, signal);
    },
    async tileFaultOf(plan, image) {
      if (plan.kind !== 'send-tile') return undefined;
      const read = await orChanged(plan.file, sources.readTile(plan));
      if (read.kind === 'unusable' && usesPyramid(plan, image)) return dropPyramid(plan.file);
      return read.kind === 'tile' ? undefined : read.reason;
    },
  };
}
