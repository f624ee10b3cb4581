import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { GlobalFonts } from '@napi-rs/canvas';
import { COMMON_FONT, EMOJI_FONT, FAMILIES, HAN_FONTS, SCRIPT_FONTS, type Family } from './families.ts';

/** A file of a font package, with its characters. */
interface Subset {
  readonly alias: string;
  readonly file: string;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

const { resolve } = createRequire(import.meta.url);
const packages = new Map<string, readonly Subset[]>();
const registered = new Set<string>();

/**
 * The CSS font families for a text: the family itself, then fallbacks for scripts that it lacks. Fonts are split into subsets of characters. Only the subsets
 * that the text needs are loaded, once in each process: all of them would take a hundred megabytes.
 * @param language BCP 47; decides how Chinese characters are drawn
 */
export function fontStack(family: Family, text: string, language: string): string {
  const characters = [...new Set(text)].map((character) => character.codePointAt(0) ?? 0);
  const wanted = [FAMILIES[family], COMMON_FONT, ...scriptFonts(text, language)].flatMap((name) => subsetsFor(name, characters));
  // Spaces and digits need a font even in a text of emoji only.
  const basic = subsetsFor(FAMILIES[family], [0x30]);
  const subsets = [...new Set([...basic, ...wanted])];
  for (const subset of subsets) register(subset);
  const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text) ? [registerEmoji()] : [];
  return [...subsets.map(({ alias }) => alias), ...emoji].map((alias) => `"${alias}"`).join(', ');
}

function scriptFonts(text: string, language: string): string[] {
  const found = SCRIPT_FONTS.filter(([script]) => script.test(text)).map(([, name]) => name as string);
  if (/\p{Script=Han}|[\u3000-\u303f\uff00-\uffef]/u.test(text)) found.push(hanFont(text, language), ...Object.values(HAN_FONTS));
  return [...new Set(found)];
}

function hanFont(text: string, language: string): string {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return HAN_FONTS.ja;
  const tag = language.toLowerCase();
  if (/^zh-(hant|tw|hk|mo)/.test(tag)) return HAN_FONTS['zh-hant'];
  return HAN_FONTS[tag.slice(0, 2) as 'ja' | 'ko' | 'zh'] ?? HAN_FONTS.zh;
}

function subsetsFor(name: string, characters: readonly number[]): Subset[] {
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

function register({ alias, file }: Subset): void {
  if (registered.has(alias)) return;
  if (!GlobalFonts.register(readFileSync(file), alias)) throw new Error(`The font ${file} cannot be loaded.`);
  registered.add(alias);
}

function registerEmoji(): string {
  const alias = 'emoji';
  const folder = path.dirname(resolve(`${EMOJI_FONT}/package.json`));
  register({ alias, file: path.join(folder, 'twemoji.woff2'), ranges: [] });
  return alias;
}
