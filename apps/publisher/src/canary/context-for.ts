import type { OAuthApp, Platform } from '@fanfare/connectors';
import { isCanary } from '@fanfare/runtime';
import type { Context } from '../context.ts';

/** Texts need no media there, and its tokens do not expire. */
export const CANARY_PLATFORM: Platform = 'facebook';

/** The sandbox's own app: its sandbox must not see the secrets of ours. */
const SANDBOX_APP: OAuthApp = { clientId: 'sandbox-facebook', clientSecret: 'sandbox-facebook-secret' };

/**
 * The context of work for an organization. The canary's has the client and the app of its sandbox, and no quotas of ours; without a sandbox it has no
 * app, so that nothing is sent. `credentialsOf` rejects accounts of the canary in any other context, and other accounts in this one.
 */
export function contextFor(context: Context, organizationId: string): Context {
  if (!isCanary(organizationId)) return context;
  const { canaryPlatforms, config } = context;
  return {
    ...context,
    isForCanary: true,
    platforms: canaryPlatforms ?? context.platforms,
    config: {
      ...config,
      quotas: {},
      platforms: {
        ...config.platforms,
        baseUrl: config.canarySandboxUrl,
        apps: new Map(canaryPlatforms && [[CANARY_PLATFORM, SANDBOX_APP]]),
      },
    },
  };
}
