import { deadlineIn } from '@fanfare/runtime';
import { aCall } from '../test/a-content.ts';
import { brokenResponses, foreignResponses, SLOW } from '../test/scripted-platform/bad-responses.ts';
import { conversationsOf } from '../test/conversations/conversations.ts';
import { everyFlow } from '../test/conversations/flows.ts';
import { quoting } from '../test/conversations/quoting.ts';
import type { Talk } from '../test/conversations/talk.ts';
import { everyTalk } from '../test/conversations/talks.ts';
import { type ScriptedResponse, scriptedPlatform } from '../test/scripted-platform/scripted-platform.ts';
import { secretsIn } from '../test/secrets.ts';
import { walkOnce } from '../test/conversations/walk.ts';
import type { Step } from './connector.ts';
import { PlatformFailure } from './calls/failure.ts';
import type { PlatformHttp } from './calls/http.ts';
import type { Platform } from './platform.ts';

// For any response of a platform, or of a proxy in between, to any request of any conversation: a clear class, at most one commit, no leaked secret.

interface Outcome {
  readonly failure: unknown;
  readonly requests: number;
}

async function outcomeOf(
  platform: Platform,
  { before, bad, isSlow }: { before: readonly ScriptedResponse[]; bad: ScriptedResponse; isSlow?: boolean },
  run: (http: PlatformHttp) => Promise<unknown>,
): Promise<Outcome> {
  const timeoutMs = isSlow ? 750 : 10_000;
  const script = await scriptedPlatform([...before, bad], { timeoutMs });
  const failure: unknown = await run(script.client.http(platform, deadlineIn(timeoutMs))).then(
    () => undefined,
    (error: unknown) => error ?? 'nothing',
  );
  await script.close();
  return { failure, requests: script.received.length - before.length };
}

interface SpokenStep {
  readonly step: Step;
  /** The platform's normal responses. */
  readonly responses: readonly ScriptedResponse[];
}

/** The steps of all flows of a platform. Several flows have steps of one name: what reads the responses to them is the same, and is tried once. */
async function stepsOf(platform: Platform): Promise<readonly SpokenStep[]> {
  const steps = new Map<string, SpokenStep>();
  for (const { connector, flow } of everyFlow.filter((one) => one.platform === platform)) {
    let sent = 0;
    for (const { step, requests } of (await walkOnce(connector, flow)).taken) {
      const responses = flow.responses.slice(sent, (sent += requests));
      const id = `${step.name} ${step.kind} ${requests}`;
      if (!steps.has(id)) steps.set(id, { step, responses });
    }
  }
  return [...steps.values()];
}

/** Tries something at each request of each step, all at the same time: every try has a platform of its own. */
async function atEachRequest(
  platform: Platform,
  attempt: (spoken: SpokenStep, index: number) => Promise<void>,
  among = (all: readonly SpokenStep[]) => all,
): Promise<void> {
  const steps = among(await stepsOf(platform));
  expect(steps.length).toBeGreaterThan(0);
  await Promise.all(steps.flatMap((spoken) => [...spoken.responses.keys()].map((index) => attempt(spoken, index))));
}

describe.each([...new Set(everyFlow.map(({ platform }) => platform))])('publishing on %s', (platform) => {
  const { storeSteps = [], probingSteps = [] } = conversationsOf(platform);

  const leavesOpen =
    (name: string, bad: ScriptedResponse) =>
    async ({ step, responses }: SpokenStep, index: number): Promise<void> => {
      const how = { before: responses.slice(0, index), bad, isSlow: name === SLOW };
      const { failure, requests } = await outcomeOf(platform, how, (http) => step.run(aCall(http)));
      const where = { step: `${platform} ${step.name}`, request: index };
      if (failure === undefined) {
        expect(storeSteps).toContain(step.name);
        return;
      }
      // On a busy machine, the short timeout for a slow response may pass before anything is sent.
      const effect = name === SLOW ? (expect.stringMatching(/^(unknown|not_sent)$/) as string) : 'unknown';
      const open = step.kind === 'commit' ? { effect, retryFrom: undefined } : {};
      expect({ ...where, failure }).toMatchObject({ ...where, failure: { name: 'PlatformFailure', class: 'transient', ...open } });
      if (!probingSteps.includes(step.name) && name !== SLOW) expect({ ...where, requests }).toEqual({ ...where, requests: 1 });
      expect(secretsIn(failure)).toEqual([]);
    };

  test.each(Object.entries(foreignResponses))('after %s the outcome of the call is unknown', async (name, foreign) => {
    await atEachRequest(platform, leavesOpen(name, foreign));
  });

  test.each(Object.entries(brokenResponses))(
    'after %s the outcome of a commit, and of the first call, is unknown',
    async (name, broken) => {
      const commitsAndFirst = (all: readonly SpokenStep[]) => all.filter((one, at) => at === 0 || one.step.kind === 'commit');
      await atEachRequest(platform, leavesOpen(name, broken), commitsAndFirst);
    },
  );

  test.each([200, 400, 401, 500])('an error (%d) that quotes our request does not leak secrets, and is not a success', async (status) => {
    await atEachRequest(platform, async ({ step, responses }, index) => {
      const how = { before: responses.slice(0, index), bad: quoting(platform, status) };
      const { failure } = await outcomeOf(platform, how, (http) => step.run(aCall(http)));
      if (failure === undefined && storeSteps.includes(step.name)) return;
      expect({ step: step.name, failure }).toMatchObject({ failure: { name: 'PlatformFailure' } });
      expect(secretsIn(failure)).toEqual([]);
    });
  });
});

/** The conversations that reconcile a commit, one for each way to search. */
const talks = [
  ...new Map(
    everyTalk.map((one) => [`${one.platform} ${one.talk.key.replace(/^find_(?!reel|photos|video|parts|short).*/, 'find')}`, one]),
  ).values(),
];

const atEachResponse = (talk: Talk, attempt: (index: number) => Promise<void>) => Promise.all([...talk.responses.keys()].map(attempt));

/** Failures of the HTTP client are tested in one conversation of each platform. */
function responsesFor(platform: Platform, talk: Talk): [string, ScriptedResponse][] {
  const isFirst = talks.find((one) => one.platform === platform)?.talk === talk;
  return Object.entries({ ...foreignResponses, ...(isFirst && brokenResponses) });
}

describe.each(talks.map((one) => [one.platform, one.talk.key, one.talk] as const))('%s, %s', (platform, key, talk) => {
  test('succeeds with normal responses', async () => {
    const script = await scriptedPlatform(talk.responses);
    await talk.run(script.client.http(platform, deadlineIn(10_000)));
    expect(script.received).toHaveLength(talk.responses.length);
    await script.close();
  });

  test.each(responsesFor(platform, talk))('%s is a temporary failure', async (name, bad) => {
    await atEachResponse(talk, async (index) => {
      const how = { before: talk.responses.slice(0, index), bad, isSlow: name === SLOW };
      const { failure, requests } = await outcomeOf(platform, how, talk.run);
      // Above all no `token_expired`, which would cost a person the connection, and no proof that a post was not made.
      expect({ request: index, failure, requests }).toMatchObject({
        failure: { name: 'PlatformFailure', class: 'transient' },
        requests: 1,
      });
      expect(secretsIn(failure)).toEqual([]);
    });
  });

  test.each([200, 400, 401, 500])('an error (%d) that quotes our request does not leak secrets', async (status) => {
    await atEachResponse(talk, async (index) => {
      const how = { before: talk.responses.slice(0, index), bad: quoting(platform, status) };
      const { failure } = await outcomeOf(platform, how, talk.run);
      expect({ key, request: index, failure }).toMatchObject({ failure: expect.any(PlatformFailure) });
      expect(secretsIn(failure)).toEqual([]);
    });
  });
});
