/** Everything that checks a post before it is sent, without the code that publishes it. */
export {
  checkContent,
  textLimitOf,
  type AccountKind,
  type CheckedContent,
  type CheckedMedia,
  type ContentFinding,
} from './check-content.ts';
export { checkConversions, type ConversionFinding } from './check-conversions.ts';
export { checkUnsent, type UnsentContext } from './check-unsent.ts';
export { checkOptions, type OptionRules } from './check-options.ts';
export type { Options } from './connector.ts';
export { optionsOver } from './options-over.ts';
export { fitText } from './fit-text.ts';
export { webAddress, wholeText } from './whole-text.ts';
export { platformRules } from './platform.ts';
export type { CoverField, PlatformRules } from './platform-rules.ts';
export { sourceOf, type RuleSubject } from './source-of.ts';
export { limitsFor, type Limits, type TextLimit } from './limits.ts';
export { asConverted, conversionFor, paddingHelps, type Conversion } from './conversion.ts';
