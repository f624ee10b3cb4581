import type { Sandbox } from '../platform.ts';
import type { PlatformName } from '../platform-name.ts';
import { calls } from './call-count.ts';

const hourMs = 3600 * 1000;
/** Calls an hour that count as 100 %; a guess, since Meta's quota grows with the audience. */
const quota = 4800;

/** The JSON headers in percent of the hour's quota that Meta sends with calls for an account. */
export function usageHeaders(platform: PlatformName, presented: string | undefined, sandbox: Sandbox): Record<string, string> {
  const token = presented === undefined ? undefined : sandbox.world.tokens.get(presented);
  if (!token) return {};
  const id = token.account_id ?? token.grant_id;
  const used = Math.min(99, Math.floor((calls(sandbox.world, id, hourMs) * 100) / (quota * sandbox.config.limitsFactor)));
  const usage = { call_count: used, total_time: used, total_cputime: used };
  const type = platform === 'instagram' ? 'instagram' : 'pages';
  return {
    'x-app-usage': JSON.stringify(usage),
    ...(token.kind === 'page' && { 'x-page-usage': JSON.stringify(usage) }),
    'x-business-use-case-usage': JSON.stringify({ [id]: [{ type, ...usage, estimated_time_to_regain_access: 0 }] }),
  };
}
