import { deadlineIn } from '@fanfare/runtime';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCall } from '../test/a-content.ts';
import { everyFlow } from '../test/flows/index.ts';
import { everyTalk } from '../test/flows/talks.ts';
import { record } from '../test/record.ts';
import { runToEnd } from '../test/run-to-end.ts';
import type { PlatformClient } from './platform-client.ts';

// The exact requests of every conversation, for reviewers to read: a change of what we send is a change of a file in `test/recorded/`.
// Record them anew with `RECORD=1 npx jest libs/connectors/src/recorded-requests.test.ts` and look at the diff.
const directory = path.join(import.meta.dirname, '../test/recorded');
const isRecording = process.env['RECORD'] === '1';

const conversations = [
  ...everyFlow.map(({ platform, key, connector, flow }) => ({
    file: `${platform}/publish_${key}.json`,
    answers: flow.answers,
    talk: (client: PlatformClient) =>
      runToEnd(connector, flow.content, aCall(client.http(platform, deadlineIn(10_000)), undefined, flow.login), flow.from),
  })),
  ...everyTalk.map(({ platform, talk }) => ({
    file: `${platform}/${talk.key}.json`,
    answers: talk.answers,
    talk: (client: PlatformClient) => talk.run(client.http(platform)),
  })),
];

test.each(conversations.map((one) => [one.file, one] as const))('%s', async (file, { answers, talk }) => {
  const requests = await record(answers, talk);
  const at = path.join(directory, file);
  if (isRecording) {
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, `${JSON.stringify(requests, null, 2)}\n`);
  }
  expect(requests).toEqual(JSON.parse(readFileSync(at, 'utf8')));
});

test('nothing is recorded of conversations that are no more', () => {
  const known = conversations.map(({ file }) => file).sort();
  const recorded = () => readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  if (isRecording) for (const file of recorded()) if (!known.includes(file)) rmSync(path.join(directory, file));
  expect(recorded().sort()).toEqual(known);
});
