/** The paths of digilib's servlets in its different versions. */

/** The paths of an information endpoint, below the context path: the current one first, then that of older versions. */
export const informationPaths = (name: string): readonly [string, ...string[]] => [`/api/${name}`, `/${name}`];

/** The paths of a servlet, below the context path. */
export const servletPaths = (name: string): readonly string[] => [
  `/${name}`,
  `/servlet/${name}`,
  `/authenticated/servlet/${name}`,
];
