import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { HAN_FONTS, SCRIPT_FONTS } from './families.ts';

/** A file of a font package, with its characters. */
export interface Subset {
  readonly alias: string;
  readonly file: string;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

const { resolve } = createRequire(import.meta.url);
const packages = new Map<string, readonly Subset[]>();

/** The fallback packages for the scripts of a text. */
export function scriptFonts(text: string, language: string): string[] {
  const found = SCRIPT_FONTS.filter(([script]) => script.test(text)).map(([, name]) => name as string);
  if (/\p{Script=Han}|[\u3000-\u303f\uff00-\uffef]/u.test(text)) found.push(hanFont(text, language), ...Object.values(HAN_FONTS));
  // Arrows, stars, check marks and the like. Latin families have few of them.
  if (/[\u2190-\u22ff\u2460-\u27bf]/u.test(text)) found.push(HAN_FONTS.ja);
  return [...new Set(found)];
}

function hanFont(text: string, language: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return HAN_FONTS.ja;
  const tag = language.toLowerCase();
  if (/^zh-(hant|tw|hk|mo)/.test(tag)) return HAN_FONTS['zh-hant'];
  return HAN_FONTS[tag.slice(0, 2) as 'ja' | 'ko' | 'zh'] ?? HAN_FONTS.zh;
}

/** The files of a package that have some of these characters (code points). */
export function subsetsFor(name: string, characters: readonly number[]): Subset[] {
  return subsetsOf(name).filter(({ ranges }) =>
    characters.some((character) => ranges.some(([from, to]) => character >= from && character <= to)),
  );
}

function subsetsOf(name: string): readonly Subset[] {
  const known = packages.get(name);
  if (known) return known;
  const folder = path.dirname(resolve(`${name}/package.json`));
  const ranges = JSON.parse(readFileSync(path.join(folder, 'unicode.json'), 'utf8')) as Record<string, string>;
  const short = path.basename(name);
  const variant = name.startsWith('@fontsource-variable/') ? 'wght' : '400';
  const subsets = Object.entries(ranges).map(([subset, range]) => {
    const part = subset.replace(/^\[(.*)\]$/, '$1');
    return {
      alias: `${short} ${part}`,
      file: path.join(folder, 'files', `${short}-${part}-${variant}-normal.woff2`),
      ranges: parse(range),
    };
  });
  packages.set(name, subsets);
  return subsets;
}

/** `U+0000-00FF,U+0131` as pairs of code points. */
const parse = (range: string) =>
  range.split(',').map((part): [number, number] => {
    const [from = '0', to = from] = part.trim().replace('U+', '').split('-');
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });
