import { deadlineIn } from '@fanfare/runtime';
import { aCall, aContent, anImage, aReel } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import type { Content, State } from '../connector.ts';
import { facebook } from './index.ts';

const committed = new Date('2026-11-21T10:00:00.000Z');
const attachments = { data: [{ media_type: 'photo' }] };

let platform: ScriptedPlatform;
const find = async (responses: readonly ScriptedResponse[], content: Content, state: State = {}) => {
  platform = await scriptedPlatform(responses);
  return facebook.publish.findPublished(aCall(platform.client.http('facebook', deadlineIn(1_000))), content, state, committed);
};

afterEach(() => platform.close());

test('a post is found by text and time, on any part of the list', async () => {
  const first = {
    data: [
      { id: '100_1', message: 'Hello  world\n', created_time: '2026-11-21T10:00:03+0000' },
      { id: '100_2', message: 'Something else', created_time: '2026-11-21T10:00:02+0000' },
    ],
    paging: { next: 'https://graph.facebook.com/v25.0/100/published_posts?access_token=x&after=AFTER', cursors: { after: 'AFTER' } },
  };
  const second = { data: [{ id: '100_3', message: 'Hello world', created_time: '2026-11-21T09:00:00+0000' }] };
  const finding = await find([{ json: first }, { json: second }], aContent());
  expect(finding).toEqual({ proof: 'none', candidates: [{ publishId: '100_1', state: { publishId: '100_1', processed: true } }] });
  expect(platform.received.map(({ url, query }) => [url, query.since, query.after])).toEqual([
    ['https://graph.facebook.com/v25.0/100/published_posts', String(committed.getTime() / 1_000 - 30), undefined],
    ['https://graph.facebook.com/v25.0/100/published_posts', String(committed.getTime() / 1_000 - 30), 'AFTER'],
  ]);
});

test('a post with an image does not match a post without one', async () => {
  const posts = [
    { id: '100_1', message: 'Hello world', created_time: '2026-11-21T10:00:03+0000' },
    { id: '100_2', message: 'Hello world', created_time: '2026-11-21T10:00:04+0000', attachments },
  ];
  const { candidates } = await find([{ json: { data: posts } }], aContent({ media: [anImage()] }));
  expect(candidates.map(({ publishId }) => publishId)).toEqual(['100_2']);
});

test('a video is found by its text, and its publish id is the id of the video', async () => {
  const made = { message: 'Hello world', created_time: '2026-11-21T10:00:03+0000' };
  const video = (id: string) => ({ data: [{ media_type: 'video', target: { id, url: `https://www.facebook.com/100/videos/${id}` } }] });
  const posts = [
    { id: '100_1', ...made, attachments },
    { id: '100_2', ...made, attachments: video('77') },
    { id: '100_3', ...made, message: 'Other', attachments: video('78') },
  ];
  const content = aContent({ media: [aReel()], options: { kind: 'video' } });
  const { candidates } = await find([{ json: { data: posts } }], content);
  expect(candidates).toEqual([{ publishId: '77', state: { publishId: '77', processed: true } }]);
  expect(platform.received[0]?.query.fields).toContain('target');
});

test.each([
  ['complete', 'published', ['900']],
  ['in_progress', 'published', ['900']],
  ['not_started', 'none', []],
])('the status of a reel proves whether it was published: %s', async (status, proof, ids) => {
  const response = { json: { status: { video_status: 'ready', publishing_phase: { status } } } };
  const finding = await find([response], aContent({ media: [aReel()] }), { videoId: '900', uploaded: true });
  expect(finding.proof).toBe(proof);
  expect(finding.candidates.map(({ publishId }) => publishId)).toEqual(ids);
  expect(platform.calls()).toEqual(['GET https://graph.facebook.com/v25.0/900']);
});

test('a list that cannot be read is an error, not an empty list', async () => {
  await expect(find([{ status: 500, text: 'oops' }], aContent())).rejects.toMatchObject({ class: 'transient' });
});
