/** The images that belong on the stage: the open one, the page beside it, and the next ones in advance. */
import { joinPage } from '../../../src/core/image/model/identifier.ts';
import { fetchInfoJson, type InfoJson } from '../data/image-info.ts';
import type { StageImage } from '../stage/layer-drawing.ts';
import type { Companion } from '../stage/stage.ts';
import { pageBeside, type ShownBook } from './book-pages.ts';
import { type Opened, reportProblem } from './opened.ts';
import { bookOf, neighborPaths } from './pages.ts';

/** Cached answers and requests under way, by the path of the image. */
const infos = new Map<string, Promise<InfoJson | undefined>>();

const maxInfos = 200;

/** Undefined where the image can't be loaded, which is reported for one on the page. */
function infoOf(path: string): Promise<InfoJson | undefined> {
  const cached = infos.get(path);
  if (cached !== undefined) return cached;
  if (infos.size >= maxInfos) infos.clear();
  const info = fetchInfoJson(path).then((answer) => {
    if (answer.ok) return answer.value;
    if (infos.get(path) === info) infos.delete(path);
    reportProblem(path, answer.problem);
    return undefined;
  });
  infos.set(path, info);
  return info;
}

export const forgetInfo = (path: string): boolean => infos.delete(path);

export async function stageImage(path: string): Promise<StageImage | undefined> {
  const info = await infoOf(path);
  return info && { path, info };
}

/** The page beside the open one of a book, where two are shown. */
export async function companionIn(book: ShownBook): Promise<Companion | undefined> {
  const beside = pageBeside(book);
  const card = beside && (await book.opened.images.find(beside.page.at));
  const image = card && (await stageImage(joinPage(card.path, beside.page.inner)));
  const isRight = beside?.isAfter === (book.direction === 'left-to-right');
  return image && { ...image, side: isRight ? 'right' : 'left' };
}

export const companionOf = (opened: Opened): Promise<Companion | undefined> => companionIn(bookOf(opened));

/** The images that the next steps lead to. */
export async function neighborImages(): Promise<readonly StageImage[]> {
  const images = await Promise.all((await neighborPaths()).map(stageImage));
  return images.filter((image) => image !== undefined);
}
