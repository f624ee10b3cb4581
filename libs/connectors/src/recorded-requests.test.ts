import { deadlineIn } from '@fanfare/runtime';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCall } from '../test/a-content.ts';
import { everyPlatform, folderOf } from '../test/conversations/conversations.ts';
import { everyFlow } from '../test/conversations/flows.ts';
import { everyTalk } from '../test/conversations/talks.ts';
import { record } from '../test/scripted-platform/record.ts';
import { runToEnd } from '../test/run-to-end.ts';
import type { Platform } from './platform.ts';
import type { PlatformClient } from './platform-client.ts';

// The exact requests of every conversation, for reviewers to read: a change of what we send is a change of a file in `test/recorded/` of the platform's folder.
// Record them again with `RECORD=1 npx jest libs/connectors/src/recorded-requests.test.ts` and look at the diff.
const directoryOf = (platform: Platform) => path.join(import.meta.dirname, folderOf(platform), 'test/recorded');
const isRecording = process.env['RECORD'] === '1';

const conversations = [
  ...everyFlow.map(({ platform, key, connector, flow }) => ({
    platform,
    file: `publish_${key}.json`,
    responses: flow.responses,
    talk: (client: PlatformClient) =>
      runToEnd(connector, flow.content, aCall(client.http(platform, deadlineIn(10_000)), undefined, flow.login), flow.from),
  })),
  ...everyTalk.map(({ platform, talk }) => ({
    platform,
    file: `${talk.key}.json`,
    responses: talk.responses,
    talk: (client: PlatformClient) => talk.run(client.http(platform)),
  })),
];

test.each(conversations.map((one) => [one.platform, one.file, one] as const))('%s, %s', async (platform, file, { responses, talk }) => {
  const requests = await record(responses, talk);
  const at = path.join(directoryOf(platform), file);
  if (isRecording) {
    mkdirSync(path.dirname(at), { recursive: true });
    writeFileSync(at, `${JSON.stringify(requests, null, 2)}\n`);
  }
  expect(requests).toEqual(JSON.parse(readFileSync(at, 'utf8')));
});

test.each(everyPlatform)('there are no recordings of removed conversations with %s', (platform) => {
  const known = conversations.flatMap((one) => (one.platform === platform ? one.file : [])).sort();
  const recorded = () => readdirSync(directoryOf(platform));
  if (isRecording) for (const file of recorded()) if (!known.includes(file)) rmSync(path.join(directoryOf(platform), file));
  expect(recorded().sort()).toEqual(known);
});
