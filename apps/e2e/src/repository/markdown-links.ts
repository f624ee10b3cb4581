/** Relative links of a Markdown text: `../README.md#settings`. Links in code do not count. */
export const linksIn = (text: string): string[] =>
  [...prose(text).matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\s*\[[^\]]+\]:\s*(\S+)/gm)]
    .map(([, inline, reference]) => inline ?? reference ?? '')
    .filter((link) => !/^[a-z][a-z\d+.-]*:|^\/\//i.test(link));

/** Source files that a Markdown text names in code, with at least one folder: `store/posts.ts`. */
export const sourcesNamedIn = (text: string): string[] =>
  [...withoutBlocks(text).matchAll(/`(?:\.{1,2}\/)*((?:[\w@-][\w@.-]*\/)+[\w.-]+\.(?:ts|mjs|proto|html|txt|md))`/g)].map(
    ([, file = '']) => file,
  );

/** The anchors of a Markdown text: those that GitHub derives from its headings, and those that it sets itself. */
export function anchorsIn(text: string): ReadonlySet<string> {
  const anchors = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id));
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#{1,6} +(.*?) *#*$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let anchor = slug;
    for (let nth = 1; anchors.has(anchor); nth++) anchor = `${slug}-${nth}`;
    anchors.add(anchor);
  }
  return anchors;
}

const withoutBlocks = (text: string) => text.replace(/^ *(```|~~~)[\s\S]*?^ *\1 *$/gm, '');

/** Code is replaced by a space: the text of a link may be code. */
const prose = (text: string) => withoutBlocks(text).replace(/`[^`\n]*`/g, ' ');
