// An organization that operators suspend: none of its posts are published, nothing is lost, and no other organization is affected.
import { eventually } from '@fanfare/testing';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, publish, untilTerminal } from '../src/publish.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await borrowPlatform(['x']);
});
afterAll(() => platform.stop());

const deliveriesOf = async (postId: string) => {
  const request = { deliveryId: undefined, postId };
  // Requested before it exists, it reports that.
  return (await platform.operator.publisher.inspectDeliveries(request, platform.operator.as()).catch(() => ({ deliveries: [] })))
    .deliveries;
};

test('a post that becomes due meanwhile waits, and is published when the organization is restored', async () => {
  const { tenant, foreign, fanfare, operator } = platform;
  const { organization_id: organizationId } = tenant;
  const { id } = await fanfare.posts.create(tenant.business_id, {
    caption: 'Due while suspended',
    status: 'SCHEDULED',
    scheduled_publish_time: new Date(Date.now() + 6_000).toISOString(),
  });
  await operator.gateway.suspendOrganization({ organizationId, reason: 'Unpaid' }, operator.as());

  const [delivery] = await eventually(async () => {
    const found = await deliveriesOf(id);
    return found.length > 0 && found;
  });
  expect(delivery).toMatchObject({ status: 'pending', open: true, attempts: 0, pauses: [`suspension:${organizationId}`] });
  await eventually(
    async () =>
      (await fanfare.businesses
        .list()
        .toArray()
        .catch((error: unknown) => error)) instanceof Error,
    5_000,
  );
  await expect(fanfare.posts.get(tenant.business_id, id)).rejects.toMatchObject({ status: 403, code: 'permission_denied' });
  expect((await foreign.api('GET', '/api/health')).status).toBe(200);
  expect(await platform.sandbox.posts('Due while suspended')).toEqual([]);

  await operator.gateway.restoreOrganization({ organizationId }, operator.as());
  await eventually(async () => (await fanfare.posts.get(tenant.business_id, id)).id === id, 5_000);
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['x success']);
  expect(await platform.sandbox.posts('Due while suspended')).toHaveLength(1);
  expect(await deliveriesOf(id)).toMatchObject([{ status: 'success', attempts: 1, pauses: [], steps: [{ outcome: 'ok', runs: 1 }] }]);
});

test("a restoration does not end an operator's own pause of the organization", async () => {
  const { organizationId } = { organizationId: platform.tenant.organization_id };
  const { operator } = platform;
  const own = { platform: undefined, organizationId, integrationId: undefined, reason: 'A migration' };
  await operator.publisher.putPause(own, operator.as());
  await operator.gateway.suspendOrganization({ organizationId, reason: 'Unpaid' }, operator.as());
  await operator.gateway.restoreOrganization({ organizationId }, operator.as());
  const { pauses } = await operator.publisher.listPauses({}, operator.as());
  expect(pauses).toMatchObject([{ id: `organization:${organizationId}`, reason: 'A migration' }]);
  const id = await eventually(() => publish(platform, { caption: 'Behind a pause' }));
  await eventually(async () => (await deliveriesOf(id))[0]?.pauses.includes(`organization:${organizationId}`));
  await operator.publisher.deletePause({ id: `organization:${organizationId}` }, operator.as());
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['x success']);
});
