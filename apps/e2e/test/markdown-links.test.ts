// Relative links and anchors in Markdown files are valid, and the source files that they name exist.
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { anchorsIn, linksIn, sourcesNamedIn } from '../src/repository/markdown-links.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const files = globSync(['*', '{apps,libs,deploy,proto}/**/*.*'], {
  cwd: ROOT,
  exclude: (name) => /(^|\/)(node_modules|dist|\..*)$/.test(name),
});
const read = (file: string) => readFile(path.join(ROOT, file), 'utf8');

describe.each(files.filter((file) => file.endsWith('.md')).sort())('%s', (file) => {
  test('has no dead links', async () => {
    const dead = [];
    for (const link of linksIn(await read(file))) {
      const [target = '', anchor] = link.split('#');
      const found = target === '' ? file : path.join(path.dirname(file), decodeURI(target));
      const leads = existsSync(path.join(ROOT, found)) && (!anchor || !found.endsWith('.md') || anchorsIn(await read(found)).has(anchor));
      if (!leads) dead.push(link);
    }
    expect(dead).toEqual([]);
  });

  test('names only source files that exist', async () => {
    const named = sourcesNamedIn(await read(file));
    expect(named.filter((one) => !files.some((each) => each === one || each.endsWith(`/${one}`)))).toEqual([]);
  });
});

test('links are found in text but not in code, and anchors are those of GitHub', () => {
  const text = [
    '# One `two`, and [three](a.md)!',
    '[`code`](b.md#c) ![image](d.png "title") <https://example.com> [away](https://example.com/e.md)',
    '```\n[no](f.md)\n```',
    '`[no](g.md)` and `h/i.ts`',
    '<a id="own"></a>',
    '## Same\n## Same',
    '[reference]: j.md',
  ].join('\n');
  expect(linksIn(text)).toEqual(['a.md', 'b.md#c', 'd.png', 'j.md']);
  expect([...anchorsIn(text)]).toEqual(['own', 'one-two-and-three', 'same', 'same-1']);
  expect(sourcesNamedIn(text)).toEqual(['h/i.ts']);
});
