import { accountOf, connectorFor, createPlatformClient, type Call, type Platform } from '@fanfare/connectors';
import type { RunningSandbox } from '../running-sandbox.ts';

/** The reading part of a platform's real connector, as it reads an account of the sandbox. */
export function connectorReading(
  { url, clock }: RunningSandbox,
  platform: Platform,
  account: Call['account'],
  scopes: readonly string[] = [],
) {
  const { reading } = connectorFor(platform);
  if (!reading) throw new Error(`${platform} has no read side`);
  const client = createPlatformClient({ baseUrl: url, timeoutMs: 20_000 });
  const app = { clientId: `sandbox-${platform}`, clientSecret: `sandbox-${platform}-secret` };
  const call = () => ({
    http: client.http(platform),
    account: accountOf(platform, app, account),
    now: new Date(Date.now() + clock.aheadMs),
    today: dayBack(clock),
    scopes,
  });
  return {
    account: (metrics: readonly string[], days = 3) =>
      reading.readAccount(call(), {
        ...{ start: dayBack(clock, days), end: dayBack(clock, 1), metrics },
        period: reading.rules.periods[0]!,
      }),
    list: (pageSize: number, cursor?: string) => reading.listPosts(call(), { pageSize, cursor }),
    posts: (...ids: string[]) => reading.readPosts(call(), ids),
    close: () => client.close(),
  };
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A day by the sandbox's clock. */
export const dayBack = (clock: RunningSandbox['clock'], days = 0) =>
  new Date(Date.now() + clock.aheadMs - days * DAY_MS).toISOString().slice(0, 10);
