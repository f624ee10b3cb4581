import { runningSandbox, type RunningSandbox } from './running-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await runningSandbox();
});
afterAll(() => sandbox.stop());

const headers = { authorization: 'Bearer sandbox-key' };
const post = (path: string, json: unknown) => sandbox.call(`https://api.openai.com/v1/${path}`, { json, headers });
const get = (path: string) => sandbox.call(`https://api.openai.com/v1/${path}`, { headers });

const SCHEMA = {
  type: 'object',
  properties: { ideas: { type: 'array', items: { type: 'object', properties: { title: { type: 'string' } } } } },
};
const strict = {
  type: 'object',
  required: ['ideas'],
  additionalProperties: false,
  properties: {
    ideas: {
      type: 'array',
      items: { type: 'object', required: ['title'], additionalProperties: false, properties: { title: { type: 'string' } } },
    },
  },
};
const requestWith = (
  schema: object,
  content = JSON.stringify({ task: '2 ideas', source: { text: 'Bread rests for a day. The oven is hot.' } }),
) => ({
  model: 'gpt-5-mini',
  messages: [{ role: 'user', content }],
  response_format: { type: 'json_schema', json_schema: { name: 'ideas', strict: true, schema } },
});

test('a completion fills the schema with sentences of the source', async () => {
  const { status, body } = await post('chat/completions', requestWith(strict));
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'chat.completion', choices: [{ finish_reason: 'stop', message: { refusal: null } }] });
  expect(body.usage.total_tokens).toBe(body.usage.prompt_tokens + body.usage.completion_tokens);
  expect(JSON.parse(body.choices[0].message.content)).toEqual({
    ideas: [{ title: 'Bread rests for a day' }, { title: 'The oven is hot' }],
  });
});

test('a completion that is longer than allowed is truncated', async () => {
  const { body } = await post('chat/completions', { ...requestWith(strict), max_completion_tokens: 5 });
  expect(body.choices[0]).toMatchObject({ finish_reason: 'length' });
  expect(body.choices[0].message.content).toHaveLength(20);
});

test.each([
  ['a schema that is not strict', requestWith(SCHEMA), { param: 'response_format', code: 'invalid_json_schema' }],
  ['an unknown parameter', { ...requestWith(strict), temprature: 1 }, { message: expect.stringContaining('temprature') }],
  ['JSON without the word', { ...requestWith(strict, 'Hello'), response_format: { type: 'json_object' } }, { param: 'messages' }],
  ['no messages', { ...requestWith(strict), messages: [] }, { param: 'messages' }],
])('rejects %s', async (_, json, error) => {
  expect(await post('chat/completions', json)).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error', ...error } } });
});

test('rejects unknown models and callers without a key', async () => {
  expect(await post('chat/completions', { ...requestWith(strict), model: 'llama' })).toMatchObject({
    status: 404,
    body: { error: { code: 'model_not_found' } },
  });
  expect(await sandbox.call('https://api.openai.com/v1/chat/completions', { json: requestWith(strict) })).toMatchObject({
    status: 401,
    body: { error: { code: 'invalid_api_key' } },
  });
});

test('faults script what a model responds', async () => {
  const message = { role: 'assistant', content: null, refusal: 'I cannot help with that.' };
  await sandbox.control('/faults', {
    platform: 'openai',
    call: 'openai.create_chat_completion',
    fault: { type: 'status', status: 200, body: { choices: [{ index: 0, finish_reason: 'stop', message }] } },
  });
  expect((await post('chat/completions', requestWith(strict))).body.choices[0].message.refusal).toContain('cannot');
  const { body } = await sandbox.control('/requests?platform=openai');
  expect(body.items.at(-1)).toMatchObject({ operation: 'openai.create_chat_completion', fault: 'status' });
  expect(JSON.stringify(body)).not.toContain('sandbox-key');
});

test('an image has the requested size', async () => {
  const { body } = await post('images/generations', { model: 'gpt-image-1', prompt: 'A loaf of bread', size: '1024x1536' });
  const bytes = Buffer.from(body.data[0].b64_json, 'base64');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1024, 1536]);
});

test('a video is created after some time, or fails', async () => {
  const slow = await runningSandbox({ SANDBOX_PROCESSING_MS: '60000' });
  try {
    const call = (path: string, json?: unknown) =>
      slow.call(`https://api.openai.com/v1/${path}`, { headers, ...(json !== undefined && { json }) });
    const { body: video } = await call('videos', { model: 'sora-2', prompt: 'Bread', seconds: '4', size: '720x1280' });
    expect(video).toMatchObject({ object: 'video', status: 'in_progress', seconds: '4' });
    expect(await call(`videos/${video.id}/content`)).toMatchObject({ status: 400 });
    slow.clock.aheadMs += 60_000;
    expect((await call(`videos/${video.id}`)).body).toMatchObject({ status: 'completed', progress: 100, error: null });
    await slow.control('/faults', {
      platform: 'openai',
      call: 'openai.create_video',
      fault: { type: 'processing_error', message: 'Blocked.' },
    });
    const { body: blocked } = await call('videos', { model: 'sora-2', prompt: 'Bread' });
    slow.clock.aheadMs += 60_000;
    expect((await call(`videos/${blocked.id}`)).body).toMatchObject({ status: 'failed', error: { message: 'Blocked.' } });
    expect(await get('videos/video_0')).toMatchObject({ status: 404 });
  } finally {
    await slow.stop();
  }
});

test('stock photos are found by words, and can be fetched', async () => {
  const search = (query: string, key = 'sandbox-key') =>
    sandbox.call(`https://api.pexels.com/v1/search?${query}`, { headers: { authorization: key } });
  const { body } = await search('query=bread&orientation=square&per_page=3');
  expect(body).toMatchObject({ page: 1, per_page: 3, photos: [{ alt: 'bread, photo 1', width: 1600, height: 1600 }, {}, {}] });
  const file = await fetch(body.photos[0].src.large2x);
  expect(file.headers.get('content-type')).toBe('image/jpeg');
  expect((await search('query=bread')).body.photos).not.toEqual([]);
  expect((await search('query=123')).body.photos).toEqual([]);
  expect((await search('orientation=square')).status).toBe(400);
  expect((await search('query=bread', '')).status).toBe(401);
});
