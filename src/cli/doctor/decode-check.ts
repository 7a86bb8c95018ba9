/** Finds images of which a part is missing or damaged: by their headers and, where these leave doubt, by decoding them. */
import { renderSettings } from '../../config/groups/rendering.ts';
import { cutShort, ImageError } from '../../core/image/model/errors.ts';
import type { Resolution } from '../../core/image/model/image-set.ts';
import { decodeChecks } from '../../core/image/plan/decode-checks.ts';
import type { Renderer, RenderSettings } from '../../core/render/renderer.ts';
import { remoteStorageOf } from '../../core/storage/storage.ts';

/** `suspicious`: only files that don't end as their format requires, or that don't say how they end. */
export type Decoding = 'suspicious' | 'all';

export interface DecodeCheck {
  /** The fault of a file with these pages, as a sentence; undefined where all of its pixels are there. */
  faultOf(pages: readonly Resolution[]): Promise<string | undefined>;
  /** Ends the processes that decode. */
  close(): Promise<void>;
}

const deadlineMs = 60_000;

async function failureOf(renderer: Renderer, pages: readonly Resolution[]): Promise<string | undefined> {
  const origin = { client: 'doctor', folder: '' };
  for (const plan of pages.flatMap(decodeChecks)) {
    const deadlineAtMs = performance.now() + deadlineMs;
    const waiters = {
      signal: new AbortController().signal,
      deadlineAtMs: () => deadlineAtMs,
      start: () => undefined,
    };
    try {
      const file = (await remoteStorageOf(plan.file.path)?.localCopy(plan.file)) ?? plan.file;
      await renderer.render({ ...plan, file }, origin, waiters);
    } catch (error) {
      if (error instanceof ImageError) return error.message;
      throw error;
    }
  }
  return undefined;
}

/** Decodes in processes of its own, so that a file that harms its decoder ends none but these. */
export function createDecodeCheck(
  decoding: Decoding,
  settings: RenderSettings = renderSettings.parse({ decodedBytes: 0 }),
): DecodeCheck {
  let opened: Promise<Renderer> | undefined;
  // libvips is loaded where it is needed: this module is a part of every command.
  const open = async (): Promise<Renderer> => (await import('../../core/render/renderer.ts')).openRenderer(settings);
  const isSuspicious = ({ format, complete }: Resolution): boolean => format !== 'tiff' && !complete;
  return {
    async faultOf(pages) {
      const [first] = pages;
      if (first === undefined) return undefined;
      if (first.truncated) return cutShort().message;
      if (decoding === 'suspicious' && !isSuspicious(first)) return undefined;
      opened ??= open();
      return failureOf(await opened, pages);
    },
    close: async () => (await opened)?.close(),
  };
}
