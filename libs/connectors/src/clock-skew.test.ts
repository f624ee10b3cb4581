import { deadlineIn } from '@fanfare/runtime';
import { aCall } from '../test/a-content.ts';
import { everyFlow } from '../test/conversations/flows.ts';
import { conversationsOf } from '../test/conversations/conversations.ts';
import { play, scriptedPlatform, type ScriptedResponse } from '../test/scripted-platform/scripted-platform.ts';
import { commitOf, walk, walkOnce } from '../test/conversations/walk.ts';

// The clock of a platform or proxy may differ from ours by days, or send an invalid date: waits must stay finite, and must not be skipped.

const DAY_MS = 86_400_000;
const clocks: Readonly<Record<string, () => string>> = {
  'three days behind': () => new Date(Date.now() - 3 * DAY_MS).toUTCString(),
  'three days ahead': () => new Date(Date.now() + 3 * DAY_MS).toUTCString(),
  'at the beginning of time': () => new Date(0).toUTCString(),
  'that cannot be read': () => 'a quarter past nine',
};

const at =
  (clock: () => string, reply: ScriptedResponse): ScriptedResponse =>
  (request, response) => {
    response.setHeader('date', clock());
    play(reply, request, response);
  };

describe.each(everyFlow.map((one) => [one.platform, one.flow.name, one] as const))('%s, %s', (platform, _name, { connector, flow }) => {
  test.each(Object.entries(clocks))('a clock %s does not change what is published', async (_which, clock) => {
    const skewed = await walk(connector, { ...flow, responses: flow.responses.map((reply) => at(clock, reply)) });
    expect(skewed.published).toEqual((await walkOnce(connector, flow)).published);
  });

  test.each(Object.entries(clocks))('with a clock %s, waits are neither skipped nor longer than a day', async (_which, clock) => {
    const { limited, login } = conversationsOf(platform);
    const { step } = await commitOf(connector, flow);
    const script = await scriptedPlatform([at(clock, limited())]);
    const call = aCall(script.client.http(platform, deadlineIn(10_000)), login.accountId, flow.login);
    const failure = (await step.run(call).catch((error: unknown) => error)) as { retryAfterMs?: number };
    await script.close();
    expect(failure).toMatchObject({ name: 'PlatformFailure', class: 'rate_limited', effect: 'rejected' });
    const { retryAfterMs } = failure;
    // The day on which clocks are set back has 25 hours.
    if (retryAfterMs !== undefined) expect(retryAfterMs > 0 && retryAfterMs <= 25 * 3_600_000).toBe(true);
  });
});
