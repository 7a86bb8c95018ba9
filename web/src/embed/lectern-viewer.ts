/** The custom element `<lectern-viewer>`, which embeds the viewer in any page. */
import {
  defaultEmbedOptions,
  embedOptionNames,
  type FromViewer,
  type OutgoingPage,
  type OutgoingSize,
  type OutgoingView,
  type PlainCommand,
} from '../model/embed/frame-messages.ts';
import type { ViewState } from '../model/view-state.ts';
import { changedParameters, frameAddress, parametersOf, viewAttributes } from './frame-address.ts';

type ShownParts = Partial<
  Pick<ViewState, 'region' | 'rotation' | 'mode' | 'marks' | 'rectangles' | 'twoPages' | 'shifted'> & {
    readonly mirror: Partial<ViewState['mirror']>;
    readonly color: Partial<ViewState['color']>;
  }
>;

const version = 1;

const addressAttributes: readonly string[] = ['src', 'path', 'base'];

const style =
  ':host{display:block;height:600px}:host([hidden]){display:none}iframe{display:block;width:100%;height:100%;border:0}';

/** The folder of this script is the address of the library. */
const scriptFolder = new URL('./', /* @vite-ignore */ import.meta.url).href;

class ViewerElement extends HTMLElement {
  static readonly observedAttributes: readonly string[] = [
    ...addressAttributes,
    ...viewAttributes,
    ...embedOptionNames,
    'page',
    'title',
    'aria-label',
    'fit',
  ];

  readonly #frame = document.createElement('iframe');
  #origin = '';
  /** Whether the viewer has sent a message; until then messages to it are queued. */
  #isReady = false;
  #queue: object[] = [];
  #view: OutgoingView | undefined;
  #page: OutgoingPage | undefined;
  #size: OutgoingSize | undefined;
  #fits = false;
  readonly #resized = new ResizeObserver(() => this.#fit());

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    // A Content Security Policy can forbid inline styles, but not constructed style sheets.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
    this.#frame.allow = 'fullscreen; clipboard-write';
    this.#frame.loading = 'lazy';
    root.append(this.#frame);
  }

  /** The view that the viewer posted last. */
  get view(): OutgoingView | undefined {
    return this.#view;
  }

  get page(): OutgoingPage | undefined {
    return this.#page;
  }

  /** Changes parts of the view, given as an object or as digilib's parameters. */
  show(what: ShownParts | string): void {
    this.#post(
      typeof what === 'string' ? { type: 'show', query: what.replace(/^\?/, '') } : { type: 'show', view: what },
    );
  }

  /** Opens a page of the folder by its position, from 1, or an image by its path in the library. */
  goToPage(which: number | string): void {
    this.#post(typeof which === 'number' ? { type: 'page', at: which } : { type: 'page', path: which });
  }

  next(): void {
    this.#command('next');
  }

  previous(): void {
    this.#command('previous');
  }

  /** Resets the view to the plain image. */
  reset(): void {
    this.#command('reset');
  }

  zoomIn(): void {
    this.#command('zoomIn');
  }

  zoomOut(): void {
    this.#command('zoomOut');
  }

  /** Shows the whole image. */
  whole(): void {
    this.#command('whole');
  }

  connectedCallback(): void {
    addEventListener('message', this.#receive);
    this.#resized.observe(this);
    this.#setTitle();
    this.#load();
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#receive);
    this.#resized.disconnect();
    this.#isReady = false;
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    if (addressAttributes.includes(name)) this.#load();
    else if (viewAttributes.includes(name)) this.show(String(changedParameters(name, before ?? '', now ?? '')));
    else if (embedOptionNames.includes(name))
      this.#post({ type: 'options', options: { ...defaultEmbedOptions, ...Object.fromEntries(this.#options()) } });
    else if (name === 'page') this.#goToAttribute();
    else if (name === 'fit') this.#fit();
    else this.#setTitle();
  }

  #options(): readonly (readonly [name: string, value: string])[] {
    return embedOptionNames.flatMap((name) => {
      const value = this.getAttribute(name);
      return value === null ? [] : [[name, value] as const];
    });
  }

  /** Opens the page that the attribute names: its position in the folder, or the path of an image. */
  #goToAttribute(): void {
    const page = this.getAttribute('page')?.trim() ?? '';
    if (page !== '') this.goToPage(/^\d+$/.test(page) ? Number(page) : page);
  }

  #setTitle(): void {
    this.#frame.title = this.getAttribute('title') ?? this.getAttribute('aria-label') ?? 'Lectern';
  }

  #load(): void {
    const address = frameAddress(
      {
        src: this.getAttribute('src'),
        path: this.getAttribute('path'),
        base: this.getAttribute('base') ?? scriptFolder,
        parameters: viewAttributes.flatMap((name) => parametersOf(name, this.getAttribute(name) ?? '')),
        options: this.#options(),
      },
      document.baseURI,
    );
    this.#isReady = false;
    this.#queue = [];
    this.#view = this.#page = this.#size = undefined;
    this.#origin = address?.origin ?? '';
    if (address === undefined) this.#frame.removeAttribute('src');
    else this.#frame.src = address.href;
    this.#goToAttribute();
  }

  #command(type: PlainCommand): void {
    this.#post({ type });
  }

  #post(message: object): void {
    if (!this.#isReady) this.#queue.push(message);
    else this.#frame.contentWindow?.postMessage({ lectern: version, ...message }, this.#origin);
  }

  readonly #receive = ({ source, origin, data }: MessageEvent): void => {
    if (source === null || source !== this.#frame.contentWindow || origin !== this.#origin) return;
    if (typeof data !== 'object' || data === null || data.lectern !== version) return;
    this.#handle(data as FromViewer);
    if (this.#isReady) return;
    this.#isReady = true;
    for (const message of this.#queue.splice(0)) this.#post(message);
  };

  #handle(message: FromViewer): void {
    switch (message.type) {
      case 'ready':
        this.#emit('ready', {});
        break;
      case 'view':
        this.#view = message.view;
        this.#emit('view', message.view);
        break;
      case 'page':
        this.#page = message.page;
        this.#emit('page', message.page);
        break;
      case 'size':
        this.#size = message.size;
        this.#fit();
        break;
      case 'problem':
        this.#emit('problem', { problem: message.problem });
        break;
      case 'answer':
        break;
    }
  }

  #emit(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(`lectern-${name}`, { detail, bubbles: true, composed: true }));
  }

  /** With `fit`, the height follows from the aspect ratio of the image and the height of the bars. */
  #fit(): void {
    if (!this.hasAttribute('fit') || this.#size === undefined) {
      // Only a height that was set here is removed.
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

if (customElements.get('lectern-viewer') === undefined) customElements.define('lectern-viewer', ViewerElement);
