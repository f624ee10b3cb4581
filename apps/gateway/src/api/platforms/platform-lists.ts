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

/** The platforms that have several login methods, with the names of the methods. */
export const platformsWithLogins = (): string =>
  listed(({ label, loginMethods }) => loginMethods && `${label}: ${loginMethods.map(({ login }) => `\`${login}\``).join(' or ')}`);

/** The same, with the accounts that each login method connects. */
export const accountsOfLogins = (): string =>
  listed(
    ({ label, loginMethods }) =>
      loginMethods && `${label}: ${loginMethods.map(({ login, accounts }) => `\`${login}\`, for ${accounts}`).join('; ')}`,
  );

/** The platforms of Meta, as in a sentence. */
export const metaPlatforms = (): string =>
  new Intl.ListFormat('en').format(Object.values(platformRules).flatMap(({ label, company }) => (company === 'meta' ? label : [])));

function listed(entryOf: (rules: PlatformRules) => string | undefined): string {
  return Object.values(platformRules)
    .map(entryOf)
    .filter((entry) => entry !== undefined)
    .join(', ');
}
