import { platformRules, type PlatformRules } from '@fanfare/connectors/preflight';

// Lists of platforms for descriptions. They come from the rules, so that a new platform appears in them.

type Breakdown = NonNullable<NonNullable<PlatformRules['readingRules']>['audience']>[number];
type CoverField = NonNullable<PlatformRules['covers']>[number];

/** The platforms that provide a breakdown of an account's audience. */
export const platformsWithAudience = (breakdown: Breakdown): string =>
  listed(({ label, readingRules }) => (readingRules?.audience?.includes(breakdown) ? label : undefined));

/** The platforms that accept a field of a post as the cover of a video. */
export const platformsWithCover = (field: CoverField): string =>
  listed(({ label, covers }) => (covers?.includes(field) ? label : undefined));

/** The options whose values can be listed, by platform. */
export const optionsWithChoices = (): string =>
  listed(({ label, optionsWithChoices: names }) => names && `${label} (${names.map((name) => `\`${name}\``).join(', ')})`);

function listed(entryOf: (rules: PlatformRules) => string | undefined): string {
  return Object.values(platformRules)
    .map(entryOf)
    .filter((entry) => entry !== undefined)
    .join(', ');
}
