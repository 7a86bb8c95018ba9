/** Recipes about what a manifest says of itself: texts in languages, rights, links, dates and places. */
import { expect } from 'vitest';
import type { Recipes } from '../recipe.ts';

export const descriptionRecipes: Recipes = {
  '0006-text-language': {
    asks: 'title, summary, metadata and required statement in the reader’s language',
    shown: 'in French for a reader of French, and in English for others, in the title, the page’s name and the panel',
    locale: 'fr',
    async check(recipe) {
      await recipe.open();
      await recipe.expectTitle('La Mère de Whistler');
      await expect.poll(() => recipe.page.title()).toContain('La Mère de Whistler');
      await recipe.openAbout();
      await expect.poll(() => recipe.fact('Auteur').textContent()).toBe('Whistler, James Abbott McNeill');
      expect(await recipe.fact('Sujet').textContent()).toBe('McNeill Anna Matilda, mère de Whistler (1804-1881)');
      expect(await recipe.fact('Détenu par').textContent()).toBe("Musée d'Orsay, Paris, France");
      await recipe.panel.getByText('Arrangement en gris et noir n°1').waitFor();
    },
  },
  '0007-string-formats': {
    asks: 'markup in texts is seen as links and formats, not as code',
    shown: 'texts without markup, links that can be followed; pictures of other hosts are left out',
    async check(recipe) {
      await recipe.open();
      await recipe.openAbout();
      await recipe.panel.getByText('Picture taken by the IIIF Technical Coordinator').waitFor();
      expect(await recipe.fact('Author').textContent()).toContain('Glen Robson');
      const links = await recipe.panel
        .getByRole('link')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      expect(links.filter((href) => href === 'https://github.com/glenrobson').length).toBe(2);
      expect(links).toContain('https://creativecommons.org/licenses/by-sa/3.0');
      expect(await recipe.panel.textContent()).not.toContain('<');
    },
  },
  '0008-rights': {
    asks: 'the required statement is seen, and the license can be',
    shown: 'the statement under its own name, and the license by name with its link',
    async check(recipe) {
      await recipe.open();
      await recipe.openAbout();
      await expect
        .poll(() => recipe.fact('Attribution').textContent())
        .toContain('Glen Robson, IIIF Technical Coordinator.');
      const license = recipe.panel.locator('a.rights');
      expect(await license.getAttribute('href')).toBe('http://creativecommons.org/licenses/by-sa/3.0/');
      expect(await license.textContent()).toContain('CC BY-SA 3.0');
    },
  },
  '0029-metadata-anywhere': {
    asks: 'metadata of the manifest and of each canvas is shown',
    shown: 'that of the book, and below it that of the page which is open',
    async check(recipe) {
      await recipe.open();
      await recipe.openAbout();
      await expect.poll(() => recipe.fact('Creator').textContent()).toBe('Glindoni, Henry Gillard, 1852-1913');
      expect(await recipe.fact('Reference').textContent()).toBe('Wellcome Library no. 47369i');
      await expect.poll(() => recipe.fact('Description').textContent()).toContain('The scene is the house at Mortlake');
      await recipe.press('PageDown');
      await expect.poll(() => recipe.fact('Description').textContent()).toContain('standing in a circle of skulls');
      await recipe.expectPages('X-ray view of painting');
    },
  },
  '0046-rendering': {
    asks: 'the PDF is offered',
    shown: 'a link of its name beside the metadata',
    async check(recipe) {
      await recipe.open();
      await recipe.openAbout();
      const link = recipe.panel.getByRole('link', { name: 'PDF version' });
      expect(await link.getAttribute('href')).toBe('https://fixtures.iiif.io/other/UCLA/kabuki_ezukushi_rtl.pdf');
    },
  },
  '0047-homepage': {
    asks: 'the homepage can be opened',
    shown: 'a link of its name beside the metadata',
    async check(recipe) {
      await recipe.open();
      await recipe.openAbout();
      const link = recipe.panel.getByRole('link', { name: 'Home page at the Getty Museum Collection' });
      expect(await link.getAttribute('href')).toBe('https://www.getty.edu/art/collection/object/103RQQ');
    },
  },
  '0053-seeAlso': {
    asks: 'the record for machines is offered',
    shown: 'a link of its name beside the metadata',
    async check(recipe) {
      await recipe.open();
      await recipe.openAbout();
      const link = recipe.panel.getByRole('link', { name: 'MODS metadata' });
      expect(await link.getAttribute('href')).toBe('https://fixtures.iiif.io/other/UCLA/ezukushi_mods.xml');
    },
  },
  '0118-multivalue': {
    asks: 'all values of a language are shown, those of other languages not',
    shown: 'each value in a line of its own, in the reader’s language',
    async check(recipe) {
      await recipe.open();
      await recipe.openAbout();
      await expect
        .poll(() => recipe.fact('Alternative titles').locator('p').allInnerTexts())
        .toEqual(["Whistler's Mother", 'Arrangement in Grey and Black No. 1']);
      await recipe.expectTitle('Arrangement en gris et noir no 1');
    },
  },
  '0154-geo-extension': {
    asks: 'the place of the object can be shown on a map',
    shown: 'its name and coordinates beside the metadata, with a `geo:` link for the reader’s map',
    async check(recipe) {
      await recipe.open();
      await recipe.openAbout();
      const place = recipe.panel.getByRole('link', { name: 'The Laocoön Bronze' });
      expect(await place.getAttribute('href')).toBe('geo:34.0776376,-118.4745559');
      await expect.poll(() => recipe.fact('Place').textContent()).toContain('34.0776° N, 118.4746° W');
    },
  },
  '0234-provider': {
    asks: 'who provides it is named, with its logo and homepage',
    shown: 'name, logo and links beside the metadata; a logo only from hosts that the settings allow',
    async check(recipe) {
      await recipe.open();
      await recipe.openAbout();
      await expect.poll(() => recipe.fact('Provider').textContent()).toContain('UCLA Library');
      expect(
        await recipe.panel.getByRole('link', { name: 'UCLA Library Digital Collections' }).getAttribute('href'),
      ).toBe('https://digital.library.ucla.edu/');
      const logo = recipe.panel.locator('.provider-logo');
      await expect.poll(() => logo.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    },
  },
  '0240-navPlace-on-canvases': {
    asks: 'the place of each canvas can be shown on a map',
    shown: 'name and coordinates of the page that is open, with a `geo:` link',
    async check(recipe) {
      await recipe.open();
      await recipe.openAbout();
      const link = (name: string) => recipe.panel.getByRole('link', { name });
      expect(await link('Current Location of the Laocoön Bronze').getAttribute('href')).toBe(
        'geo:34.0776376,-118.4745559',
      );
      await recipe.press('PageDown');
      await link('Current Location of Painting').waitFor();
      expect(await link('Current Location of Painting').getAttribute('href')).toBe('geo:38.8920717,-77.0199025');
    },
  },
};
