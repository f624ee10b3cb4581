// One of our processes, for the test of starting and stopping. It reports each step to its parent by IPC, so that the test need not poll.
import { z } from 'zod';
import { readEnv } from '../src/environment/read-env.ts';
import { runProcess } from '../src/run-process.ts';

const how = process.argv[2];
// The parent may have ended: that is one of the cases.
const tell = (step: string) => process.connected && process.send?.(step, undefined, undefined, () => undefined);

await runProcess('a-process', async (log) => {
  if (how === 'fail') readEnv({ SECRET_SETTING: z.string().regex(/^key-/, 'must begin with key-') }, process.env);
  if (how === 'hang') {
    tell('starting');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  const work = setInterval(() => undefined, 1_000);
  if (how === 'throw-later') setTimeout(() => void Promise.reject(new Error('nobody catches me')));
  setTimeout(() => tell('serving'));
  return {
    async stop() {
      tell('finishing');
      await new Promise((resolve) => setTimeout(resolve, 100));
      clearInterval(work);
      log.info('finished its work');
    },
  };
});
