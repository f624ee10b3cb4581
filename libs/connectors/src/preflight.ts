/** Everything that checks a post before it is sent, without the code that publishes it. */
export {
  checkContent,
  textLimitOf,
  type AccountKind,
  type CheckedContent,
  type CheckedMedia,
  type ContentFinding,
} from './checks/check-content.ts';
export { checkConversions, type ConversionFinding } from './checks/check-conversions.ts';
export { checkUnsent, type UnsentContext } from './checks/check-unsent.ts';
export { checkOptions, type OptionRules } from './checks/check-options.ts';
export type { Options } from './connector.ts';
export { optionsOver } from './checks/options-over.ts';
export { countText } from './text/count-text.ts';
export { fitText } from './text/fit-text.ts';
export { webAddress, wholeText } from './text/whole-text.ts';
export { platformRules } from './platform.ts';
export type { PostQuota } from './platform-rules.ts';
export type { CoverField, PlatformRules } from './platform-rules.ts';
export { sourceOf, type RuleSubject } from './checks/source-of.ts';
export {
  linkTracker,
  TRACKED_LENGTH,
  TRACKING_PLACEHOLDERS,
  trackingValueProblem,
  type LinkTracking,
  type TrackedDelivery,
  type TrackLinks,
} from './text/link-tracking.ts';
export { limitsFor, type Limits, type TextLimit } from './limits.ts';
export { asConverted, conversionFor, paddingHelps, type Conversion } from './checks/conversion.ts';
