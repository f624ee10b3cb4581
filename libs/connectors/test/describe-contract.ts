import type { Connector, Content, State } from '../src/connector.ts';
import type { OAuth } from '../src/oauth.ts';
import type { PlatformFailure } from '../src/calls/failure.ts';
import { aCall, anApp } from './a-content.ts';
import type { Conversations } from './conversations/conversations.ts';
import { type ScriptedResponse, scriptedPlatform } from './scripted-platform/scripted-platform.ts';
import { commitOf, walk, walkOnce } from './conversations/walk.ts';

/** What the engine relies on, whichever the platform. */
export function describeContract(name: string, connector: Connector, conversations: Conversations): void {
  const { flows, deletion, rejection } = conversations;
  describeDeletion(name, connector, conversations);

  describe.each(Object.values(flows).map((flow) => [flow.name, flow] as const))(`${name}, %s`, (_flow, flow) => {
    test('prepares, commits once with one request, follows up, and is published', async () => {
      const { taken, published, received } = await walkOnce(connector, flow);
      const kinds = taken.map(({ step }) => step.kind).join(' ');
      expect(kinds).toMatch(/^(prepare )*commit( follow_up)*$/);
      expect(taken.find(({ step }) => step.kind === 'commit')?.requests).toBe(1);
      expect(published.publishId).toEqual(expect.stringMatching(/./));
      expect(published.postUrl).toEqual(flow.isUnseen ? undefined : expect.stringMatching(/^https:\/\//));
      if (flow.isUnseen) expect(published.warning).toContain('not public');
      expect(received).toHaveLength(flow.responses.length);
      for (const { step } of taken) expect(step.name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    });

    test('says the same again from the same state', async () => {
      for (const { step, before } of (await walkOnce(connector, flow)).taken) {
        const again = connector.publish.next(flow.content, JSON.parse(JSON.stringify(before)) as State);
        expect(again).toMatchObject({ step: { name: step.name, kind: step.kind } });
      }
    });

    test('puts no token into an address', async () => {
      const { received } = await walkOnce(connector, flow);
      for (const { url, query } of received) expect(url + JSON.stringify(query)).not.toMatch(/token-of-the-account|secret-of-the-app/);
    });

    test('only the commit needs the deadline of one', async () => {
      const commit = await commitOf(connector, flow);
      const platform = await scriptedPlatform([{ json: {} }]);
      await expect(commit.step.run(aCall(platform.client.http(connector.platform)))).rejects.toThrow('a commit requires a deadline');
      await platform.close();
    });

    test.each([
      ['dropped', 'drop', 'unknown'],
      ['500', { status: 500, json: {} }, 'unknown'],
      ['a page of a proxy', { status: 502, text: '<html>' }, 'unknown'],
      ['a redirect', { status: 302, headers: { location: 'https://example.com' } }, 'unknown'],
      ['a success that cannot be read', { status: 200, text: '{"id":' }, 'unknown'],
      ['a success without an id', { status: 200, json: {} }, 'unknown'],
      ['a firewall saying no', { status: 403, text: '<html>' }, 'unknown'],
      ['JSON that is none of the API', { status: 400, json: {} }, 'unknown'],
      ["the platform's own rejection", { status: 400, json: rejection('Invalid parameter') }, 'rejected'],
    ] satisfies [string, ScriptedResponse, string][])('a commit that gets %s', async (_what, response, effect) => {
      const { before } = await commitOf(connector, flow);
      const failure = await failureOf(connector, flow.content, before, response);
      const fallsBack = flow.fallsBack && effect === 'rejected';
      const failureClass = effect === 'unknown' || fallsBack ? 'transient' : 'validation';
      expect(failure).toMatchObject({ name: 'PlatformFailure', class: failureClass, effect });
      if (!fallsBack) return expect(failure.retryFrom).toBeUndefined();
      // Once, with a commit of its own.
      const again = await failureOf(connector, flow.content, failure.retryFrom ?? {}, response);
      expect(again).toMatchObject({ class: 'validation', effect, retryFrom: undefined });
    });

    test('reports the post whatever becomes of what follows', async () => {
      const { taken, published } = await walkOnce(connector, flow);
      for (const { step } of taken) {
        if (step.kind !== 'follow_up') continue;
        let state = step.givenUp;
        for (let next = connector.publish.next(flow.content, state); ; next = connector.publish.next(flow.content, state)) {
          if ('published' in next) {
            expect(next.published.publishId).toBe(flow.publishIdIfGivenUp ?? published.publishId);
            break;
          }
          expect(next.step).toMatchObject({ kind: 'follow_up', repeatable: !next.step.name.includes('comment') });
          state = 'givenUp' in next.step ? next.step.givenUp : {};
        }
      }
    });
  });

  describe(name, () => {
    test('stands in the registry under its own name, with hosts and limits in time', () => {
      expect(connector.platform).toBe(name);
      expect(connector.hosts.length).toBeGreaterThan(0);
      expect(connector.publish.commitTimeoutMs).toBeLessThanOrEqual(120_000);
      expect(connector.publish.settleMs).toBeGreaterThan(0);
    });

    test('has lists to choose from only for its own options', () => {
      expect(Object.keys(connector.options.shape)).toEqual(expect.arrayContaining(Object.keys(connector.choices ?? {})));
    });

    test('can delete posts if its capabilities say so', () => {
      expect(connector.capabilities.includes('unpublish')).toBe(connector.unpublish !== undefined);
      expect(deletion !== undefined).toBe(connector.unpublish !== undefined);
    });

    test.each(loginMethods(connector))('%s requests scopes on a page of its own, without its secret', (_name, oauth) => {
      const url = oauth.authorizeUrl(anApp, { redirectUri: 'https://app.example.com/cb', state: 's1', codeChallenge: 'ch' });
      expect(url).toMatch(/^https:\/\//);
      expect(url).not.toContain(anApp.clientSecret);
      expect(new URL(url).searchParams.get('state')).toBe('s1');
      expect(new URL(url).searchParams.has('code_challenge')).toBe(oauth.pkce);
    });

    test.each(loginMethods(connector))(
      '%s requests the scopes that the app was approved for, where the operator names them',
      (_name, oauth) => {
        const app = { ...anApp, scopes: ['one', 'two'] };
        const url = oauth.authorizeUrl(app, { redirectUri: 'https://app.example.com/cb', state: 's1', codeChallenge: 'ch' });
        // Google's logins always request who the person is.
        const requested = new URL(url).searchParams
          .get('scope')
          ?.split(/[ ,]/)
          .filter((scope) => scope !== 'openid');
        expect(requested).toEqual(app.scopes);
      },
    );
  });
}

/** Removing what was published. */
function describeDeletion(name: string, connector: Connector, { login, deletion, limited }: Conversations): void {
  const { unpublish } = connector;
  if (!unpublish || !deletion) return;

  /** @returns the failure, if any */
  const deleting = async (responses: readonly ScriptedResponse[]): Promise<{ failure: unknown; requests: string[] }> => {
    const platform = await scriptedPlatform(responses);
    const call = aCall(platform.client.http(connector.platform), login.accountId);
    const failure = await unpublish(call, deletion.publishId).catch((error: unknown) => error);
    await platform.close();
    return { failure, requests: platform.received.map(({ method }) => method) };
  };

  test(`${name} deletes a post, and a post that does not exist counts as deleted`, async () => {
    expect((await deleting(deletion.deleted)).failure).toBeUndefined();
    const gone = await deleting(deletion.gone);
    expect(gone.failure).toBeUndefined();
    expect(gone.requests).toHaveLength(deletion.gone.length);
  });

  test.each([
    ['dropped', 'drop', { class: 'transient', effect: 'unknown' }],
    ['that is a 404 of a proxy', { status: 404, text: '<html>' }, { class: 'transient', effect: 'unknown' }],
    ['that cannot be read', { status: 200, text: '{"deleted":' }, { class: 'transient', effect: 'unknown' }],
    ['of a used-up quota', limited(), { class: 'rate_limited', effect: 'rejected' }],
  ] satisfies [string, ScriptedResponse, object][])(
    `a deletion on ${name} with a response %s is not done`,
    async (_what, response, failure) => {
      expect(await deleting([response])).toMatchObject({ failure: { name: 'PlatformFailure', ...failure }, requests: ['DELETE'] });
    },
  );
}

const loginMethods = ({ oauth, logins }: Connector): [string, OAuth][] => (logins ? Object.entries(logins) : [['its login', oauth]]);

async function failureOf(connector: Connector, content: Content, state: State, response: ScriptedResponse): Promise<PlatformFailure> {
  const error: unknown = await walk(connector, { content, responses: [response], from: state }).then(
    () => new Error('it did not fail'),
    (failure: unknown) => failure,
  );
  return error as PlatformFailure;
}
