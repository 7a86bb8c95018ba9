/** The average of what is around each pixel of a canvas, by halving it several times and doubling it again. */

interface Step {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
}

function createStep(willReadFrequently: boolean): Step | undefined {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently });
  return context === null ? undefined : { canvas, context };
}

/** Draws a canvas into another one of the given size. */
function redraw(from: HTMLCanvasElement, { canvas, context }: Step, width: number, height: number): HTMLCanvasElement {
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  context.globalCompositeOperation = 'copy';
  context.imageSmoothingEnabled = true;
  context.drawImage(from, 0, 0, width, height);
  return canvas;
}

/** The result is the same canvas each time, of which the pixels may be read; pixels outside of the image do not count, since they are transparent. */
export function createBlur(halvings: number, isRead: boolean): (source: HTMLCanvasElement) => HTMLCanvasElement {
  const steps = (): readonly Step[] =>
    Array.from({ length: halvings }, () => createStep(isRead)).filter((step) => step !== undefined);
  const [down, up] = [steps(), steps()];
  return (source) => {
    const sizes = Array.from({ length: halvings + 1 }, (_, at) =>
      [source.width, source.height].map((length) => Math.max(1, Math.ceil(length / 2 ** at))),
    );
    const sizeAt = (at: number): readonly [number, number] => [sizes[at]?.[0] ?? 1, sizes[at]?.[1] ?? 1];
    const smallest = down.reduce((from, step, at) => redraw(from, step, ...sizeAt(at + 1)), source);
    return up.reduce((from, step, at) => redraw(from, step, ...sizeAt(halvings - 1 - at)), smallest);
  };
}
