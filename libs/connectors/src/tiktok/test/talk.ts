import { deadlineIn } from '@fanfare/runtime';
import type { Content, State } from '../../connector.ts';
import { tiktok } from '../index.ts';
import { aCall } from '../../../test/a-content.ts';
import type { Flow } from '../../../test/conversations/flow.ts';
import { runToEnd } from '../../../test/run-to-end.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../../test/scripted-platform/scripted-platform.ts';

/** Talks to a TikTok that responds by a script; `close` after each test. */
export function tiktokTalk() {
  let platform: ScriptedPlatform | undefined;
  const callOf = (scripted: ScriptedPlatform) => aCall(scripted.client.http('tiktok', deadlineIn(10_000)));
  const received = () => platform?.received ?? [];
  return {
    received,
    async run({ responses, content }: Pick<Flow, 'responses' | 'content'>, from: State = {}) {
      platform = await scriptedPlatform(responses);
      return runToEnd(tiktok, content, callOf(platform), from);
    },
    /** What one step comes to, from a given state. */
    async step(content: Content, state: State, response: ScriptedResponse) {
      platform = await scriptedPlatform([response]);
      const next = tiktok.publish.next(content, state);
      if ('published' in next) throw new Error('published already');
      return next.step.run(callOf(platform));
    },
    sent: () =>
      received().map(({ method, url, body, headers }) => {
        const isUpload = url.startsWith('https://open-upload.');
        expect(headers.authorization).toBe(isUpload ? undefined : 'Bearer token-of-the-account');
        if (!isUpload) return [method, url.replace('https://open.tiktokapis.com/v2', ''), body];
        return [method, url, headers['content-type'], headers['content-range'], String(body).length];
      }),
    async close() {
      await platform?.close();
      platform = undefined;
    },
  };
}
