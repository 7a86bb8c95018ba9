/** Manifests of sound and video in the shapes that the recipes of the IIIF cookbook ask for, by the numbers of these. */

const context = 'http://iiif.io/api/presentation/3/context.json';

export interface Painting {
  readonly body: object;
  /** The fragment of the canvas that it is on. */
  readonly part?: string;
}

export interface CanvasShape {
  readonly duration?: number;
  readonly size?: { readonly width: number; readonly height: number };
  readonly paintings: readonly Painting[];
  readonly more?: object;
}

export const canvasId = (url: string, number = 1): string => `${url}/canvas/${number}`;

function canvasOf(
  url: string,
  { duration, size = undefined, paintings, more = {} }: CanvasShape,
  index: number,
): object {
  const id = canvasId(url, index + 1);
  const items = paintings.map(({ body, part = '' }, at) => ({
    id: `${id}/painting/${at}`,
    type: 'Annotation',
    motivation: 'painting',
    body,
    target: `${id}${part}`,
  }));
  return {
    id,
    type: 'Canvas',
    label: { en: [`Canvas ${index + 1}`] },
    ...(duration !== undefined && { duration }),
    ...size,
    items: [{ id: `${id}/page`, type: 'AnnotationPage', items }],
    ...more,
  };
}

export const manifestOf = (url: string, canvases: readonly CanvasShape[], more: object = {}): object => ({
  '@context': context,
  id: `${url}/manifest.json`,
  type: 'Manifest',
  label: { en: ['A recording'] },
  items: canvases.map((canvas, index) => canvasOf(url, canvas, index)),
  ...more,
});

export const sound = (url: string, name = 'short.wav', more: object = {}): object => ({
  id: `${url}/${name}`,
  type: 'Sound',
  format: 'audio/wav',
  ...more,
});

export const video = (url: string, name = 'red.webm', more: object = {}): object => ({
  id: `${url}/${name}`,
  type: 'Video',
  format: 'video/webm',
  width: 160,
  height: 90,
  ...more,
});

export const image = (url: string, name = 'page.png', size = { width: 300, height: 400 }): object => ({
  id: `${url}/${name}`,
  type: 'Image',
  format: 'image/png',
  ...size,
});

/** A canvas within a canvas, with one image. */
export const imageCanvas = (url: string, name: string): object => ({
  id: `${url}/beside/${name}`,
  type: 'Canvas',
  width: 300,
  height: 400,
  items: [
    {
      id: `${url}/beside/${name}/page`,
      type: 'AnnotationPage',
      items: [
        {
          id: `${url}/beside/${name}/painting`,
          type: 'Annotation',
          motivation: 'painting',
          body: image(url, name),
          target: `${url}/beside/${name}`,
        },
      ],
    },
  ],
});

/** A page of annotations in place. */
export const annotationPage = (url: string, items: readonly object[], label = 'Remarks'): object => ({
  id: `${url}/annotations/${label}`,
  type: 'AnnotationPage',
  label: { en: [label] },
  items: items.map((item, index) => ({ id: `${url}/annotations/${label}/${index}`, type: 'Annotation', ...item })),
});

export const captions = (url: string, name: string, language: string, label: string): object => ({
  id: `${url}/${name}`,
  type: 'Text',
  format: 'text/vtt',
  label: { en: [label] },
  language,
});

const rangeItem = (id: string): object => ({ type: 'Canvas', id });

export const range = (
  url: string,
  id: number,
  label: string,
  items: readonly (string | object)[],
  more: object = {},
) => ({
  id: `${url}/range/${id}`,
  type: 'Range',
  label: { en: [label] },
  items: items.map((item) => (typeof item === 'string' ? rangeItem(item) : item)),
  ...more,
});
