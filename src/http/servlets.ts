/** The addresses that digilib's servlets have had over the years. */

/** Where a servlet answers, below the context path. */
export const servletPaths = (name: string): readonly string[] => [
  `/${name}`,
  `/servlet/${name}`,
  `/authenticated/servlet/${name}`,
];
