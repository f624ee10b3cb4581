import { DomainError } from '@fanfare/errors';
import { learnClock, now } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { access, type Membership } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { findClock, requestAdvance, requestStop, type TestClockDocument } from '../../test-clock/store/test-clocks.ts';
import { organizationId } from '../common/organization-id.ts';
import { advanceBody, stopBody, targetOf, testClock, testClockFromStore } from './test-clock.ts';
import { exampleAdvance, exampleTestClock } from './test-clock-example.ts';

const PATH = '/api/test/clock';
const clock = { tag: 'Test clock', scope: 'organization', params: {}, returns: testClock } as const;
/** What moves the clock. */
const move = { ...clock, method: 'post', access: access.manage, idempotent: true, query: {}, status: 202 } as const;

const getTestClock = route({
  ...clock,
  method: 'get',
  path: PATH,
  operationId: 'get_test_clock',
  sdkMethod: 'testClock.get',
  access: access.read,
  self: 'page',
  summary: 'Get the test clock',
  description:
    'Only for organizations in test mode. While the clock is being advanced, `now` moves from `advancing_from` to `target`. To estimate how long the rest will take, divide the real time since `advancing_since` by `now` − `advancing_from`, and multiply the result by `target` − `now`. The estimate assumes that posts are spread evenly over that time.',
  query: { organization_id: organizationId() },
  status: 200,
  examples: { response: exampleTestClock },
  async handler({ db }, { organization }) {
    checkTestMode(organization);
    return { body: testClockFromStore(organization.organizationId, await readClock(db, organization)) };
  },
});

const advanceTestClock = route({
  ...move,
  path: PATH,
  operationId: 'advance_test_clock',
  sdkMethod: 'testClock.advance',
  summary: 'Advance the test clock',
  description:
    'Only for organizations in test mode. Moves the time of the organization forward, and does everything that becomes due in between, as if the time had passed. Scheduled posts, and the posts of queues, are published one after the other, each at its own time. Series continue, tokens are refreshed or expire, quotas renew, and webhooks are retried. Work that does not decide how posts are published, such as reading statistics and retrying webhooks, may be done late: by up to a twelfth of the advance. If that matters, advance the clock in smaller steps. Poll until `status` is `ready`. No other organization is affected, and the clock cannot be set back.\n\nHow long an advance takes depends on the number of posts: each one is published to the simulated platforms, which takes a quarter to half a second. A year of one business with two weekly queues and a weekly series takes about 40 seconds; with a daily series, about three minutes. A series with a post each minute has half a million posts a year, which take a day or longer. `stop_test_clock` ends an advance early.\n\nRate limits, sessions, API keys, invitations, uploads, emails and the signatures of webhooks stay in real time.',
  body: advanceBody,
  errors: ['invalid_value', 'invalid_request', 'conflict'],
  examples: { body: { advance_by: 'P7D' }, response: exampleAdvance },
  async handler({ db, onClockRequested }, { organization, body, ids }) {
    checkTestMode(organization);
    const { organizationId: id } = organization;
    const current = await readClock(db, organization);
    if (current?.operation_ids?.includes(ids.operationId)) return shown(id, current);
    const at = now(id);
    const { target, param } = targetOf(body, at);
    const requested = await requestAdvance(db, id, { fromAt: at, targetAt: target, operationId: ids.operationId });
    if (!requested) {
      const until = current?.target_at ? ` to ${current.target_at.toISOString()}` : '';
      throw new DomainError('conflict', `The test clock is being advanced${until}. Wait until its status is ready.`, { param });
    }
    for (const notify of onClockRequested) notify();
    return shown(id, requested);
  },
});

const stopTestClock = route({
  ...move,
  path: `${PATH}/stop`,
  operationId: 'stop_test_clock',
  sdkMethod: 'testClock.stop',
  duringDeletion: true,
  summary: 'Stop the test clock',
  description:
    'Only for organizations in test mode. Ends an advance early. The clock stays at the time that it has reached, which becomes its `target`, and everything that is due until then is done. Poll until `status` is `ready`; then the clock can be advanced again. If the clock is ready, or was stopped already, nothing changes, and the clock is returned as it is.',
  body: stopBody,
  examples: { body: {}, response: { ...exampleAdvance, now: '2026-08-30T07:00:00.000Z', target: '2026-08-30T07:00:00.000Z' } },
  async handler({ db }, { organization, ids }) {
    checkTestMode(organization);
    const { organizationId: id } = organization;
    const stopped = await requestStop(db, id, ids.operationId);
    if (stopped) learnClock(id, stopped.ahead_ms);
    return shown(id, stopped);
  },
});

export const testClockRoutes: readonly Route[] = [getTestClock, advanceTestClock, stopTestClock];

const shown = (id: string, row: TestClockDocument | null) => ({ body: testClockFromStore(id, row), location: PATH });

/** @throws DomainError permission_denied */
function checkTestMode({ mode }: Membership): void {
  if (mode === 'test') return;
  throw new DomainError('permission_denied', 'Only organizations in test mode have a test clock. This organization is in live mode.', {
    param: 'organization_id',
  });
}

/** The clock as it is stored: another process may have moved it a moment ago. */
async function readClock(db: Db, { organizationId: id }: Membership): Promise<TestClockDocument | null> {
  const found = await findClock(db, id);
  if (found) learnClock(id, found.ahead_ms);
  return found;
}
