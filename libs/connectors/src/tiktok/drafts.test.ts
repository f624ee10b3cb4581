import { complete, tiktokFlows } from './test/flows.ts';
import type { ScriptedResponse } from '../../test/scripted-platform/scripted-platform.ts';
import { tiktokTalk } from './test/talk.ts';
import { walk } from '../../test/conversations/walk.ts';
import { tiktok } from './index.ts';

const taskId = 'v_pub_file~v2-1.71';
const ok = { code: 'ok', message: '', log_id: '1' };

const { run, sent, close } = tiktokTalk();
afterEach(close);

describe('a draft', () => {
  const inbox = { publishId: taskId, warning: expect.stringMatching(/inbox.*not public/) as string };

  test('of a video sends only its bytes, reads nothing of the account, and is visible only to its owner', async () => {
    const { published, steps } = await run(tiktokFlows.draftVideo);
    expect(published).toEqual(inbox);
    expect(steps.slice(0, 3)).toEqual(['prepare:initialize_upload', 'commit:upload_last_part', 'follow_up:await_publishing']);
    expect(sent().slice(0, 2)).toEqual([
      [
        'POST',
        '/post/publish/inbox/video/init/',
        { source_info: { source: 'FILE_UPLOAD', video_size: 1_000, chunk_size: 1_000, total_chunk_count: 1 } },
      ],
      ['PUT', 'https://open-upload.tiktokapis.com/video/', 'video/mp4', 'bytes 0-999/1000', 1_000],
    ]);
  });

  test('of photos has their texts and cover; everything else is chosen in the app', async () => {
    const { published } = await run(tiktokFlows.draftPhotos);
    expect(published).toEqual({ ...inbox, publishId: 'p_pub_url~v2.73' });
    expect(sent()[0]).toEqual([
      'POST',
      '/post/publish/content/init/',
      {
        media_type: 'PHOTO',
        post_mode: 'MEDIA_UPLOAD',
        post_info: { title: 'Two doors', description: 'Hello world' },
        source_info: {
          source: 'PULL_FROM_URL',
          photo_images: ['https://media.example.com/1.jpg', 'https://media.example.com/2.jpg'],
          photo_cover_index: 1,
        },
      },
    ]);
  });

  test.each([
    ['draftVideo', ['drafts', 'drafts']],
    ['video', [undefined, 'posts', 'posts']],
  ] as const)('is counted apart from posts: %s', async (key, quotas) => {
    const { taken } = await walk(tiktok, tiktokFlows[key]);
    const spent = taken.flatMap(({ step }) => (step.kind === 'follow_up' ? [] : [step.spends?.quota]));
    expect(spent).toEqual(quotas);
  });

  test('that its owner posts immediately is published', async () => {
    const { draftVideo } = tiktokFlows;
    const posted = { text: complete.text };
    expect((await run({ ...draftVideo, responses: [...draftVideo.responses.slice(0, 2), posted] })).published).toEqual({
      publishId: '7301234567890123457',
      postUrl: 'https://www.tiktok.com/@acme/video/7301234567890123457',
    });
  });

  test('that TikTok gives up is sent again as a draft', async () => {
    const { content, responses } = tiktokFlows.draftVideo;
    const failed: ScriptedResponse = { json: { data: { status: 'FAILED', fail_reason: 'internal' }, error: ok } };
    await expect(run({ content, responses: [...responses.slice(0, 2), failed] })).rejects.toMatchObject({
      class: 'transient',
      retryFrom: { rebuilds: 1 },
    });
    const next = tiktok.publish.next(content, { rebuilds: 1 });
    expect(next).toMatchObject({ step: { name: 'initialize_upload', spends: { quota: 'drafts' } } });
  });
});
