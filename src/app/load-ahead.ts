/** Loads what requests load on demand, once the server answers. */

/**
 * A start is quicker without these modules, which the first answers rarely need. Later, a lack of file descriptors could keep
 * one from being loaded, and Node never tries a module again.
 */
export async function loadAhead(): Promise<void> {
  await Promise.all([
    import('../library/metadata/yaml.ts'),
    import('../library/meta-files/parse.ts'),
    import('../library/texts/parse-text.ts'),
    import('../http/xml.ts'),
    import('../http/openapi/document.ts'),
    import('../http/openapi/example.ts'),
    import('prom-client'),
  ]);
}
