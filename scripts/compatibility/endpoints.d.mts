export declare const endpoints: readonly {
  /** Markdown. */
  readonly name: string;
  readonly status: string;
  /** Addresses below the context path, with the status of their answers. */
  readonly requests: Readonly<Record<string, number>>;
}[];
