import type { Capability, OAuthApp } from './connector.ts';

/** What we do with accounts, as far as people have to allow it. What they choose from and how we stay connected is no capability that callers see. */
export type Feature = Capability | 'connect' | 'find_published' | 'choices' | 'audience_stats';

/** The scopes that each feature takes on a platform; a capability that is not named cannot be had there. */
export type FeatureScopes = Readonly<Partial<Record<Feature, readonly string[]>>>;

/**
 * What is built: people are asked to allow this, and nothing else. Platforms refuse apps that ask for permissions which nothing uses; whoever reads
 * statistics switches theirs on here.
 */
const ENABLED: readonly Feature[] = ['connect', 'publish', 'drafts', 'first_comment', 'find_published', 'choices'];

const CAPABILITIES: readonly Capability[] = ['publish', 'first_comment', 'account_stats', 'post_stats', 'drafts'];

export function isEnabled(feature: Feature): boolean {
  return ENABLED.includes(feature);
}

/** What accounts of a platform can do here. */
export function capabilitiesIn(features: FeatureScopes): Capability[] {
  return CAPABILITIES.filter((name) => isEnabled(name) && features[name] !== undefined);
}

/** What people are asked to allow: what the switched-on features take, or what the operator names for the app. */
export function scopesToRequest(features: FeatureScopes, app?: Pick<OAuthApp, 'scopes'>): readonly string[] {
  return app?.scopes ?? [...new Set(ENABLED.flatMap((feature) => features[feature] ?? []))];
}

/** The features of a login whose accounts are of several kinds. */
export function joined(...each: readonly FeatureScopes[]): FeatureScopes {
  const names = each.flatMap((features) => Object.keys(features) as Feature[]);
  return Object.fromEntries(names.map((name) => [name, each.flatMap((features) => features[name] ?? [])]));
}
