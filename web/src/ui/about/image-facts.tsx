/** Facts about the open image: its folder, size and metadata. */
import type { ComponentChildren, VNode } from 'preact';
import type { ImageFacts } from '../../data/image-info.ts';
import { foreignImage } from '../../data/images.ts';
import { message } from '../../messages/message.ts';
import type { MessageKey } from '../../messages/messages.ts';
import { isForeign } from '../../model/address/foreign-path.ts';
import { folderRoute } from '../../model/address/routes.ts';
import { facts, type Opened } from '../../state/opened.ts';
import { BreakableName } from '../common/breakable-name.tsx';
import { formatCount, formatDecimal, formatDensity } from '../common/counts.ts';
import { MetadataLines, MetadataValue } from '../common/metadata-lines.tsx';
import { RouteLink } from '../common/route-link.tsx';

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

/** The work: what its metadata say of it, and its rights. */
export const WorkFacts = ({ opened: { folder } }: { readonly opened: Opened }): VNode => (
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
      {page.images > 1 && <Fact name="foreign-images">{message('foreign-images-shown', { count: page.images })}</Fact>}
    </>
  );
}

/** The image itself: its page, file and size. */
export const ImageFactsList = ({ opened: { card, inner, path } }: { readonly opened: Opened }): VNode => (
  <dl class="facts">
    <Fact name="about-label">{card.label}</Fact>
    {card.pages > 1 && <Fact name="about-inner">{message('about-inner-value', { at: inner, total: card.pages })}</Fact>}
    {facts.value && <SizeFacts image={facts.value} />}
    {card.name !== '' && <Fact name="about-file">{card.name}</Fact>}
    <ForeignFacts path={path} />
  </dl>
);
