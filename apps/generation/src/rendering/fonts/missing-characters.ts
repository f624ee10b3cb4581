import { COMMON_FONT, FAMILIES } from './families.ts';
import { scriptFonts, subsetsFor } from './subsets.ts';

const SUPPORTED_SCRIPTS = 'Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, Bengali, Thai, Chinese, Japanese and Korean';

/** The names of scripts that people write and that no font has. */
const UNSUPPORTED = [
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Gujarati', 'Gurmukhi', 'Oriya', 'Sinhala', 'Khmer', 'Lao', 'Myanmar', 'Tibetan'],
  ...['Ethiopic', 'Cherokee', 'Georgian', 'Armenian', 'Mongolian', 'Syriac', 'Thaana', 'Nko', 'Tifinagh', 'Javanese', 'Balinese'],
].map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')] as const);

/** The characters of a text that no font has. They would be drawn as boxes. */
function missingCharacters(text: string, language: string): string[] {
  const names = [FAMILIES.Inter, COMMON_FONT, ...scriptFonts(text, language)];
  return [...new Set(text)].filter((character) => {
    if (/[\s\p{Extended_Pictographic}\p{Emoji_Component}\p{Cf}\p{Cc}\p{Mn}]/u.test(character)) return false;
    const code = character.codePointAt(0) ?? 0;
    return !names.some((name) => subsetsFor(name, [code]).length > 0);
  });
}

/** Says which characters no font has, and their script; undefined if a text can be rendered. */
export function missingFont(text: string, language: string): string | undefined {
  const missing = missingCharacters(text, language);
  if (missing.length === 0) return undefined;
  const scripts = UNSUPPORTED.filter(([, script]) => missing.some((character) => script.test(character))).map(([name]) => name);
  const script = scripts.length > 0 ? ` (${scripts.join(', ')})` : '';
  return `There is no font for ${missing.slice(0, 10).join(' ')}${script}. Designs can have texts in ${SUPPORTED_SCRIPTS}, and emoji.`;
}
