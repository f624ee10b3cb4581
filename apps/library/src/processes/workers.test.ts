import { recordLog } from '@fanfare/testing';
import { createWorkers } from './workers.ts';

/** A machine without unshare and prlimit. */
const options = { backgroundProcesses: 1, backgroundPriority: 0, path: '/nowhere' };

test('if decoders cannot be confined, operators get a warning', async () => {
  const { log, lines } = recordLog();
  const workers = await createWorkers({ ...options, mustBeConfined: false, log });
  expect(workers.warning).toMatch(/network isolation .*limits on memory/);
  expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg: workers.warning }));
  workers.close();
});

test('if decoders must be confined and cannot be, the start fails', async () => {
  const { log } = recordLog();
  await expect(createWorkers({ ...options, mustBeConfined: true, log })).rejects.toThrow(/DECODERS_UNCONFINED/);
});
