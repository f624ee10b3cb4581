import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { GlobalFonts } from '@napi-rs/canvas';
import { COMMON_FONT, EMOJI_FONT, FAMILIES, type Family } from './families.ts';
import { scriptFonts, subsetsFor, type Subset } from './subsets.ts';

const { resolve } = createRequire(import.meta.url);
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

function register({ alias, file }: Subset): void {
  if (registered.has(alias)) return;
  if (!GlobalFonts.register(readFileSync(file), alias)) throw new Error(`The font ${file} cannot be loaded.`);
  registered.add(alias);
}

/** Loads the emoji font. @returns its CSS font family */
export function registerEmoji(): string {
  const alias = 'emoji';
  const folder = path.dirname(resolve(`${EMOJI_FONT}/package.json`));
  register({ alias, file: path.join(folder, 'twemoji.woff2'), ranges: [] });
  return alias;
}
