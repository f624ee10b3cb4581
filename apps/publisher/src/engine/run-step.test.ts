import { connectors, PlatformFailure, type MainStep } from '@fanfare/connectors';
import { createLogger } from '@fanfare/runtime';
import type { Run } from './run.ts';
import { outcomeOf } from './run-step.ts';

/** Without a database. */
const run = (reserved?: Run['reserved']) =>
  ({
    context: { config: { quotas: {}, timeScale: 1 } },
    log: createLogger('test', 'silent'),
    connector: connectors.youtube,
    content: { caption: '', media: [] },
    integration: { account_id: 'a' },
    tokens: 'usable',
    delivery: { _id: 'd', platform: 'youtube', organization_id: 'o', failures: 0, due_at: new Date(), steps: [], warnings: [] },
    ...(reserved && { reserved }),
  }) as unknown as Run;
const step: MainStep = {
  kind: 'prepare',
  name: 'upload',
  run: () => Promise.reject(new Error()),
  spends: { quota: 'videos_insert', amount: 1 },
};

test.each(['not_sent', 'rejected'] as const)(
  'deciding what follows a failure (%s) writes no quota: the outcome names it',
  async (effect) => {
    const failure = new PlatformFailure('rate_limited', 'Too often.', { effect, detail: { operator: 'quota' } });
    const reserved = { amount: 1, at: new Date() };
    const { quotaFailure } = await outcomeOf(run(reserved), step, failure);
    expect(quotaFailure).toMatchObject({ failure, reserved, uses: [{ id: 'youtube/videos_insert', key: 'o' }] });
  },
);
