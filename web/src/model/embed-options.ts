/** What the embedding page chooses for its frame: the tools that are shown, and what the wheel does. */

/** All tools; pages and zoom alone; or the image alone. */
const toolbars = ['full', 'zoom', 'none'] as const;

/** The wheel scrolls the page around the frame, and zooms with Ctrl; or it always zooms. */
const wheels = ['scroll', 'zoom'] as const;

export interface EmbedOptions {
  readonly toolbar: (typeof toolbars)[number];
  readonly wheel: (typeof wheels)[number];
}

export const defaultEmbedOptions: EmbedOptions = { toolbar: 'full', wheel: 'scroll' };

/** The attributes of the element that set them. */
export const embedOptionNames: readonly string[] = Object.keys(defaultEmbedOptions);

const valueIn = <T extends string>(values: readonly T[], text: unknown, byDefault: T): T =>
  values.find((value) => value === text) ?? byDefault;

/** Options from texts; what is missing or unknown is as before. */
export const withOptions = (
  before: EmbedOptions,
  { toolbar, wheel }: Readonly<Record<string, unknown>>,
): EmbedOptions => ({
  toolbar: valueIn(toolbars, toolbar, before.toolbar),
  wheel: valueIn(wheels, wheel, before.wheel),
});

/** Parses the fragment of a frame's address, without its `#`: `toolbar=none&wheel=zoom`. */
export const parseEmbedOptions = (fragment: string): EmbedOptions =>
  withOptions(defaultEmbedOptions, Object.fromEntries(new URLSearchParams(fragment)));
