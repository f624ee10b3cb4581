import type { Capability } from './connector.ts';
import type { OAuthApp } from './oauth.ts';

/** What we do with accounts and people have to allow. Listing choices and staying connected are not shown to callers as capabilities. */
type Feature = Capability | 'connect' | 'find_published' | 'choices' | 'audience_stats';

/** The scopes that each feature requires on a platform; a capability that is not listed is not supported there. */
export type FeatureScopes = Readonly<Partial<Record<Feature, readonly string[]>>>;

/**
 * The enabled features: logins request only these, because platforms reject apps that request unused permissions.
 */
const ENABLED: readonly Feature[] = [
  'connect',
  'publish',
  'drafts',
  'first_comment',
  'find_published',
  'choices',
  'account_stats',
  'post_stats',
  'unpublish',
];

const CAPABILITIES: readonly Capability[] = ['publish', 'first_comment', 'account_stats', 'post_stats', 'drafts', 'unpublish'];

export function isEnabled(feature: Feature): boolean {
  return ENABLED.includes(feature);
}

/** The capabilities that accounts of a platform can have. */
export function capabilitiesIn(features: FeatureScopes): Capability[] {
  return CAPABILITIES.filter((name) => isEnabled(name) && features[name] !== undefined);
}

/** The scopes that logins request: those of the enabled features, or those that the operator configured for the app. */
export function scopesToRequest(features: FeatureScopes, app?: Pick<OAuthApp, 'scopes'>): readonly string[] {
  return app?.scopes ?? [...new Set(ENABLED.flatMap((feature) => features[feature] ?? []))];
}

/** The features of a login with several kinds of accounts. */
export function joined(...each: readonly FeatureScopes[]): FeatureScopes {
  const names = each.flatMap((features) => Object.keys(features) as Feature[]);
  return Object.fromEntries(names.map((name) => [name, each.flatMap((features) => features[name] ?? [])]));
}
