import type { Job } from '@fanfare/contracts/generation';
import { newId } from '@fanfare/runtime';
import { SYSTEM } from '../src/writing/openai/prompts.ts';
import type { Call } from './running-generation.ts';
import { KEY, saying, startWithModels } from './with-models.ts';

const CHAT = 'openai.create_chat_completion';

let generation: Awaited<ReturnType<typeof startWithModels>>;
beforeAll(async () => {
  generation = await startWithModels((config) => ({
    ...config,
    jobs: { ...config.jobs, maxTokens: 20_000 },
    languageModel: config.languageModel && { ...config.languageModel, timeoutMs: 3_000 },
  }));
});
afterAll(() => generation.stop());
afterEach(() => generation.sandbox.clearFaults());

async function run(call: Call, more: Parameters<typeof generation.createJob>[1] = {}): Promise<Job> {
  const { id } = await generation.createJob(call, more);
  return generation.ended(call, id);
}
const usage = async (call: Call) => (await generation.client.getUsage({}, call)).posts;
const requestsWith = (text = '') => generation.sandbox.exchanges(CHAT, text);

test('a language model writes the posts, and the job reports its name, usage and cost', async () => {
  const call = generation.aBusiness({ name: 'Model Bakery' });
  const job = await run(call, { count: 2 });
  expect(job).toMatchObject({ status: 'JOB_STATUS_COMPLETED', composer: 'gpt-5-mini', modelUsage: { requests: 3 } });
  const { inputTokens = 0, outputTokens = 0, costUsd } = job.modelUsage ?? {};
  expect(inputTokens).toBeGreaterThan(outputTokens);
  expect(costUsd).toBeCloseTo((inputTokens + outputTokens * 10) / 1_000_000, 9);
  expect(new Set(job.posts.map(({ caption }) => caption)).size).toBe(2);
  const [exchange] = await requestsWith('Model Bakery');
  expect(JSON.stringify(exchange)).not.toContain(KEY);
});

test('a response that does not match the schema is requested once more, with the problem', async () => {
  await generation.sandbox.fault(CHAT, saying('Sure! Here are some ideas.'));
  const job = await run(generation.aBusiness({ name: 'Repaired Bakery' }));
  expect(job).toMatchObject({ status: 'JOB_STATUS_COMPLETED', modelUsage: { requests: 3 } });
  const repair = (await requestsWith('Repaired Bakery')).find(({ body }) => JSON.stringify(body).includes('it is not JSON'));
  expect(repair?.status).toBe(200);
});

test.each<[string, object, string]>([
  ['nonsense', saying('I am a teapot.'), 'The language model returned an invalid response twice.'],
  ['its own rules', saying(JSON.stringify({ ideas: [{ title: SYSTEM }] })), 'The language model returned an invalid response twice.'],
  ['a refusal', saying('', { content: null, refusal: 'I cannot.' }), 'The language model declined to write about this source.'],
  ['no access', { type: 'status', status: 401 }, 'The language model rejected the configured key.'],
  ['no such model', { type: 'status', status: 404 }, 'The language model does not have the configured model.'],
])('a model that responds with %s fails the job, and nothing is charged', async (_, fault, error) => {
  await generation.sandbox.fault(CHAT, fault as { type: string }, null);
  const call = generation.aBusiness();
  const job = await run(call);
  expect(job).toMatchObject({ status: 'JOB_STATUS_FAILED', error, posts: [], credits: 0 });
  expect(await usage(call)).toBe(0);
  expect(generation.library.idsOf(call.call.metadata.businessId)).toEqual([]);
});

test('a failed job reports its usage', async () => {
  await generation.sandbox.fault(CHAT, saying('No.'), null);
  const job = await run(generation.aBusiness());
  expect(job.modelUsage).toMatchObject({ requests: 2, inputTokens: 200, outputTokens: 100 });
});

test.each<[string, { type: string } & Record<string, unknown>]>([
  ['is over its limit', { type: 'status', status: 429, headers: { 'retry-after': '0' } }],
  ['is down', { type: 'status', status: 503 }],
  ['closes the connection', { type: 'drop' }],
  ['is behind a proxy that fails', { type: 'html', status: 502 }],
  ['breaks off', { type: 'truncate' }],
  ['stalls', { type: 'hold' }],
])(
  'a model that %s temporarily is called again',
  async (_, fault) => {
    await generation.sandbox.fault(CHAT, fault);
    expect(await run(generation.aBusiness())).toMatchObject({ status: 'JOB_STATUS_COMPLETED', credits: 1 });
  },
  20_000,
);

test('a post that the model declines to write does not affect the others', async () => {
  await generation.sandbox.fault(CHAT, saying(ideas('One', 'Two')));
  await generation.sandbox.fault(CHAT, saying('', { content: null, refusal: 'I cannot.' }));
  const job = await run(generation.aBusiness(), { count: 2 });
  const warnings = [expect.stringMatching(/^Post \d could not be generated: The language model declined to write about this source\.$/)];
  expect(job).toMatchObject({ status: 'JOB_STATUS_COMPLETED', credits: 1, warnings });
});

const ideas = (...titles: string[]) =>
  JSON.stringify({ ideas: titles.map((title) => ({ title, summary: title, image_keyword: '', topic: -1 })) });

test('a server without support for schemas gets a request for JSON', async () => {
  const own = await startWithModels();
  try {
    const message = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.";
    await own.sandbox.fault(CHAT, { type: 'status', status: 400, body: { error: { message, type: 'invalid_request_error' } } });
    await own.sandbox.fault(CHAT, saying(`\`\`\`json\n${ideas('Flour')}\n\`\`\``));
    const page = { label: '', headline: 'Flour', body: '', cta: '', top: '', bottom: '' };
    const copy = { title: 'Flour', caption: 'Our flour.', hashtags: ['flour'], alt_text: 'Flour', pages: [page] };
    await own.sandbox.fault(CHAT, saying(JSON.stringify(copy)));
    const call = own.aBusiness();
    const { id } = await own.createJob(call);
    expect(await own.ended(call, id)).toMatchObject({
      status: 'JOB_STATUS_COMPLETED',
      posts: [{ caption: 'Our flour.\n\n#flour', textContent: { headline: 'Flour' } }],
    });
    const formats = (await own.sandbox.exchanges(CHAT)).map(
      ({ body }) => (body as { response_format: { type: string } }).response_format.type,
    );
    expect(formats).toEqual(['json_schema', 'json_object', 'json_object']);
  } finally {
    await own.stop();
  }
});

test('a job that has used its tokens makes no more calls', async () => {
  const many = { ...saying(ideas('One')), body: { ...saying(ideas('One')).body, usage: { prompt_tokens: 30_000, completion_tokens: 0 } } };
  await generation.sandbox.fault(CHAT, many);
  const job = await run(generation.aBusiness({ name: 'Costly Bakery' }), { count: 2 });
  expect(job).toMatchObject({ status: 'JOB_STATUS_FAILED', error: expect.stringContaining('limit of 20000 language model tokens') });
  expect(await requestsWith('Costly Bakery')).toHaveLength(1);
});

test('the model suggests captions, or the error says why not', async () => {
  const call = generation.aBusiness();
  const request = {
    operationId: newId(),
    caption: 'Fresh bread at seven. Cakes on Sunday.',
    mediaId: undefined,
    platform: 'x',
    tone: '',
    count: 2,
    limits: undefined,
  };
  expect((await generation.client.suggestCaptions(request, call)).captions).toHaveLength(2);
  await generation.sandbox.fault(CHAT, { type: 'status', status: 503 }, null);
  await expect(generation.client.suggestCaptions(request, call)).rejects.toMatchObject({ code: 'UPSTREAM_PROVIDER_ERROR' });
  expect(await usage(call)).toBe(1);
});
