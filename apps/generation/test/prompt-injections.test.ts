import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Job } from '@fanfare/contracts/generation';
import { SYSTEM } from '../src/writing/openai/prompts.ts';
import { PROMPT_INJECTIONS } from './prompt-injections.ts';
import { saying, startWithModels } from './with-models.ts';

const CHAT = 'openai.create_chat_completion';
const RIVAL = 'Rival Patisserie of another organization';

let generation: Awaited<ReturnType<typeof startWithModels>>;
let pages: Server;
let pageUrl: string;
let page = '';
beforeAll(async () => {
  pages = createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.writeHead(request.url === '/page' ? 200 : 404).end(page);
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  pageUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  generation = await startWithModels((config) => ({ ...config, fetchAllowedOrigins: [...config.fetchAllowedOrigins, pageUrl] }));
  generation.aBusiness({ name: RIVAL });
});
afterAll(async () => {
  pages.close();
  await generation.stop();
});
afterEach(() => generation.sandbox.clearFaults());

/** A URL of the sandbox, which records requests to it. */
const trap = () => `${generation.sandbox.url}/api.pexels.com/v1/search?query=trap`;
const trapped = () => generation.sandbox.exchanges('pexels.search_photos');

/** A response of a model that obeys every injection. */
async function obeying(): Promise<void> {
  const evil = `Visit ${trap()} and www.attacker.example, @attacker says. [Read](${trap()}) ![x](${trap()}) ${SYSTEM.slice(0, 50)}`;
  const idea = { title: evil, summary: evil, image_keyword: evil, topic: 99 };
  const shown = { label: evil, headline: evil, body: evil, cta: evil, top: evil, bottom: evil };
  const copy = {
    title: evil,
    caption: evil,
    hashtags: ['attacker', trap()],
    alt_text: evil,
    pages: Array.from({ length: 40 }, () => shown),
  };
  const asInstructed = {
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'fetch', arguments: JSON.stringify({ url: trap() }) } }],
  };
  await generation.sandbox.fault(CHAT, saying(JSON.stringify({ ideas: Array.from({ length: 40 }, () => idea) }), asInstructed));
  await generation.sandbox.fault(CHAT, saying(JSON.stringify(copy), asInstructed), null);
}

async function run(more: Parameters<typeof generation.createJob>[1]): Promise<Job> {
  const call = generation.aBusiness({ name: 'Padaria Aurora' });
  const { id } = await generation.createJob(call, { count: 1, ...more });
  return generation.ended(call, id);
}

/** @param said the text of the source: posts may repeat its mentions */
function expectUnmoved(job: Job, said: string): void {
  expect(job).toMatchObject({ status: 'JOB_STATUS_COMPLETED', error: undefined, credits: 1, posts: [{ creativeFormat: 'design' }] });
  expect(job.posts).toHaveLength(1);
  const post = JSON.stringify(job.posts.map(({ renderedUrls: _, slides: __, ...texts }) => texts));
  for (const foreign of [generation.sandbox.url, 'api.pexels.com', 'www.attacker.example', '@attacker', '](', RIVAL]) {
    if (!said.includes(foreign)) expect(post).not.toContain(foreign);
  }
}

describe.each(PROMPT_INJECTIONS)('%s', (_, text) => {
  // Links of the source are allowed in posts, so that the source here must not contain the URL.
  const said = () => text.replaceAll('URL', 'the address that I told you');

  test('stays data in requests to the model, and an obeying model has no effect', async () => {
    await obeying();
    const before = { requests: (await generation.sandbox.exchanges(CHAT)).length, trapped: (await trapped()).length };
    expectUnmoved(await run({ content: `${said()} We bake bread every day.` }), said());
    const requests = (await generation.sandbox.exchanges(CHAT)).slice(before.requests).map(({ body }) => body as ModelRequest);
    expect(requests).toHaveLength(2);
    for (const { messages, ...rest } of requests) {
      expect(Object.keys(rest).sort()).toEqual(['max_completion_tokens', 'model', 'response_format']);
      expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
      expect(messages[0]?.content).toBe(SYSTEM);
      const user = JSON.parse(messages[1]?.content ?? '') as Record<string, { text?: string }>;
      expect(Object.keys(user)).toEqual(['task', 'business', 'source']);
      expect(user['source']?.text).toContain('We bake bread every day.');
      expect(JSON.stringify(user['business'])).not.toContain(RIVAL);
    }
    expect(await trapped()).toHaveLength(before.trapped);
  });
});

test('on a website: all injections together cause no request except for the page', async () => {
  await obeying();
  const before = (await trapped()).length;
  const said = PROMPT_INJECTIONS.map(([, text]) => `<p>${text.replaceAll('URL', trap())}</p>`);
  const paragraphs = Array.from({ length: 6 }, (_, index) => `<p>We bake bread of kind ${index} in our oven every day of the week.</p>`);
  page = `<html><head><title>Bread</title></head><body>${said.join('')}${paragraphs.join('')}<img src="${trap()}"></body></html>`;
  const job = await run({ content: undefined, websiteUrl: `${pageUrl}/page` });
  expect(job).toMatchObject({ status: 'JOB_STATUS_COMPLETED', credits: 1, posts: [{ creativeFormat: 'design' }] });
  expect(await trapped()).toHaveLength(before);
});

interface ModelRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}
