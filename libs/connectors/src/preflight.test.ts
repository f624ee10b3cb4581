import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { PLATFORMS } from './platform.ts';

const entry = `
  import { checkContent, checkOptions, fitText, platformRules } from '@fanfare/connectors/preflight';
  const { limits } = platformRules.x;
  const content = { caption: 'é $AA $BB ' + 'Bread '.repeat(60), media: [] };
  globalThis.response = JSON.stringify({
    platforms: Object.keys(platformRules).sort(),
    x: checkContent({ limits }, content).map(({ rule }) => rule),
    youtube: checkContent(platformRules.youtube, { ...content, caption: 'é'.repeat(2_501) }).map(({ rule, field }) => rule + ' ' + field),
    facebook: checkContent(platformRules.facebook, { ...content, link: 'https://www.facebook.com/a' }).map(({ field }) => field),
    pinterest: checkOptions(platformRules.pinterest, {}).map(({ field }) => field),
    fitted: fitText(content.caption, limits.text).slice(-6),
  });
`;

test('preflight works in a browser: it contains no Node modules and no publishing code', async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: entry, resolveDir: path.join(import.meta.dirname, '..'), loader: 'ts' },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const sources = Object.keys(metafile.inputs);
  expect(sources.filter((source) => /connectors\/src\/.*(publish|oauth|http|client)\.ts$/.test(source))).toEqual([]);
  const page = createContext({ TextEncoder, URL, Intl });
  runInContext(outputFiles[0]?.text ?? '', page);
  expect(JSON.parse((page as { response: string }).response)).toEqual({
    platforms: [...PLATFORMS].sort(),
    x: ['max_length', 'max_cashtags'],
    youtube: ['max_length caption', 'required media'],
    facebook: ['link'],
    pinterest: ['options.board_id'],
    fitted: expect.stringMatching(/Bread…$/) as string,
  });
});
