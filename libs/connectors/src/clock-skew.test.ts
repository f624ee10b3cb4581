import { deadlineIn } from '@fanfare/runtime';
import { aCall } from '../test/a-content.ts';
import { everyFlow, type Name } from '../test/flows/index.ts';
import { logins } from '../test/flows/logins.ts';
import { play, scriptedPlatform, type Answer } from '../test/scripted-platform.ts';
import { commitOf, walk, walkOnce } from '../test/walk.ts';

// A platform's clock, or a proxy's, may be days off ours, and may say nothing that can be read: nobody waits for ever, or forgets to wait.

const DAY_MS = 86_400_000;
const clocks: Readonly<Record<string, () => string>> = {
  'three days behind': () => new Date(Date.now() - 3 * DAY_MS).toUTCString(),
  'three days ahead': () => new Date(Date.now() + 3 * DAY_MS).toUTCString(),
  'at the beginning of time': () => new Date(0).toUTCString(),
  'that cannot be read': () => 'a quarter past nine',
};

const at =
  (clock: () => string, answer: Answer): Answer =>
  (request, response) => {
    response.setHeader('date', clock());
    play(answer, request, response);
  };

const graph = { status: 400, json: { error: { message: 'Too many calls', type: 'OAuthException', code: 4 } } };
/** The platform's own word that this was enough for now; where it tells a time, one that its clock is needed for. */
const limited: { readonly [Platform in Name]: () => Answer } = {
  facebook: () => graph,
  google_business: () => ({ status: 429, json: { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded' } } }),
  instagram: () => graph,
  linkedin: () => ({ status: 429, json: { status: 429, code: 'TOO_MANY_REQUESTS', message: 'Throttled: DAY limit reached' } }),
  pinterest: () => ({ status: 429, json: { code: 8, message: 'Too many' }, headers: { 'x-ratelimit-reset': '60' } }),
  tiktok: () => ({ status: 429, json: { data: {}, error: { code: 'rate_limit_exceeded', message: 'Too many', log_id: '1' } } }),
  x: () => ({
    status: 429,
    json: { title: 'Too Many Requests', type: 'about:blank', status: 429, detail: 'Too Many Requests' },
    headers: { 'x-rate-limit-reset': String(Math.floor(Date.now() / 1_000) + 600) },
  }),
  youtube: () => ({
    status: 403,
    json: { error: { code: 403, message: 'Quota', errors: [{ domain: 'youtube.quota', reason: 'quotaExceeded' }] } },
  }),
};

describe.each(everyFlow.map((one) => [one.platform, one.flow.name, one] as const))('%s, %s', (platform, _name, { connector, flow }) => {
  test.each(Object.entries(clocks))('a clock %s changes nothing of what is published', async (_which, clock) => {
    const skewed = await walk(connector, { ...flow, answers: flow.answers.map((answer) => at(clock, answer)) });
    expect(skewed.published).toEqual((await walkOnce(connector, flow)).published);
  });

  test.each(Object.entries(clocks))('a clock %s makes nobody wait for more than a day, or not at all', async (_which, clock) => {
    const { step } = await commitOf(connector, flow);
    const script = await scriptedPlatform([at(clock, limited[platform]())]);
    const call = aCall(script.client.http(platform, deadlineIn(10_000)), logins[platform].accountId, flow.login);
    const failure = (await step.run(call).catch((error: unknown) => error)) as { retryAfterMs?: number };
    await script.close();
    expect(failure).toMatchObject({ name: 'PlatformFailure', class: 'rate_limited', effect: 'refused' });
    const { retryAfterMs } = failure;
    // The day on which clocks are set back has 25 hours.
    if (retryAfterMs !== undefined) expect(retryAfterMs > 0 && retryAfterMs <= 25 * 3_600_000).toBe(true);
  });
});
