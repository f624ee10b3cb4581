import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { showDrafts } from '../src/demo/show-drafts.ts';
import { createSteps } from '../src/steps.ts';

/** An API whose jobs end as each test sets. */
let api: Server;
let baseUrl: string;
let polls = 0;
let end: object = {};
const directory = mkdtempSync(path.join(os.tmpdir(), 'fanfare-drafts-'));
beforeAll(async () => {
  const pending = { job_id: 'j', status: 'pending', composer: 'embedded', error: null, data: [], warnings: [] };
  api = createServer((request, response) => {
    request.resume().on('end', () => {
      const isEnded = request.method === 'GET' && ++polls > 1;
      response.writeHead(request.method === 'POST' ? 202 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isEnded ? { ...pending, ...end } : pending));
    });
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await new Promise((resolve) => api.close(resolve));
});

async function show(job: object): Promise<string> {
  polls = 0;
  end = job;
  const printed = jest.spyOn(console, 'log').mockImplementation(() => {});
  const signal = new AbortController().signal;
  await showDrafts(
    { base_url: baseUrl, api_key: 'fk_test_x', business_id: 'b' },
    'bread',
    createSteps(signal, () => {}),
    signal,
    directory,
  );
  const text = printed.mock.calls.flat().join('\n');
  printed.mockRestore();
  return text;
}

test('drafts are printed, and written as a page with their markup escaped', async () => {
  const data = [
    { caption: 'Bread & <b>butter</b>', creative_format: 'design', rendered_urls: ['https://media.example/1'], score: { overall: 90 } },
  ];
  const printed = await show({ status: 'completed', data, warnings: ['Post 2 could not be made: No image.'] });
  expect(printed).toMatch(/Draft 1 \(design, score 90\)\n {2}Bread & <b>butter<\/b>\n {2}https:\/\/media\.example\/1/);
  expect(printed).toContain('Post 2 could not be made: No image.');
  const page = readFileSync(path.join(directory, 'drafts.html'), 'utf8');
  expect(page).toContain('<img alt="" src="https://media.example/1">');
  expect(page).not.toContain('<b>');
});

test('a failed job is reported, and the platform keeps running', async () => {
  expect(await show({ status: 'failed', error: 'The website does not respond.' })).toMatch(
    /No drafts were generated: The website does not respond\.\n.*Fanfare is running\./,
  );
});
