type Row = readonly [name: string, status: string];

export declare function recordedParameter(name: string): string | undefined;
export declare function shownBy(file: string, line: string): string;
export declare function withProofs(
  rows: readonly Row[],
  proofs: Readonly<Record<string, string | undefined>>,
  what: string,
): readonly (readonly [...Row, proof: string])[];
