/** In which order a reader wishes folders, and which of them: as addresses say it. */

export const folderOrders = ['date', 'date-down', 'author', 'language', 'title'] as const;
export type FolderOrder = (typeof folderOrders)[number];

/** The order and the choice that a reader wishes. Without any, folders come as the library has them. */
export interface FolderWish {
  readonly order?: FolderOrder;
  readonly author?: string;
  readonly language?: string;
  /** The first and the last year. */
  readonly after?: number;
  readonly before?: number;
}

/** The parameters of addresses that say a wish. */
export const wishNames = ['order', 'author', 'language', 'after', 'before'] as const;

type WishName = (typeof wishNames)[number];

const yearIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,4}$/.test(text) ? Number(text) : undefined;

/** The wish of an address; undefined where it says none. What is malformed counts as absent. */
export function parseWish(readValue: (name: WishName) => string | null | undefined): FolderWish | undefined {
  const textOf = (name: WishName): string | undefined => readValue(name)?.trim().slice(0, 200) || undefined;
  const order = folderOrders.find((one) => one === textOf('order'));
  const [author, language] = [textOf('author'), textOf('language')];
  const [after, before] = [yearIn(textOf('after')), yearIn(textOf('before'))];
  const wish = {
    ...(order !== undefined && { order }),
    ...(author !== undefined && { author }),
    ...(language !== undefined && { language }),
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  };
  return Object.keys(wish).length === 0 ? undefined : wish;
}

/** `parseWish` reads them back. */
export const wishPairs = (wish: FolderWish | undefined): readonly (readonly [name: WishName, value: string])[] =>
  wishNames.flatMap((name) => (wish?.[name] === undefined ? [] : [[name, String(wish[name])] as const]));
