import { eventually } from '@fanfare/testing';
import type { RunningGateway } from './running-gateway.ts';
import { startSecond, type SecondGateway } from './two-gateways.ts';

export const PATH = '/api/test/clock';

/** A test clock in a response. */
export interface Clock {
  readonly now: string;
  readonly status: string;
  readonly target: string | null;
  readonly advancing_from: string | null;
  readonly advancing_since: string | null;
  readonly ahead_by_ms: number;
}

type Caller = Pick<RunningGateway, 'call'>;

/** A test-mode organization of its own, whose clock was never moved. */
export async function aClockedOrganization(gateway: RunningGateway) {
  const key = await gateway.newKey();
  const read = async (by: Caller = gateway): Promise<Clock> => {
    const response = await by.call(PATH, { key });
    expect(response.status).toBe(200);
    return (await response.json()) as Clock;
  };
  const post = (path: string, body: unknown, headers: Record<string, string>, by: Caller) =>
    by.call(path, { key, method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } });
  return {
    key,
    read,
    advance: (body: unknown, headers: Record<string, string> = {}, by: Caller = gateway) => post(PATH, body, headers, by),
    stop: (headers: Record<string, string> = {}, by: Caller = gateway) => post(`${PATH}/stop`, {}, headers, by),
    untilReady: () =>
      eventually(async () => {
        const clock = await read();
        return clock.status === 'ready' && clock;
      }),
    /** A second gateway that is advancing the clock to a time: this one takes over if it stops. */
    async advancedByAnother(target: string): Promise<SecondGateway> {
      const second = await startSecond(gateway);
      await post(PATH, { advance_to: target }, {}, second);
      const rows = gateway.context.db.collection<{ fence: number; target_at?: Date }>('test_clocks');
      await eventually(async () => (await rows.findOne({ target_at: new Date(target) }))?.fence === 1);
      return second;
    },
  };
}
