import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { basic, connectX, reel, runningSandbox, until, type RunningSandbox, queryOf } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let user: Awaited<ReturnType<typeof connectX>>;
let png: Buffer;

beforeAll(async () => {
  sandbox = await runningSandbox();
  user = await connectX(sandbox);
  png = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
});
afterAll(() => sandbox.stop());

const chunk = (bytes: Buffer, index: number | string) => {
  const form = new FormData();
  form.set('segment_index', String(index));
  form.set('media', new Blob([new Uint8Array(bytes)]), 'chunk');
  return form;
};

async function upload(bytes: Buffer, media_type: string, media_category: string, parts = 1): Promise<string> {
  const { body } = await user.post('media/upload/initialize', { media_type, media_category, total_bytes: bytes.length });
  const size = Math.ceil(bytes.length / parts);
  for (let index = 0; index < parts; index++) {
    const appended = await user.form(`media/upload/${body.data.id}/append`, chunk(bytes.subarray(index * size, (index + 1) * size), index));
    expect(appended.status).toBe(200);
  }
  return body.data.id;
}

describe('signing in', () => {
  it('accepts a code once, with the right verifier and credentials', async () => {
    const again = await sandbox.call('https://api.x.com/2/oauth2/token', { form: user.exchange, headers: { authorization: basic } });
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    const unproven = await sandbox.call('https://api.x.com/2/oauth2/token', { form: user.exchange });
    expect(unproven).toMatchObject({ status: 401, body: { error: 'unauthorized_client' } });
  });

  it('rotates refresh tokens: each works once', async () => {
    const { tokens } = await connectX(sandbox);
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: 'sandbox-x' };
    const refreshed = await sandbox.call('https://api.x.com/2/oauth2/token', { form, headers: { authorization: basic } });
    expect(refreshed.body).toMatchObject({ token_type: 'bearer', expires_in: 7200, scope: expect.stringContaining('offline.access') });
    expect(refreshed.body.refresh_token).not.toBe(tokens.refresh_token);
    expect((await sandbox.call('https://api.x.com/2/oauth2/token', { form, headers: { authorization: basic } })).status).toBe(400);
  });

  it('expires a code after 30 seconds', async () => {
    const { exchange } = await connectX(sandbox);
    const query = queryOf({
      response_type: 'code',
      client_id: 'sandbox-x',
      redirect_uri: exchange.redirect_uri,
      scope: 'tweet.read',
      state: 's',
      code_challenge: 'c'.repeat(43),
    });
    const allowed = await sandbox.call(`https://x.com/i/oauth2/authorize?${query}&code_challenge_method=plain&_consent=allow`);
    const code = new URL(allowed.headers.get('location')!).searchParams.get('code')!;
    sandbox.clock.aheadMs = 31_000;
    const late = await sandbox.call('https://api.x.com/2/oauth2/token', {
      form: { ...exchange, code, code_verifier: 'c'.repeat(43) },
      headers: { authorization: basic },
    });
    sandbox.clock.aheadMs = 0;
    expect(late.status).toBe(400);
  });

  it('ends access after two hours', async () => {
    sandbox.clock.aheadMs = 2 * 3600_000 + 1000;
    const late = await user.get('users/me');
    sandbox.clock.aheadMs = 0;
    expect(late).toMatchObject({ status: 401, body: { title: 'Unauthorized', type: 'about:blank', status: 401 } });
  });

  it.each([
    ['no state', { state: '' }],
    ['no challenge', { code_challenge: '' }],
    ['an unknown scope', { scope: 'rule.world' }],
    ['an unknown app', { client_id: 'nobody' }],
  ])('rejects an authorization with %s', async (_, change) => {
    const good = {
      response_type: 'code',
      client_id: 'sandbox-x',
      redirect_uri: 'https://app.example/',
      scope: 'tweet.read',
      state: 's',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    };
    expect((await sandbox.call(`https://x.com/i/oauth2/authorize?${queryOf({ ...good, ...change })}&_consent=allow`)).status).toBe(400);
  });
});

describe('publishing', () => {
  it('posts text, wraps its links, rejects a duplicate, and lists it', async () => {
    const made = await user.post('tweets', { text: 'Fresh coffee at https://example.com/menu' });
    expect(made).toMatchObject({
      status: 201,
      body: { data: { id: expect.any(String), text: expect.stringMatching(/^Fresh coffee at https:\/\/t\.co\/\w+$/) } },
    });
    expect(Number(made.headers.get('x-rate-limit-remaining'))).toBe(Number(made.headers.get('x-rate-limit-limit')) - 1);
    expect(await user.post('tweets', { text: 'Fresh coffee at https://example.com/menu' })).toMatchObject({
      status: 403,
      body: { title: 'Forbidden', detail: 'You are not allowed to create a Tweet with duplicate content.', status: 403 },
    });
    const me = await user.get('users/me?user.fields=public_metrics,username');
    const listed = await user.get(`users/${me.body.data.id}/tweets?max_results=5&tweet.fields=created_at,entities,text`);
    expect(listed.body.data[0]).toMatchObject({
      id: made.body.data.id,
      entities: { urls: [{ expanded_url: 'https://example.com/menu' }] },
    });
    const shown = await sandbox.call(`https://x.com/${me.body.data.username}/status/${made.body.data.id}`);
    expect(shown.text).toContain(
      'Fresh coffee at <a href="https://example.com/menu" rel="noreferrer noopener">https://example.com/menu</a>',
    );
  });

  it("can reply to its own post, and not to other people's", async () => {
    const { body } = await user.post('tweets', { text: 'A question' });
    expect((await user.post('tweets', { text: 'A response', reply: { in_reply_to_tweet_id: body.data.id } })).status).toBe(201);
    expect((await user.post('tweets', { text: 'Hello?', reply: { in_reply_to_tweet_id: '42' } })).status).toBe(403);
    const posts = (await sandbox.control('/posts?platform=x')).body.items;
    expect(posts.at(-1)).toMatchObject({ text: 'A question', comments: [{ text: 'A response' }] });
  });

  it('accepts an image in chunks, with an alt text', async () => {
    const id = await upload(png, 'image/png', 'tweet_image', 3);
    const finalized = await user.post(`media/upload/${id}/finalize`);
    expect(finalized.body.data).toMatchObject({ id, media_key: `3_${id}`, size: png.length });
    expect(finalized.body.data).not.toHaveProperty('processing_info');
    expect((await user.post('media/metadata', { id, metadata: { alt_text: { text: 'A cup' } } })).status).toBe(200);
    expect((await user.post('tweets', { text: 'With an image', media: { media_ids: [id] } })).status).toBe(201);
    expect((await sandbox.control('/posts?platform=x')).body.items.at(-1)).toMatchObject({
      kind: 'photo',
      media: [{ alt_text: 'A cup', width: 80 }],
    });
  });

  it('accepts a small image in one call', async () => {
    const form = new FormData();
    form.set('media_category', 'tweet_image');
    form.set('media', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png');
    const { body } = await user.form('media/upload', form);
    expect((await user.post('tweets', { media: { media_ids: [body.data.id] } })).status).toBe(201);
  });

  it('processes a video before it can be posted', async () => {
    await sandbox.control('/faults', { platform: 'x', call: 'x.finalize_upload', fault: { type: 'slow_processing', ms: 30_000 } });
    const id = await upload(reel, 'video/mp4', 'tweet_video');
    const finalized = await user.post(`media/upload/${id}/finalize`);
    expect(finalized.body.data.processing_info).toMatchObject({ state: 'pending', check_after_secs: expect.any(Number) });
    expect((await user.post('tweets', { text: 'too early', media: { media_ids: [id] } })).body.errors[0].message).toContain(
      'media IDs are invalid',
    );
    sandbox.clock.aheadMs = 31_000;
    const state = await user.get(`media/upload?command=STATUS&media_id=${id}`);
    const posted = await user.post('tweets', { text: 'A video', media: { media_ids: [id] } });
    sandbox.clock.aheadMs = 0;
    expect(state.body.data.processing_info.state).toBe('succeeded');
    expect(posted.status).toBe(201);
  });

  it('accepts an upright video of 1080 × 1920', async () => {
    const id = await upload(readFileSync('apps/sandbox/test/fixtures/upright.mp4'), 'video/mp4', 'tweet_video');
    await user.post(`media/upload/${id}/finalize`);
    const done = await until(
      () => user.get(`media/upload?command=STATUS&media_id=${id}`),
      ({ body }) => ['failed', 'succeeded'].includes(body.data.processing_info.state),
    );
    expect(done.body.data.processing_info.state).toBe('succeeded');
  });

  it('reports in STATUS that a file is not a video', async () => {
    const id = await upload(Buffer.from('not a video'), 'video/mp4', 'tweet_video');
    await user.post(`media/upload/${id}/finalize`);
    const failed = await until(
      () => user.get(`media/upload?command=STATUS&media_id=${id}`),
      ({ body }) => body.data.processing_info.state === 'failed',
    );
    expect(failed.body.data.processing_info.error).toMatchObject({ name: 'InvalidMedia' });
  });
});

describe('strictness', () => {
  it.each([
    ['an unknown field', { text: 'a', colour: 'red' }, 'colour'],
    ['an unknown field inside', { text: 'a', media: { media_ids: ['1'], alt: 'x' } }, 'media.alt'],
    ['281 letters', { text: 'a'.repeat(281) }, '281'],
    ['141 letters that count twice', { text: '咖'.repeat(141) }, '282'],
    ['nothing', {}, 'text'],
    ['five images', { media: { media_ids: ['1', '2', '3', '4', '5'] } }, 'maximum of 4 items'],
    ['an image that was not uploaded', { text: 'a', media: { media_ids: ['1'] } }, 'media IDs are invalid'],
    ['two cashtags', { text: '$AAPL and $MSFT' }, 'cashtag'],
    ['a text that is not a string', { text: 5 }, 'text'],
  ])('rejects a post with %s', async (_, body, message) => {
    const rejected = await user.post('tweets', body);
    expect(rejected).toMatchObject({
      status: 400,
      body: { title: 'Invalid Request', type: 'https://api.x.com/2/problems/invalid-request' },
    });
    expect(rejected.body.errors[0].message).toContain(message);
  });

  it('counts a link as 23', async () => {
    expect((await user.post('tweets', { text: `${'b'.repeat(256)} https://example.com/${'x'.repeat(200)}` })).status).toBe(201);
  });

  it.each([
    ['a type that does not fit its category', { media_type: 'video/mp4', media_category: 'tweet_image', total_bytes: 10 }],
    ['too many bytes', { media_type: 'image/png', media_category: 'tweet_image', total_bytes: 6_000_000 }],
    ['an unknown category', { media_type: 'image/png', media_category: 'avatar', total_bytes: 10 }],
    ['an unknown field', { media_type: 'image/png', media_category: 'tweet_image', total_bytes: 10, speed: 1 }],
  ])('rejects an upload of %s', async (_, body) => {
    expect((await user.post('media/upload/initialize', body)).status).toBe(400);
  });

  it('checks the order and the sum of the chunks', async () => {
    const { body } = await user.post('media/upload/initialize', {
      media_type: 'image/png',
      media_category: 'tweet_image',
      total_bytes: png.length,
    });
    const path = `media/upload/${body.data.id}`;
    expect((await user.form(`${path}/append`, chunk(png, 1000))).status).toBe(400);
    expect((await user.form(`${path}/append`, chunk(Buffer.alloc(png.length + 1), 0))).status).toBe(400);
    expect((await user.form(`${path}/append`, chunk(png.subarray(0, 10), 1))).status).toBe(200);
    expect((await user.form(`${path}/append`, chunk(png.subarray(0, 10), 1))).status).toBe(400);
    expect((await user.post(`${path}/finalize`)).status).toBe(400);
  });

  it('checks its query parameters', async () => {
    expect((await user.get('users/me?colour=red')).status).toBe(400);
    const { id } = (await user.get('users/me')).body.data;
    expect((await user.get(`users/${id}/tweets?max_results=4`)).status).toBe(400);
    expect((await user.get(`users/${id}/tweets?max_results=5`)).status).toBe(200);
  });

  it('names the scope that a token lacks', async () => {
    const reader = await connectX(sandbox, 'tweet.read users.read');
    expect(reader.tokens).not.toHaveProperty('refresh_token');
    expect((await reader.post('tweets', { text: 'no' })).body).toMatchObject({
      status: 403,
      detail: expect.stringContaining('tweet.write'),
    });
  });

  it('responds to an unknown path with its problem, and limits the rate', async () => {
    expect(await user.get('nonsense')).toMatchObject({ status: 404, body: { title: 'Not Found', status: 404 } });
    const tight = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '0.01' });
    const busy = await connectX(tight);
    expect((await busy.post('tweets', { text: 'one' })).status).toBe(201);
    const limited = await busy.post('tweets', { text: 'two' });
    expect(limited).toMatchObject({ status: 429, body: { title: 'Too Many Requests' } });
    expect(limited.headers.get('x-rate-limit-remaining')).toBe('0');
    await tight.stop();
  });

  it('ends access when the user revokes it', async () => {
    const me = await user.get('users/me');
    await sandbox.control(`/accounts/${me.body.data.id}/revoke`, {});
    expect((await user.get('users/me')).status).toBe(401);
    user = await connectX(sandbox);
    expect((await user.get('users/me')).status).toBe(200);
  });
});

describe('options of a post', () => {
  const posts = async () => (await sandbox.control('/posts?platform=x')).body.items;

  it('are shown with the post', async () => {
    const chosen = { reply_settings: 'verified', made_with_ai: true, paid_partnership: true, community_id: '1146654567674912769' };
    const poll = { options: ['Rye', 'Wheat'], duration_minutes: 60 };
    expect((await user.post('tweets', { text: 'Which bread?', ...chosen, poll })).status).toBe(201);
    const post = (await posts()).at(-1);
    expect(post).toMatchObject({ text: 'Which bread?', details: { ...chosen, poll } });
    for (const page of ['/', post.url]) expect((await sandbox.call(page)).text).toMatch(/<li>Rye<.*<li>Wheat<.*1 hour left/);
  });

  it.each(['following', 'mentionedUsers', 'subscribers'])('include a poll with replies from %s', async (reply_settings) => {
    const poll = { options: ['Rye', 'Wheat'], duration_minutes: 60, reply_settings };
    expect((await user.post('tweets', { text: `Which bread, ${reply_settings}?`, poll })).status).toBe(201);
    expect((await posts()).at(-1)).toMatchObject({ details: { poll } });
  });

  it.each([
    ['unknown reply settings', { reply_settings: 'friends' }],
    ['a label that is not a boolean', { made_with_ai: 'yes' }],
    ['a poll of one', { poll: { options: ['Rye'], duration_minutes: 60 } }],
    ['a poll of a minute', { poll: { options: ['Rye', 'Wheat'], duration_minutes: 1 } }],
    ['a community by name', { community_id: 'bakers' }],
    ['a poll that nobody may reply to', { poll: { options: ['Rye', 'Wheat'], duration_minutes: 60, reply_settings: 'nobody' } }],
    ['a poll for verified users', { poll: { options: ['Rye', 'Wheat'], duration_minutes: 60, reply_settings: 'verified' } }],
  ])('are rejected if they are %s', async (_, fields) => {
    expect((await user.post('tweets', { text: `No ${JSON.stringify(fields)}`, ...fields })).status).toBe(400);
  });

  it('are rejected with an unknown community', async () => {
    expect(await user.post('tweets', { text: 'To nobody', community_id: '77' })).toMatchObject({
      status: 403,
      body: { title: 'Forbidden', detail: 'You are not permitted to create a Post in this Community.', status: 403 },
    });
  });

  it('tag only users that exist', async () => {
    const me = (await user.get('users/me')).body.data.id;
    const tagged = async (id: string) => {
      const form = new FormData();
      form.set('media_category', 'tweet_image');
      form.set('media', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png');
      const uploaded = (await user.form('media/upload', form)).body.data.id;
      return user.post('tweets', { media: { media_ids: [uploaded], tagged_user_ids: [id] } });
    };
    expect((await tagged(me)).status).toBe(201);
    expect((await tagged('77')).body).toMatchObject({
      type: 'https://api.x.com/2/problems/invalid-request',
      errors: [{ message: 'media.tagged_user_ids: could not find user with id: [77].' }],
    });
  });

  it('allow longer texts for subscribers', async () => {
    const long = 'Long bread. '.repeat(40).trim();
    expect((await user.post('tweets', { text: long })).status).toBe(400);
    const paying = await runningSandbox();
    const { body } = await paying.control('/accounts', { platform: 'x', username: 'payer', name: 'Payer', subscription_type: 'Premium' });
    const payer = await connectX(paying, undefined, body.id);
    expect((await payer.get('users/me?user.fields=subscription_type')).body.data.subscription_type).toBe('Premium');
    expect((await payer.post('tweets', { text: `${long} https://example.com/bread` })).status).toBe(201);
    const note = {
      text: expect.stringMatching(`^${long} https://t.co/`),
      entities: { urls: [expect.objectContaining({ expanded_url: 'https://example.com/bread' })] },
    };
    const text = long.slice(0, 270);
    const listed = async (query: string) => (await payer.get(`users/${body.id}/tweets?${query}`)).body.data;
    const id = expect.any(String);
    expect(await listed('post.fields=note_post')).toEqual([{ id, text, note_post: note, edit_history_post_ids: [id] }]);
    expect(await listed('tweet.fields=note_tweet')).toEqual([{ id, text, note_tweet: note, edit_history_tweet_ids: [id] }]);
    expect((await payer.get(`users/${body.id}/tweets?posts.fields=text`)).body.errors).toEqual([
      { parameters: {}, message: expect.stringMatching(/^The query parameter \[posts\.fields\] is not one of /) },
    ]);
    await paying.stop();
  });
});
