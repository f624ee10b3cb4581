/** The font families of designs and their packages, all under the SIL Open Font License 1.1. */
export const FAMILIES = {
  Anton: '@fontsource/anton',
  Caveat: '@fontsource-variable/caveat',
  'DM Sans': '@fontsource-variable/dm-sans',
  Fraunces: '@fontsource-variable/fraunces',
  Inter: '@fontsource-variable/inter',
  Lora: '@fontsource-variable/lora',
  Montserrat: '@fontsource-variable/montserrat',
  Nunito: '@fontsource-variable/nunito',
  Oswald: '@fontsource-variable/oswald',
  'Playfair Display': '@fontsource-variable/playfair-display',
  'Space Grotesk': '@fontsource-variable/space-grotesk',
} as const;
export type Family = keyof typeof FAMILIES;

/** Fallback fonts, in order, for characters that a family lacks. Chinese, Japanese and Korean share characters, but draw them differently. */
export const SCRIPT_FONTS = [
  [/\p{Script=Arabic}/u, '@fontsource-variable/noto-sans-arabic'],
  [/\p{Script=Hebrew}/u, '@fontsource-variable/noto-sans-hebrew'],
  [/\p{Script=Devanagari}/u, '@fontsource-variable/noto-sans-devanagari'],
  [/\p{Script=Bengali}/u, '@fontsource-variable/noto-sans-bengali'],
  [/\p{Script=Thai}/u, '@fontsource-variable/noto-sans-thai'],
  [/\p{Script=Hangul}/u, '@fontsource-variable/noto-sans-kr'],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, '@fontsource-variable/noto-sans-jp'],
] as const;

/** Fallback fonts for Han characters, by the language of the text. */
export const HAN_FONTS = {
  ja: '@fontsource-variable/noto-sans-jp',
  ko: '@fontsource-variable/noto-sans-kr',
  'zh-hant': '@fontsource-variable/noto-sans-tc',
  zh: '@fontsource-variable/noto-sans-sc',
} as const;

/** For Greek, Cyrillic, Vietnamese and other characters that Latin families may lack. */
export const COMMON_FONT = '@fontsource-variable/noto-sans';
export const EMOJI_FONT = 'twemoji-colr-font';

/** The family with this name if it is available, or else `otherwise`. */
export const familyOr = (name: string | undefined, otherwise: Family): Family =>
  (Object.keys(FAMILIES) as Family[]).find((family) => family.toLowerCase() === name?.trim().toLowerCase()) ?? otherwise;
