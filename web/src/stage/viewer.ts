/** OpenSeadragon's viewer as the stage wants it. */
import OpenSeadragon from 'openseadragon';
import { drawer } from './exact-canvas.ts';

/** How far the reader can go beyond one pixel of the image on one of the screen. */
const maxEnlargement = 16;

/**
 * OpenSeadragon adds a style to the page, which the page's policy refuses and reports; but only where it does not find one
 * of this name. One that is not of HTML is found too, and styles nothing.
 */
function withoutInlineStyle(): void {
  const name = 'data-openseadragon-mobile-css';
  if (document.querySelector(`style[${name}]`) !== null) return;
  const style = document.createElementNS('urn:lectern:none', 'style');
  style.setAttribute(name, 'true');
  document.head.append(style);
}

/** How the stage's viewer behaves: without controls of its own, which the page has. */
const options = (element: HTMLElement): OpenSeadragon.Options => ({
  element,
  drawer,
  // Tiles share their edges exactly; nothing is to be smoothed.
  smoothTileEdgesMinZoom: Number.POSITIVE_INFINITY,
  showNavigationControl: false,
  keyboardNavEnabled: false,
  animationTime: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 0.35,
  springStiffness: 9,
  blendTime: 0,
  immediateRender: true,
  gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
  gestureSettingsTouch: { clickToZoom: false, dblClickToZoom: true, flickEnabled: true },
  gestureSettingsPen: { clickToZoom: false, dblClickToZoom: true },
  // Who aims takes time between press and release.
  clickTimeThreshold: 1500,
  zoomPerScroll: 1.25,
  minZoomImageRatio: 0.4,
  maxZoomPixelRatio: maxEnlargement,
  visibilityRatio: 0.15,
  constrainDuringPan: true,
  imageLoaderLimit: 8,
  // A server that is busy is asked again; one that is gone is told of soon.
  tileRetryMax: 2,
  tileRetryDelay: 1500,
  maxImageCacheCount: 600,
  silenceMultiImageWarnings: true,
  crossOriginPolicy: false,
});

/** A viewer that fills an element, with no image yet. */
export function openViewer(element: HTMLElement): OpenSeadragon.Viewer {
  withoutInlineStyle();
  return OpenSeadragon(options(element));
}
