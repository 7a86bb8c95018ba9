/** The colors and effects of a stage: what changes them is loaded with the first change. */
import type OpenSeadragon from 'openseadragon';
import { isNeutral } from '../../../src/core/image/model/color.ts';
import type { ColorLayer, StageLook } from './color-layer.ts';

export class StageColors {
  readonly #viewer: OpenSeadragon.Viewer;
  #layer: ColorLayer | undefined;
  #look: StageLook = { steps: {}, effects: [] };
  #closed = false;

  constructor(viewer: OpenSeadragon.Viewer) {
    this.#viewer = viewer;
  }

  /** What is visible, in the image's own colors. */
  get source(): HTMLCanvasElement {
    return this.#viewer.drawer.canvas as HTMLCanvasElement;
  }

  /** The same as it is shown. */
  get shown(): HTMLCanvasElement {
    return (this.#isChanged && this.#layer?.element) || this.source;
  }

  get #isChanged(): boolean {
    return !isNeutral(this.#look.steps) || this.#look.effects.length > 0;
  }

  setLook(look: StageLook): void {
    this.#look = look;
    if (this.#isChanged && this.#layer === undefined) void this.#load();
    else this.paint();
  }

  async #load(): Promise<void> {
    const { createColorLayer } = await import('./color-layer.ts');
    if (this.#closed) return;
    if (this.#layer === undefined) {
      this.#layer = createColorLayer();
      this.#viewer.canvas.append(this.#layer.element);
    }
    this.paint();
  }

  /** Shows what is visible now as it is changed. */
  paint(): void {
    const { source } = this;
    const changes = this.#isChanged && this.#layer?.paint(source, this.#look) === true;
    this.#layer?.element.classList.toggle('on', changes);
    source.classList.toggle('replaced', changes);
  }

  close(): void {
    this.#closed = true;
  }
}
