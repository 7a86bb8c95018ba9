/** The fields by which folders are ordered and chosen, with what there is to choose. */
import { useSignal } from '@preact/signals';
import { X } from 'lucide';
import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import type { FolderFacets } from '../../../../src/core/image/folder/folder-listing.ts';
import {
  type FolderOrder,
  type FolderWish,
  folderOrders,
  parseWish,
} from '../../../../src/core/image/folder/folder-wish.ts';
import { language, message } from '../../messages/messages.ts';
import '../../messages/panel-messages.ts';
import { Button } from '../common/button.tsx';
import { formatCount } from '../common/words.ts';

export interface FacetFieldsProps {
  /** What the folders are of: another place has other ones. */
  readonly place: string;
  readonly wish: FolderWish | undefined;
  /** What can be chosen, where the list on the page says so; null where there are too many folders. */
  readonly facets: FolderFacets | null | undefined;
  /** Asks for it where the list does not. */
  readonly fetchFacets: (signal: AbortSignal) => Promise<FolderFacets | null>;
  readonly onWish: (wish: FolderWish | undefined) => void;
}

/** Undefined while they are loading. */
function useFacets({ place, facets, fetchFacets }: FacetFieldsProps): FolderFacets | null | undefined {
  const fetched = useSignal<FolderFacets | null | undefined>(undefined);
  const needs = facets === undefined;
  useEffect(() => {
    fetched.value = undefined;
    if (!needs) return undefined;
    const ending = new AbortController();
    void fetchFacets(ending.signal).then((answer) => {
      if (!ending.signal.aborted) fetched.value = answer;
    });
    return () => ending.abort();
  }, [place, needs, language.value]);
  return facets === undefined ? fetched.value : facets;
}

type Choice = readonly [value: string, name: string];

interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  readonly onChoose: (value: string) => void;
}

function SelectField({ label, value, choices, onChoose }: SelectFieldProps): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {choices.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface YearFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  /** The first or the last year that there is. */
  readonly edge: number;
  readonly onYear: (text: string) => void;
}

function YearField({ label, value, edge, onYear }: YearFieldProps): VNode {
  const id = useId();
  return (
    <div class="field year">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        maxLength={4}
        autocomplete="off"
        placeholder={String(edge)}
        value={value ?? ''}
        onChange={({ currentTarget }) => onYear(currentTarget.value)}
      />
    </div>
  );
}

/** A value that the address names is offered also where no folder has it. */
function choicesOf(values: FolderFacets['authors'], wished: string | undefined): readonly Choice[] {
  const named = values.map(({ value, count }): Choice => [value, `${value} (${formatCount(count)})`]);
  const isKnown = wished === undefined || values.some(({ value }) => value === wished);
  return [['', message('facets-all')], ...(isKnown ? [] : [[wished, wished] as const]), ...named];
}

/** Whether folders can differ in it. */
const has: Readonly<Record<FolderOrder, (facets: FolderFacets) => boolean>> = {
  date: ({ years }) => years !== null,
  'date-down': ({ years }) => years !== null,
  author: ({ authors }) => authors.length > 0,
  language: ({ languages }) => languages.length > 0,
  title: () => true,
};

const ordersOf = (facets: FolderFacets, wished: FolderOrder | undefined): readonly Choice[] => [
  ['', message('facets-order-own')],
  ...folderOrders
    .filter((order) => order === wished || has[order](facets))
    .map((order): Choice => [order, message(`facets-order-${order}`)]),
];

export function FacetFields(props: FacetFieldsProps): VNode {
  const { wish = {}, onWish } = props;
  const facets = useFacets(props);
  const change = (name: keyof FolderWish, text: string): void =>
    onWish(parseWish((one) => (one === name ? text : String(wish[one] ?? ''))));
  if (facets === undefined) return <p role="status">{message('loading')}</p>;
  if (facets === null) return <p class="soft">{message('facets-too-many')}</p>;
  return (
    <div class="facet-fields">
      <SelectField
        label={message('facets-order')}
        value={wish.order ?? ''}
        choices={ordersOf(facets, wish.order)}
        onChoose={(order) => change('order', order)}
      />
      {(facets.authors.length > 0 || wish.author !== undefined) && (
        <SelectField
          label={message('facets-author')}
          value={wish.author ?? ''}
          choices={choicesOf(facets.authors, wish.author)}
          onChoose={(author) => change('author', author)}
        />
      )}
      {(facets.languages.length > 0 || wish.language !== undefined) && (
        <SelectField
          label={message('facets-language')}
          value={wish.language ?? ''}
          choices={choicesOf(facets.languages, wish.language)}
          onChoose={(one) => change('language', one)}
        />
      )}
      {facets.years !== null && (
        <>
          <YearField
            label={message('facets-after')}
            value={wish.after}
            edge={facets.years.from}
            onYear={(year) => change('after', year)}
          />
          <YearField
            label={message('facets-before')}
            value={wish.before}
            edge={facets.years.to}
            onYear={(year) => change('before', year)}
          />
        </>
      )}
      {props.wish !== undefined && (
        <Button icon={X} onClick={() => onWish(undefined)}>
          {message('facets-clear')}
        </Button>
      )}
    </div>
  );
}
