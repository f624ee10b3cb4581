import { newId } from '@fanfare/runtime';
import { anIntegration } from '../fakes/fake-integrations.ts';
import { aPost } from '../values.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';

// Texts in options and settings have the same rules as captions, in every operation.
let gateway: RunningGateway;
let business: string;
beforeAll(async () => {
  gateway = await startGateway();
  business = `/api/businesses/${gateway.businessId}`;
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.services.calls.length = 0;
  gateway.services.posts.set('p1', aPost({ id: 'p1', businessId: gateway.businessId }));
});

const sendText = (method: string, path: string, body: string) =>
  gateway.call(business + path, { method, body, headers: { 'content-type': 'application/json' } });
const send = (method: string, path: string, body: unknown) => sendText(method, path, JSON.stringify(body));
const poll = (...options: string[]) => ({ platform: 'x', options: { poll: { options, duration_minutes: 60 } } });
const rejected = (param: string) => ({ status: 422, code: 'validation_failed', param }) as const;

describe.each([
  ['POST', '/posts', 'createPost'],
  ['PATCH', '/posts/p1', 'updatePost'],
  ['POST', '/posts/validate', 'validatePost'],
])('%s %s', (method, path, rpc) => {
  it.each([
    ['NUL', poll('Yes', 'N\0'), 'poll.options.1', ' contains a NUL character.'],
    ['half of a pair', poll('Yes', '\ud800'), 'poll.options.1', ' contains an unpaired surrogate.'],
    ['a bell', poll('Yes', 'N\u0007'), 'poll.options.1', ' contains a line break or another control character.'],
    ['blanks', poll('Yes', '   '), 'poll.options.1', ' must not be empty.'],
    ['the same answer', poll('Yes', 'No', 'Yes '), 'poll.options.2', ' is a duplicate.'],
    ['one that is too long', poll('Yes', 'n'.repeat(26)), 'poll.options.1', ' must have at most 25 characters.'],
    [
      'a bell in a tag',
      { platform: 'youtube', options: { tags: ['\u0007'] } },
      'tags.0',
      ' contains a line break or another control character.',
    ],
  ])('rejects %s in the options', async (_what, override, field, message) => {
    const response = await send(method, path, { caption: 'Bread?', platform_overrides: [override] });
    const problem = (await response.clone().json()) as { detail: string };
    const param = `platform_overrides.0.options.${field}`;
    await expectProblem(response, rejected(param));
    expect(problem.detail).toBe(param + message);
    expect(gateway.services.calls.map((call) => call.method)).not.toContain(rpc);
  });

  it.each([
    ['', '{"__proto__":{"a":1}}', '__proto__'],
    [', spelled otherwise,', '{"\\u005f_proto_\\u005F":{"a":1}}', '__proto__'],
    [' further down', '{"poll":{"options":["Yes","No"],"duration_minutes":60,"__proto__":{"a":1}}}', 'poll.__proto__'],
  ])('names a member __proto__%s in the options of a platform and of an account, once', async (_where, options, field) => {
    for (const target of ['"platform":"x"', `"integration_id":"${newId()}"`]) {
      const response = await sendText(method, path, `{"caption":"a","platform_overrides":[{${target},"options":${options}}]}`);
      const problem = (await response.clone().json()) as { errors: object[] };
      await expectProblem(response, rejected(`platform_overrides.0.options.${field}`));
      expect(problem.errors).toHaveLength(1);
    }
    expect(gateway.services.calls.map((call) => call.method)).not.toContain(rpc);
  });

  it('rejects a link with an unusable URL', async () => {
    await expectProblem(await send(method, path, { caption: 'Bread?', link: 'https://example.com/\ud800' }), rejected('link'));
    await expectProblem(await send(method, path, { caption: 'Bread?', link: 'https://example.com/\0a' }), rejected('link'));
  });
});

it.each([
  [{ audio_name: 'a\0' }, 'settings.audio_name'],
  [{ poll: { options: ['Yes', '\udc00'] } }, 'settings.poll.options.1'],
  [{ nothing: { 'a\0': 1 } }, 'settings.nothing.a\0'],
  [{ ['__proto__']: { a: 1 } }, 'settings.__proto__'],
  [{ list: [{ ['__proto__']: 1 }] }, 'settings.list.0.__proto__'],
])('rejects the settings %j before they reach the publisher', async (settings, param) => {
  const one = anIntegration({ id: newId(), organizationId: gateway.organizationId, businessId: gateway.businessId });
  gateway.services.accounts.integrations.set(one.id, one);
  await expectProblem(await send('PATCH', `/integrations/${one.id}`, { settings }), rejected(param));
  expect(gateway.services.calls.map(({ method }) => method)).not.toContain('updateIntegration');
});
