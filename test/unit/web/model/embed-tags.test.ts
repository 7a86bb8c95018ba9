import { expect, it } from 'vitest';
import { frameTag, imageTag } from '../../../../web/src/model/cite/citation.ts';
import { miradorSnippet } from '../../../../web/src/ui/open-with/snippets.ts';

it('escapes names, so that they can’t end the markup or the script around them', () => {
  const nasty = '"></script><b a="&';
  for (const text of [imageTag(nasty, nasty), frameTag(nasty, nasty)]) {
    expect(text).not.toContain('</script>');
    expect(text.match(/"/g)).toHaveLength(text.startsWith('<img') ? 4 : 10);
  }
  expect(miradorSnippet({ manifest: nasty, canvas: nasty }).match(/<\/script>/g)).toHaveLength(2);
});
