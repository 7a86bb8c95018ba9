/** Chooses the picture at the top of the start page: the one of the settings, or a detail of the largest cover. */
import pMap from 'p-map';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import { bounded } from '../../core/access/if-answering.ts';
import type { Caller } from '../../core/access/policy.ts';
import type { FolderCard, FrontPicture } from '../../core/image/folder/folder-listing.ts';
import { type FrontPictureChoice, frontRegion } from '../../core/image/folder/front-picture.ts';
import { type Admitted, highest, type ImageSet } from '../../core/image/model/image-set.ts';

interface Candidate {
  readonly path: string;
  readonly image: Admitted<ImageSet>;
  readonly choice?: FrontPictureChoice;
  /** The title of the folder that it stands for. */
  readonly title: string;
}

/** A narrower detail would be enlarged on most screens. */
const leastWidth = 800;

function pictureOf({ path, image, choice, title }: Candidate): FrontPicture {
  const { width, height } = highest(image);
  const region = choice?.region ?? frontRegion({ width, height });
  return {
    path,
    title,
    region,
    width: Math.max(1, Math.round(region.width * width)),
    height: Math.max(1, Math.round(region.height * height)),
  };
}

const isUsable = (candidate: Candidate): boolean =>
  highest(candidate.image).truncated !== true && pictureOf(candidate).width >= leastWidth;

const pixelsOf = ({ image }: Candidate): number => highest(image).width * highest(image).height;

/** The picture for a start page with these folders; null where there is none that the caller may see. */
export type FrontPictureOf = (folders: readonly FolderCard[], caller: Caller) => Promise<FrontPicture | null>;

export function createFrontPictures(admission: Admission, choice: FrontPictureChoice | undefined): FrontPictureOf {
  async function candidate(path: string, title: string, caller: Caller): Promise<Candidate | undefined> {
    const image = await ifAdmitted(admission.admit(path, 1, caller));
    return image && { path, image, title };
  }
  return async (folders, caller) => {
    const chosen = choice && (await candidate(choice.path, '', caller));
    if (choice !== undefined && chosen !== undefined) return pictureOf({ ...chosen, choice });
    const found = await pMap(
      folders,
      ({ cover, title }) => (cover === null ? undefined : candidate(cover, title, caller)),
      bounded,
    );
    const usable = found.filter((one) => one !== undefined).filter(isUsable);
    const [largest] = usable.sort((a, b) => pixelsOf(b) - pixelsOf(a));
    return largest === undefined ? null : pictureOf(largest);
  };
}
