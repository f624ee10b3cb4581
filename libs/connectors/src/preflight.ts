/** All that can be said of a post before it is sent; nothing of it publishes anything. */
export { checkContent, textLimitOf, type CheckedContent, type CheckedMedia, type ContentFinding } from './check-content.ts';
export { fitText } from './fit-text.ts';
export { platformRules, type PlatformRules } from './platform-rules.ts';
export type { Limits, TextLimit } from './limits.ts';
export { asConverted, conversionFor, type Conversion } from './conversion.ts';
