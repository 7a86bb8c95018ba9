/** A name with the parts marked that were searched for. */
import type { VNode } from 'preact';
import { partsOf } from './name-parts.ts';

export const MarkedName = ({ name, query }: { readonly name: string; readonly query: string }): VNode => (
  <>{partsOf(name, query).map(({ text, isMarked }, index) => (isMarked ? <mark key={index}>{text}</mark> : text))}</>
);
