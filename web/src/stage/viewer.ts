/** OpenSeadragon's viewer with the options of the stage. */
import OpenSeadragon from 'openseadragon';
import { maxScale } from '../model/view/framing.ts';
import { drawer } from './exact-canvas.ts';

/**
 * OpenSeadragon adds an inline style unless it finds one of this name. The page's Content-Security-Policy refuses and
 * reports it. An element of another namespace is found too, and has no effect.
 */
function withoutInlineStyle(): void {
  const name = 'data-openseadragon-mobile-css';
  if (document.querySelector(`style[${name}]`) !== null) return;
  const style = document.createElementNS('urn:lectern:none', 'style');
  style.setAttribute(name, 'true');
  document.head.append(style);
}

/** Without controls: the page has its own. */
const options = (element: HTMLElement): OpenSeadragon.Options => ({
  element,
  drawer,
  // Tiles share their edges exactly, so that none needs smoothing.
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
  // Aiming takes time between press and release.
  clickTimeThreshold: 1500,
  zoomPerScroll: 1.25,
  minZoomImageRatio: 0.4,
  maxZoomPixelRatio: maxScale,
  visibilityRatio: 0.15,
  constrainDuringPan: true,
  imageLoaderLimit: 8,
  // Retries reach a busy server; few of them, so that a failure is reported soon.
  tileRetryMax: 2,
  tileRetryDelay: 1500,
  maxImageCacheCount: 600,
  silenceMultiImageWarnings: true,
  crossOriginPolicy: false,
});

/** Creates a viewer that fills an element, without an image. */
export function openViewer(element: HTMLElement): OpenSeadragon.Viewer {
  withoutInlineStyle();
  return OpenSeadragon(options(element));
}
