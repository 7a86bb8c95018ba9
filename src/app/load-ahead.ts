/** Loads what requests load on demand, once the server answers. */

/**
 * A start is quicker without these modules, which the first answers rarely need. Later, a lack of file descriptors could keep
 * one from being loaded, and Node never tries a module again.
 */
export async function loadAhead(): Promise<void> {
  await Promise.all([
    import('../core/library/metadata/yaml.ts'),
    import('../core/library/meta-files/parse.ts'),
    import('../features/texts/formats/parse-text.ts'),
    import('../core/http/send-xml.ts'),
    import('../core/http/openapi/document.ts'),
    import('../core/http/openapi/example.ts'),
    import('prom-client'),
  ]);
}
