import { TargetStats } from '@fanfare/contracts/analytics';
import { DomainError, notFound } from '@fanfare/errors';
import { statsRoutes } from './stats-routes.ts';

const route = statsRoutes.find(({ operationId }) => operationId === 'get_post_stats');

/** Requests the statistics of a post for which content returns an error. */
async function read(failure: Error, results: TargetStats[]): Promise<unknown> {
  if (!route || route.raw) throw new Error('There is no such route.');
  const content = { getPost: () => Promise.reject(failure) };
  const analytics = { getPostStats: () => Promise.resolve({ results }) };
  const exchange = { request: { headers: {} }, params: { post_id: 'p' }, query: { history: 'false' }, call: {} };
  return (await route.handler({ content, analytics } as never, exchange as never)).body;
}

const stored = TargetStats.fromPartial({ target: { integrationId: 'i', platform: 'x', publishId: '1' }, unavailableReason: 'Deleted.' });

it('returns the stored statistics of a deleted post', async () => {
  expect(await read(notFound('post'), [stored])).toMatchObject({
    post_id: 'p',
    results: [{ publish_id: '1', unavailable_reason: 'Deleted.' }],
  });
});

it('does not find an unknown post', async () => {
  await expect(read(notFound('post'), [])).rejects.toMatchObject({ code: 'resource_not_found' });
});

it('fails if content fails for another reason', async () => {
  const failure = new DomainError('internal_error', 'Unavailable.');
  await expect(read(failure, [stored])).rejects.toBe(failure);
});
