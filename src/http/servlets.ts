/** The addresses that digilib's servlets have had over the years. */

/** Where an information endpoint answers, below the context path: first its own place, then that of older versions. */
export const informationPaths = (name: string): readonly [string, ...string[]] => [`/api/${name}`, `/${name}`];

/** Where a servlet answers, below the context path. */
export const servletPaths = (name: string): readonly string[] => [
  `/${name}`,
  `/servlet/${name}`,
  `/authenticated/servlet/${name}`,
];
