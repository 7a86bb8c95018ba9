/** A custom element that holds the viewer's frame: attributes and methods become messages, messages become events. */
import type { FromViewer, OutgoingPage, OutgoingSize, OutgoingView, PlainCommand } from '../model/frame-messages.ts';
import type { ViewState } from '../model/view-state.ts';
import { frameAddress, parametersOf, viewAttributes } from './frame-address.ts';

/** What `show` takes: parts of a view, or a query with digilib's parameters. */
export type ShownParts = Partial<
  Pick<ViewState, 'region' | 'rotation' | 'mode' | 'marks' | 'rectangles' | 'twoPages'> & {
    readonly mirror: Partial<ViewState['mirror']>;
    readonly color: Partial<ViewState['color']>;
  }
>;

const version = 1;

/** Attributes that lead to another frame. */
const addressAttributes: readonly string[] = ['src', 'path', 'base'];

const style =
  ':host{display:block;height:600px}:host([hidden]){display:none}iframe{display:block;width:100%;height:100%;border:0}';

/** The folder that this script lies in: the library's address. */
const scriptFolder = new URL('./', /* @vite-ignore */ import.meta.url).href;

export class ViewerElement extends HTMLElement {
  static readonly observedAttributes: readonly string[] = [
    ...addressAttributes,
    ...viewAttributes,
    'title',
    'aria-label',
    'fit',
  ];

  readonly #frame = document.createElement('iframe');
  #origin = '';
  /** Whether the viewer has said anything yet; until then messages wait. */
  #hears = false;
  #waiting: object[] = [];
  #view: OutgoingView | undefined;
  #page: OutgoingPage | undefined;
  #size: OutgoingSize | undefined;
  #fits = false;
  readonly #resized = new ResizeObserver(() => this.#fit());

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    // The page's policy may refuse styles in its text, but not those of scripts.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    this.#frame.allow = 'fullscreen; clipboard-write';
    this.#frame.loading = 'lazy';
    root.append(this.#frame);
  }

  /** The view that the viewer told of last. */
  get view(): OutgoingView | undefined {
    return this.#view;
  }

  /** The page that is open. */
  get page(): OutgoingPage | undefined {
    return this.#page;
  }

  /** Shows parts of a view, as an object or as digilib's parameters. What is not said stays. */
  show(what: ShownParts | string): void {
    this.#say(
      typeof what === 'string' ? { type: 'show', query: what.replace(/^\?/, '') } : { type: 'show', view: what },
    );
  }

  /** Opens a page of the folder: by its place, from 1, or by an image's path in the library. */
  goToPage(which: number | string): void {
    this.#say(typeof which === 'number' ? { type: 'page', at: which } : { type: 'page', path: which });
  }

  next(): void {
    this.#command('next');
  }

  previous(): void {
    this.#command('previous');
  }

  /** Everything as the image itself is. */
  reset(): void {
    this.#command('reset');
  }

  zoomIn(): void {
    this.#command('zoomIn');
  }

  zoomOut(): void {
    this.#command('zoomOut');
  }

  /** The whole image. */
  whole(): void {
    this.#command('whole');
  }

  connectedCallback(): void {
    addEventListener('message', this.#hear);
    this.#resized.observe(this);
    this.#name();
    this.#load();
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#hear);
    this.#resized.disconnect();
    this.#hears = false;
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    if (addressAttributes.includes(name)) this.#load();
    else if (viewAttributes.includes(name))
      this.show(String(new URLSearchParams(parametersOf(name, now ?? '').map(([key, value]) => [key, value]))));
    else if (name === 'fit') this.#fit();
    else this.#name();
  }

  /** What screen readers call the frame. */
  #name(): void {
    this.#frame.title = this.getAttribute('title') ?? this.getAttribute('aria-label') ?? 'Lectern';
  }

  #load(): void {
    const address = frameAddress(
      {
        src: this.getAttribute('src'),
        path: this.getAttribute('path'),
        base: this.getAttribute('base') ?? scriptFolder,
        parameters: viewAttributes.flatMap((name) => parametersOf(name, this.getAttribute(name) ?? '')),
      },
      document.baseURI,
    );
    this.#hears = false;
    this.#waiting = [];
    this.#view = this.#page = this.#size = undefined;
    this.#origin = address?.origin ?? '';
    if (address === undefined) this.#frame.removeAttribute('src');
    else this.#frame.src = address.href;
  }

  #command(type: PlainCommand): void {
    this.#say({ type });
  }

  #say(message: object): void {
    if (!this.#hears) this.#waiting.push(message);
    else this.#frame.contentWindow?.postMessage({ lectern: version, ...message }, this.#origin);
  }

  readonly #hear = ({ source, origin, data }: MessageEvent): void => {
    if (source === null || source !== this.#frame.contentWindow || origin !== this.#origin) return;
    if (typeof data !== 'object' || data === null || data.lectern !== version) return;
    this.#take(data as FromViewer);
    if (this.#hears) return;
    this.#hears = true;
    for (const message of this.#waiting.splice(0)) this.#say(message);
  };

  #take(message: FromViewer): void {
    switch (message.type) {
      case 'ready':
        this.#tell('ready', {});
        break;
      case 'view':
        this.#view = message.view;
        this.#tell('view', message.view);
        break;
      case 'page':
        this.#page = message.page;
        this.#tell('page', message.page);
        break;
      case 'size':
        this.#size = message.size;
        this.#fit();
        break;
      case 'problem':
        this.#tell('problem', { problem: message.problem });
        break;
      case 'answer':
        break;
    }
  }

  #tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(`lectern-${name}`, { detail, bubbles: true, composed: true }));
  }

  /** With `fit` the height follows the image's shape; the viewer's bars come on top of it. */
  #fit(): void {
    if (!this.hasAttribute('fit') || this.#size === undefined) {
      // Only a height that was set here is taken back.
      if (this.#fits) this.style.height = '';
      this.#fits = false;
      return;
    }
    this.#fits = true;
    const { ratio, bars } = this.#size;
    const width = Math.max(1, this.clientWidth - bars.width);
    this.style.height = `${Math.round(width / ratio + bars.height)}px`;
  }
}
