/** A name that breaks into lines between its parts, not in the middle of them. */
import { Fragment, type VNode } from 'preact';
import { namePieces } from '../../model/text/labels.ts';

export const BreakableName = ({ name }: { readonly name: string }): VNode => (
  <>
    {namePieces(name).map((piece, index) => (
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {piece}
      </Fragment>
    ))}
  </>
);
