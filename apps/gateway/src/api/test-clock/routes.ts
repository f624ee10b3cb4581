import { DomainError } from '@fanfare/errors';
import { learnClock, now } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { access, type Membership } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { findClock, requestAdvance, type TestClockDocument } from '../../test-clock/store/test-clocks.ts';
import { organizationId } from '../common/organization-id.ts';
import { advanceBody, targetOf, testClock, testClockFromStore } from './test-clock.ts';
import { exampleTestClock } from './test-clock-example.ts';

const PATH = '/api/test/clock';
const clock = { tag: 'Test clock', path: PATH, scope: 'organization', params: {}, returns: testClock } as const;

const getTestClock = route({
  ...clock,
  method: 'get',
  operationId: 'get_test_clock',
  sdkMethod: 'testClock.get',
  access: access.read,
  self: 'page',
  summary: 'Get the test clock',
  description: 'Only for organizations in test mode.',
  query: { organization_id: organizationId() },
  status: 200,
  examples: { response: exampleTestClock },
  async handler({ db }, { organization }) {
    checkTestMode(organization);
    return { body: testClockFromStore(organization.organizationId, await readClock(db, organization)) };
  },
});

const advanceTestClock = route({
  ...clock,
  method: 'post',
  operationId: 'advance_test_clock',
  sdkMethod: 'testClock.advance',
  access: access.manage,
  idempotent: true,
  summary: 'Advance the test clock',
  description:
    'Only for organizations in test mode. Moves the time of the organization forward, and does what becomes due on the way as if the time had passed: posts and slots of queues are published one after the other, each at its own time, series continue, tokens are refreshed or expire, quotas renew, webhooks are sent again. What does not decide how posts are published, such as statistics and webhooks that are sent again, may be done later by up to a twelfth of the way: advance by less if that matters. Poll until `status` is `ready`. No other organization is affected, and the clock cannot be set back.\n\nRate limits, sessions, API keys, invitations, uploads and mails stay in real time, and so do the signatures of webhooks.',
  query: {},
  body: advanceBody,
  status: 202,
  errors: ['invalid_value', 'invalid_request', 'conflict'],
  examples: { body: { advance_by: 'P7D' }, response: { ...exampleTestClock, status: 'advancing', target: '2026-09-03T09:30:00.000Z' } },
  async handler({ db, onClockRequested }, { organization, body, ids }) {
    checkTestMode(organization);
    const { organizationId: id } = organization;
    const current = await readClock(db, organization);
    const answer = (row: TestClockDocument) => ({ body: testClockFromStore(id, row), location: PATH });
    if (current?.operation_ids?.includes(ids.operationId)) return answer(current);
    const at = now(id);
    const { target, param } = targetOf(body, at);
    const requested = await requestAdvance(db, id, { fromAt: at, targetAt: target, operationId: ids.operationId });
    if (!requested) {
      const until = current?.target_at ? ` to ${current.target_at.toISOString()}` : '';
      throw new DomainError('conflict', `The test clock is being advanced${until}. Wait until its status is ready.`, { param });
    }
    for (const notify of onClockRequested) notify();
    return answer(requested);
  },
});

export const testClockRoutes: readonly Route[] = [getTestClock, advanceTestClock];

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
