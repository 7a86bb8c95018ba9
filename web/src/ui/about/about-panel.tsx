/** The panel with facts about the image and its folder, links to other programs, and preferences. */
import { useSignal } from '@preact/signals';
import { Keyboard, Ruler, Share2 } from 'lucide';
import type { ComponentChildren, VNode } from 'preact';
import type { ImageFacts } from '../../data/image-info.ts';
import { foreignImage } from '../../data/images.ts';
import { type MessageKey, message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { isForeign } from '../../model/address/address-text.ts';
import { folderRoute } from '../../model/address/routes.ts';
import { facts, type Opened, openedNow } from '../../state/opened.ts';
import { openDialog } from '../../state/tools.ts';
import { Button, RouteLink } from '../common/button.tsx';
import { MetadataLines, MetadataValue } from '../common/folder-facts.tsx';
import { lazily } from '../common/loading.tsx';
import { BreakableName } from '../common/picture.tsx';
import { SiteLinks } from '../common/site-footer.tsx';
import { Preferences } from '../common/site-header.tsx';
import { formatCount, formatDecimal, formatDensity } from '../common/words.ts';
import { type ImageSubject, manifestOf } from '../open-with/addresses.ts';
import { DragIcon } from '../open-with/drag-icon.tsx';
import { ForeignPageFacts, ForeignWork } from './foreign-facts.tsx';

const OpenWith = lazily(async () => (await import('../open-with/open-with.tsx')).OpenWith);

const subjectOf = ({ path, card, folder, at }: Opened): ImageSubject => ({
  kind: 'image',
  path,
  title: card.label,
  folder: folder.path,
  at,
});

function OpenElsewhere({ opened }: { readonly opened: Opened }): VNode {
  const isOpen = useSignal(false);
  const subject = subjectOf(opened);
  const manifest = manifestOf(subject);
  const close = (): void => {
    isOpen.value = false;
  };
  return (
    <section class="panel-section">
      <h3>{message('open-with')}</h3>
      {manifest !== undefined && <DragIcon subject={subject} manifest={manifest} />}
      <Button
        icon={Share2}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {message('open-with')}
      </Button>
      {isOpen.value && <OpenWith subject={subject} onClose={close} />}
    </section>
  );
}

const ReaderPreferences = (): VNode => (
  <section class="panel-section">
    <h3>{message('about-reader')}</h3>
    <div class="preferences">
      <Preferences />
    </div>
    <div class="button-row row wrap">
      <Button icon={Ruler} onClick={() => openDialog('calibration')}>
        {message('calibrate')}
      </Button>
      <Button icon={Keyboard} onClick={() => openDialog('keyboard')}>
        {message('keyboard')}
      </Button>
    </div>
    <SiteLinks />
  </section>
);

export function AboutPanel(): VNode | null {
  const opened = openedNow();
  if (opened === undefined) return null;
  return (
    <>
      <section class="panel-section">
        <WorkFacts opened={opened} />
        {isForeign(opened.path) && <ForeignWork path={opened.path} />}
      </section>
      <section class="panel-section">
        <h3>{message('about-image')}</h3>
        <ImageFactsList opened={opened} />
      </section>
      <OpenElsewhere opened={opened} />
      <ReaderPreferences />
    </>
  );
}

const centimetersPerInch = 2.54;

const Fact = ({ name, children }: { readonly name: MessageKey; readonly children: ComponentChildren }): VNode => (
  <div>
    <dt>{message(name)}</dt>
    <dd>{children}</dd>
  </div>
);

const centimeters = (pixels: number, dpi: number): string => formatDecimal((pixels / dpi) * centimetersPerInch);

function SizeFacts({ image }: { readonly image: ImageFacts }): VNode {
  const { width, height, dpiX, dpiY } = image;
  const real = { width: centimeters(width, dpiX), height: centimeters(height, dpiY) };
  return (
    <>
      <Fact name="about-pixels">
        {message('pixel-size', { width: formatCount(width), height: formatCount(height) })}
      </Fact>
      {dpiX > 0 && dpiY > 0 && (
        <>
          <Fact name="about-resolution">{message('about-dpi', { dpi: formatDensity(dpiX, dpiY) })}</Fact>
          <Fact name="about-real-size">{message('about-centimeters', real)}</Fact>
        </>
      )}
    </>
  );
}

const WorkFacts = ({ opened: { folder } }: { readonly opened: Opened }): VNode => (
  <dl class="facts">
    <Fact name="about-folder">
      {isForeign(folder.path) ? (
        folder.title
      ) : (
        <RouteLink to={folderRoute(folder.path)}>{folder.title || message('library')}</RouteLink>
      )}
      {folder.summary.length > 0 && <MetadataValue paragraphs={folder.summary} />}
    </Fact>
    <MetadataLines page={folder} />
  </dl>
);

/** Where an image of another host comes from, and what of its page is not shown. */
function ForeignFacts({ path }: { readonly path: string }): VNode | null {
  const foreign = foreignImage(path);
  if (foreign === undefined) return null;
  const { manifest, page } = foreign;
  return (
    <>
      <Fact name="foreign-manifest">
        <a href={manifest} target="_blank" rel="noopener noreferrer">
          <BreakableName name={manifest} />
        </a>
      </Fact>
      {page.layers.length > 1 && (
        <Fact name="foreign-images">{message('foreign-images-shown', { count: page.layers.length })}</Fact>
      )}
    </>
  );
}

const ImageFactsList = ({ opened: { card, inner, path } }: { readonly opened: Opened }): VNode => (
  <dl class="facts">
    <Fact name="about-label">{card.label}</Fact>
    {card.pages > 1 && <Fact name="about-inner">{message('about-inner-value', { at: inner, total: card.pages })}</Fact>}
    {facts.value && <SizeFacts image={facts.value} />}
    {card.name !== '' && <Fact name="about-file">{card.name}</Fact>}
    {isForeign(path) && <ForeignPageFacts path={path} />}
    <ForeignFacts path={path} />
  </dl>
);
