/** The notice that a part of the open image is missing from its file. */
import { useSignal, useSignalEffect } from '@preact/signals';
import type { VNode } from 'preact';
import { fetchTruncation } from '../../data/image-info.ts';
import { pageSettings } from '../../data/page-settings.ts';
import { message } from '../../messages/message.ts';
import { openedNow } from '../../state/opened.ts';
import { stageImage } from '../../state/stage-images.ts';
import { sharpImage } from '../../state/stages.ts';

/** Once the pixels were decoded, the server knows of more files. */
const isTruncated = async (path: string, isSharp: boolean): Promise<boolean> =>
  (await stageImage(path))?.info.truncated === true ||
  (isSharp && pageSettings.showsTruncated && fetchTruncation(path));

export function TruncatedNote(): VNode | null {
  /** The path of the image that is truncated. */
  const truncated = useSignal<string | undefined>(undefined);
  const path = openedNow()?.path;
  useSignalEffect(() => {
    const asked = openedNow()?.path;
    const isSharp = asked === sharpImage.value;
    if (asked === undefined) return;
    void isTruncated(asked, isSharp).then((is) => {
      if (is) truncated.value = asked;
      else if (truncated.peek() === asked) truncated.value = undefined;
    });
  });
  if (path === undefined || truncated.value !== path) return null;
  return (
    <div class="truncated-note" role="status">
      <p>{message('image-truncated')}</p>
    </div>
  );
}
