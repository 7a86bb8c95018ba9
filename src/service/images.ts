/** The use case of every image address: from an admitted image and a request to an answer whose body is made on demand. */
import { createHash } from 'node:crypto';
import type { ImageRequest } from '../image/image-request.ts';
import type { Admitted, ImageSet, SourceFile } from '../image/image-set.ts';
import { keyOf, mediaTypeOf, type Plan, type PlanningRules, planImage } from '../image/plan.ts';
import type { Renderer } from '../render/renderer.ts';

/** What the body of an answer comes from. */
export type ImageBody =
  | { readonly kind: 'file'; readonly file: SourceFile }
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

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
  /** Makes the body. `signal` tells when nobody waits for it any more. */
  body(signal: AbortSignal): Promise<ImageBody>;
}

/** Changes when the same plan would be rendered to other bytes. */
const rendererVersion = '1';

const etagOf = (plan: Plan): string =>
  `"${createHash('sha256').update(rendererVersion).update(keyOf(plan)).digest('base64url').slice(0, 24)}"`;

/** Answers requests for pictures. */
export interface Images {
  /** Throws ImageError where the request can't be met. Renders nothing yet. */
  answer(request: ImageRequest, image: Admitted<ImageSet>): ImageAnswer;
}

export function createImages(renderer: Renderer, rules: PlanningRules): Images {
  return {
    answer(request, image) {
      const plan = planImage(request, image, rules);
      return {
        plan,
        mediaType: mediaTypeOf(plan),
        fileName: image.name,
        attachment: plan.kind === 'send-file' && plan.attachment,
        etag: etagOf(plan),
        lastModifiedMs: plan.file.modifiedMs,
        async body(signal) {
          if (plan.kind === 'send-file') return { kind: 'file', file: plan.file };
          const { bytes } = await renderer.render(plan, signal);
          return { kind: 'bytes', bytes };
        },
      };
    },
  };
}
