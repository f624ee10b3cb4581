import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent } from '../../test/a-content.ts';
import { runToEnd } from '../../test/run-to-end.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { linkedinFlows } from './test/flows.ts';
import { linkedin } from './index.ts';

const ended = { status: 426, json: { status: 426, code: 'NONEXISTENT_VERSION', message: 'Requested version 20260901 is not active' } };
const onVersionRejected = jest.fn();

let platform: ScriptedPlatform;
const publish = async (responses: readonly ScriptedResponse[], configured?: string) => {
  platform = await scriptedPlatform(responses, { apiVersions: { linkedin: configured }, onVersionRejected });
  return publishAgain();
};
const publishAgain = () => {
  const call = aCall(platform.client.http('linkedin', deadlineIn(10_000)), 'urn:li:organization:55');
  return runToEnd(linkedin, aContent({ caption: 'Hello world' }), call);
};
const versions = () => platform.received.map(({ headers }) => headers['linkedin-version']);

afterEach(async () => {
  onVersionRejected.mockClear();
  await platform.close();
});

test('after an API version has ended, a post is sent again unchanged with an earlier version, and so are all following posts', async () => {
  const [created = 'drop'] = linkedinFlows.text.responses;
  const { published } = await publish([ended, created, created]);
  expect(published.publishId).toMatch(/^urn:li:share:/);
  const [first, second] = platform.received;
  expect(second).toMatchObject({ method: 'POST', url: 'https://api.linkedin.com/rest/posts', body: first?.body });
  await publishAgain();
  expect(versions()).toEqual(['202609', '202608', '202608']);
  expect(onVersionRejected.mock.calls).toEqual([['linkedin', '202609', '202608']]);
});

test('operators can choose the API version', async () => {
  await publish(linkedinFlows.text.responses, '202701');
  expect(versions()).toEqual(['202701']);
});

test('a post fails, and was not created, if no API version is accepted', async () => {
  await expect(publish([ended, ended, ended, ended])).rejects.toMatchObject({
    class: 'validation',
    effect: 'rejected',
    detail: { operator: 'version_ended' },
  });
  expect(versions()).toEqual(['202609', '202608', '202607', '202606']);
});

test.each([
  ['a proxy', { status: 426, text: '<html>Upgrade Required</html>' }],
  ['another rejection', { status: 426, json: { code: 'UPGRADE_REQUIRED', message: 'Upgrade' } }],
])('a rejection that may come from %s is not retried', async (_who, response) => {
  await expect(publish([response])).rejects.toMatchObject({ name: 'PlatformFailure' });
  expect(platform.received).toHaveLength(1);
  expect(onVersionRejected).not.toHaveBeenCalled();
});

test('a lost response to the second request leaves the commit ambiguous', async () => {
  await expect(publish([ended, 'drop'])).rejects.toMatchObject({ class: 'transient', effect: 'unknown' });
  expect(platform.received).toHaveLength(2);
});
