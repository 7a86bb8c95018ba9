/** What a recipe of the cookbook asks of a viewer, and the assertion that the reading room does it. */
import type { OpenedRecipe } from './opened-recipe.ts';

export interface Recipe {
  /** What it asks of a viewer. */
  readonly asks: string;
  /** How the reading room shows it. */
  readonly shown: string;
  /** The languages of the reader; English alone without. */
  readonly locale?: string;
  /** Opens it, and throws where it is not shown as it asks. */
  readonly check: (recipe: OpenedRecipe) => Promise<void>;
}

/** By the names of their folders. */
export type Recipes = Readonly<Record<string, Recipe>>;
