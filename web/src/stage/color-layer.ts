/** A canvas above another one that shows it changed: with effects, and colors as the Scaler computes them; by WebGL, or pixel by pixel. */
import { applyColor, type ColorOperator, type ColorSteps } from '../../../src/core/image/model/color.ts';
import { applyEffects, blurHalvings, channelOf, gains, inkRange, needsBlur } from '../model/view/effects.ts';
import type { ViewEffect } from '../model/view-state.ts';
import { createBlur } from './blur.ts';

/** How the stage is changed. */
export interface StageLook {
  readonly steps: ColorSteps;
  readonly effects: readonly ViewEffect[];
}

const vertexShader = `#version 300 es
in vec2 corner;
out vec2 at;
void main() {
  at = vec2(corner.x, 1.0 - corner.y);
  gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}`;

/** The steps of src/core/image/model/color.ts: a channel, contrast, operator. Integer weights give BITONAL the same threshold. */
const fragmentShader = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform sampler2D fine;
uniform sampler2D wide;
uniform int channel;
uniform bvec3 effects;
uniform vec3 factors;
uniform vec3 offsets;
uniform vec2 contrast;
uniform int operation;
in vec2 at;
out vec4 color;

float luminance(vec3 v) { return (2126.0 * v.r + 7152.0 * v.g + 722.0 * v.b) / 10000.0; }

vec3 falseColor(float gray) {
  if (gray < 64.0) return vec3(0.0, 4.0 * gray, 255.0);
  if (gray < 192.0) return vec3(2.0 * (gray - 64.0), 255.0, 255.0 - 2.0 * (gray - 64.0));
  return vec3(255.0, 255.0 - 4.0 * (gray - 192.0), 0.0);
}

vec3 bytes(vec4 stored) {
  vec3 value = floor(stored.rgb * 255.0 + 0.5);
  return channel < 0 ? value : vec3(channel == 0 ? value.r : channel == 1 ? value.g : value.b);
}

void main() {
  vec4 stored = texture(picture, at);
  vec3 own = bytes(stored);
  vec3 value = own;
  if (effects.x) value = clamp(value + ${gains.sharp.toFixed(4)} * (own - bytes(texture(fine, at))), 0.0, 255.0);
  vec3 around = bytes(texture(wide, at));
  if (effects.y) value = clamp(255.0 * (value / max(around, 1.0) - ${inkRange.black.toFixed(4)}) / ${(inkRange.white - inkRange.black).toFixed(4)}, 0.0, 255.0);
  if (effects.z) value = clamp(value + ${gains.local.toFixed(4)} * (own - around), 0.0, 255.0);
  value = floor(value + 0.5);
  value = clamp(value * factors + offsets, 0.0, 255.0);
  value = clamp(value * contrast.x + contrast.y, 0.0, 255.0);
  if (operation == 1) value = vec3(luminance(value));
  else if (operation == 2) value = vec3((299.0 * value.r + 587.0 * value.g + 114.0 * value.b) / 1000.0);
  else if (operation == 3) value = vec3(2126.0 * value.r + 7152.0 * value.g + 722.0 * value.b >= 1280000.0 ? 255.0 : 0.0);
  else if (operation == 4) value = 255.0 - value;
  else if (operation == 5) value = falseColor(luminance(value));
  color = vec4(floor(clamp(value, 0.0, 255.0) + 0.5) / 255.0, stored.a);
}`;

const operationNumbers: Readonly<Record<ColorOperator, number>> = {
  GRAYSCALE: 1,
  NTSC_GRAY: 2,
  BITONAL: 3,
  INVERT: 4,
  MAP_GRAY_BGR: 5,
};

/** Larger factors have the same result, but infinity times zero is not zero. */
const largestFactor = 1e30;

const finite = (factor: number): number => Math.min(factor, largestFactor);

/** Draws the pixels of a source, changed, into a canvas of the same size. */
interface Painter {
  paint(source: HTMLCanvasElement, look: StageLook): void;
}

/** What is around the pixels of a source, as far as effects need it. */
function createSurroundings(isRead: boolean) {
  const [fine, wide] = [createBlur(blurHalvings.fine, isRead), createBlur(blurHalvings.wide, isRead)];
  return (source: HTMLCanvasElement, effects: readonly ViewEffect[]) => ({
    fine: needsBlur(effects, 'fine') ? fine(source) : undefined,
    wide: needsBlur(effects, 'wide') ? wide(source) : undefined,
  });
}

function compile(gl: WebGL2RenderingContext, type: number, source: string): WebGLShader | undefined {
  const shader = gl.createShader(type);
  if (shader === null) return undefined;
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return gl.getShaderParameter(shader, gl.COMPILE_STATUS) ? shader : undefined;
}

function linkedProgram(gl: WebGL2RenderingContext): WebGLProgram | undefined {
  const program = gl.createProgram();
  const shaders = [compile(gl, gl.VERTEX_SHADER, vertexShader), compile(gl, gl.FRAGMENT_SHADER, fragmentShader)];
  for (const shader of shaders) if (shader !== undefined) gl.attachShader(program, shader);
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : undefined;
}

/** The texture units of the picture and of what is around its pixels. */
const units = { picture: 0, fine: 1, wide: 2 } as const;

function prepareTexture(gl: WebGL2RenderingContext, unit: number): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
}

function prepareTextures(gl: WebGL2RenderingContext, program: WebGLProgram): void {
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), gl.STATIC_DRAW);
  const corner = gl.getAttribLocation(program, 'corner');
  gl.enableVertexAttribArray(corner);
  gl.vertexAttribPointer(corner, 2, gl.FLOAT, false, 0, 0);
  for (const [name, unit] of Object.entries(units)) {
    prepareTexture(gl, unit);
    gl.uniform1i(gl.getUniformLocation(program, name), unit);
  }
  gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
  gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
}

/** Names of software renderers, which are slower than changing the pixels directly. */
const softwareNames = /swiftshader|llvmpipe|softpipe|software|basic render/i;

function isSoftware(gl: WebGL2RenderingContext): boolean {
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  return names !== null && softwareNames.test(String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL)));
}

/** Undefined where the browser has no WebGL 2 on a graphics card. */
function webglPainter(canvas: HTMLCanvasElement): Painter | undefined {
  const gl = canvas.getContext('webgl2', {
    premultipliedAlpha: false,
    preserveDrawingBuffer: true,
    antialias: false,
    failIfMajorPerformanceCaveat: true,
  });
  const program = gl && !isSoftware(gl) ? linkedProgram(gl) : undefined;
  if (gl === null || program === undefined) return undefined;
  prepareTextures(gl, program);
  const locate = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
  const locations = {
    factors: locate('factors'),
    offsets: locate('offsets'),
    contrast: locate('contrast'),
    operation: locate('operation'),
    channel: locate('channel'),
    effects: locate('effects'),
  };
  const surroundingsOf = createSurroundings(false);
  const upload = (unit: number, pixels: HTMLCanvasElement | undefined): void => {
    if (pixels === undefined) return;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  };
  return {
    paint(source, { steps: { channels, contrast, operator }, effects }) {
      const { fine, wide } = surroundingsOf(source, effects);
      gl.viewport(0, 0, canvas.width, canvas.height);
      upload(units.picture, source);
      upload(units.fine, fine);
      upload(units.wide, wide);
      gl.uniform1i(locations.channel, channelOf(effects));
      const isOn = (['sharp', 'ink', 'local'] as const).map((name) => Number(effects.includes(name)));
      gl.uniform3iv(locations.effects, isOn);
      gl.uniform3fv(locations.factors, (channels?.factors ?? [1, 1, 1]).map(finite));
      gl.uniform3fv(locations.offsets, [...(channels?.offsets ?? [0, 0, 0])]);
      gl.uniform2f(locations.contrast, finite(contrast?.factor ?? 1), contrast?.offset ?? 0);
      gl.uniform1i(locations.operation, operator === undefined ? 0 : operationNumbers[operator]);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    },
  };
}

/** Applies the server's own function to the pixels, after the effects. */
function pixelPainter(canvas: HTMLCanvasElement): Painter {
  const context = canvas.getContext('2d');
  const surroundingsOf = createSurroundings(true);
  return {
    paint(source, { steps, effects }) {
      const { width, height } = canvas;
      const pixelsOf = (of: HTMLCanvasElement | undefined) => of?.getContext('2d')?.getImageData(0, 0, width, height);
      const pixels = pixelsOf(source);
      if (context === null || pixels === undefined) return;
      if (effects.length > 0) {
        const { fine, wide } = surroundingsOf(source, effects);
        applyEffects(pixels.data, { fine: pixelsOf(fine)?.data, wide: pixelsOf(wide)?.data }, effects);
      }
      const changed = applyColor(new Uint8Array(pixels.data.buffer), 4, steps);
      pixels.data.set(changed);
      context.putImageData(pixels, 0, 0);
    },
  };
}

export interface ColorLayer {
  readonly element: HTMLCanvasElement;
  /** Draws the source as it is now; false where the browser does not let the page read it, since its host does not share it. */
  paint(source: HTMLCanvasElement, look: StageLook): boolean;
}

export function createColorLayer(): ColorLayer {
  let element = document.createElement('canvas');
  let painter = webglPainter(element);
  if (painter === undefined) {
    // A canvas with one kind of context can't get another.
    element = document.createElement('canvas');
    painter = pixelPainter(element);
  }
  element.className = 'color-layer';
  return {
    element,
    paint(source, look) {
      if (element.width !== source.width) element.width = source.width;
      if (element.height !== source.height) element.height = source.height;
      try {
        painter.paint(source, look);
        return true;
      } catch (error) {
        if (error instanceof DOMException && error.name === 'SecurityError') return false;
        throw error;
      }
    },
  };
}
