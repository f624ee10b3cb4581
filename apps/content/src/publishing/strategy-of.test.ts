import type { PublishStrategy } from '@fanfare/contracts/content';
import type { PostDocument, ResultDocument } from '../posts/post.ts';
import { resolveTargets, type Restriction } from '../targets/targets.ts';
import type { IntegrationDocument } from '../targets/integration.ts';
import { strategyOf } from './strategy-of.ts';

const account = (_id: string, platform: string, status = 'CONNECTED') =>
  ({ _id, platform, status: `INTEGRATION_STATUS_${status}` }) as IntegrationDocument;
const ACCOUNTS = [account('f1', 'facebook'), account('x1', 'x'), account('i1', 'instagram'), account('x2', 'x', 'DISCONNECTED')];

/**
 * @param results `f1 SUCCESS`, `f1 SUCCESS/REMOVED`; accounts with a result other than a failure are not sent to
 * @param ofPost what the post itself selects, if the call selects less
 */
function decide(
  strategy: PublishStrategy,
  restriction: Partial<Restriction> = {},
  results: readonly string[] = [],
  ofPost: Partial<Restriction> = restriction,
): string {
  const publish_results = results.map((text) => {
    const [integrationId = '', status = ''] = text.split(' ');
    const platform = ACCOUNTS.find(({ _id }) => _id === integrationId)?.platform;
    const [state, removal] = status.split('/');
    const result = {
      integrationId,
      platform,
      status: `PUBLISH_RESULT_STATUS_${state}`,
      ...(removal && { removal: { status: `REMOVAL_STATUS_${removal}` } }),
    };
    return result as ResultDocument;
  });
  const { platforms: restrict_publish_to = [], integrationIds: restrict_publish_to_integration_ids = [] } = ofPost;
  const post = { strategy, publish_results, restrict_publish_to, restrict_publish_to_integration_ids };
  const given = { platforms: [], integrationIds: [], ...restriction };
  const { targets, missing } = resolveTargets(given, ACCOUNTS);
  const open = targets.filter(
    ({ integrationId: id }) => !publish_results.some(({ integrationId, status }) => integrationId === id && !status.endsWith('FAILED')),
  );
  try {
    const decided = strategyOf(post as unknown as PostDocument, { targets, missing, open }, ACCOUNTS);
    return decided.replace('PUBLISH_STRATEGY_', '');
  } catch (error) {
    return (error as { code: string }).code;
  }
}

test.each<[string, Partial<Restriction>, string[], string]>([
  ['two platforms', { platforms: ['x', 'facebook'] }, [], 'PRIMARY_FIRST'],
  ['all connected accounts', {}, [], 'PRIMARY_FIRST'],
  ['one account', { integrationIds: ['f1'] }, [], 'INDEPENDENT'],
  ['the first account has the post', { integrationIds: ['f1', 'x1'] }, ['f1 SUCCESS'], 'INDEPENDENT'],
  ['the first account failed before', { integrationIds: ['f1', 'x1', 'i1'] }, ['f1 FAILED'], 'PRIMARY_FIRST'],
  ['the first account is getting the post', { integrationIds: ['f1', 'x1', 'i1'] }, ['f1 PROCESSING'], 'conflict'],
  ['the post was unpublished from the first account', { integrationIds: ['f1', 'x1'] }, ['f1 SUCCESS/REMOVED'], 'conflict'],
  ['the post could not be unpublished from the first account', { integrationIds: ['f1', 'x1'] }, ['f1 SUCCESS/FAILED'], 'INDEPENDENT'],
  ['the first account is disconnected', { integrationIds: ['x2', 'f1'] }, [], 'invalid_request'],
  ['another account is disconnected', { integrationIds: ['f1', 'x1', 'x2'] }, [], 'PRIMARY_FIRST'],
  ['the first platform has no account', { platforms: ['tiktok', 'x'] }, [], 'invalid_request'],
])('primary_first: %s', (_what, restriction, results, expected) => {
  expect(decide('PUBLISH_STRATEGY_PRIMARY_FIRST', restriction, results)).toBe(expected);
});

test.each<[string, Partial<Restriction>, string[], string]>([
  ['two accounts', { integrationIds: ['f1', 'x1'] }, [], 'ALL_OR_NOTHING'],
  ['one account', { integrationIds: ['f1'] }, [], 'INDEPENDENT'],
  ['an account is disconnected', { integrationIds: ['f1', 'x2'] }, [], 'invalid_request'],
  ['a platform has no account', { platforms: ['x', 'tiktok'] }, [], 'invalid_request'],
  ['one account has the post, two do not', {}, ['f1 SUCCESS'], 'ALL_OR_NOTHING'],
  ['one account is getting the post', {}, ['f1 PENDING'], 'conflict'],
  ['the post was unpublished from one account', {}, ['f1 SUCCESS/PENDING'], 'conflict'],
])('all_or_nothing: %s', (_what, restriction, results, expected) => {
  expect(decide('PUBLISH_STRATEGY_ALL_OR_NOTHING', restriction, results)).toBe(expected);
});

test('all_or_nothing: a call that selects some accounts is rejected, unless the others have the post', () => {
  const [one, both] = [{ integrationIds: ['f1'] }, { integrationIds: ['f1', 'x1'] }];
  expect(decide('PUBLISH_STRATEGY_ALL_OR_NOTHING', one, [], both)).toBe('invalid_request');
  expect(decide('PUBLISH_STRATEGY_ALL_OR_NOTHING', one, ['x1 FAILED'], both)).toBe('invalid_request');
  expect(decide('PUBLISH_STRATEGY_ALL_OR_NOTHING', one, ['x1 SUCCESS'], both)).toBe('INDEPENDENT');
  expect(decide('PUBLISH_STRATEGY_ALL_OR_NOTHING', one, [], { platforms: ['facebook', 'tiktok'] })).toBe('invalid_request');
});

test('primary_first: a call that does not select the first account of the post is rejected, unless that has the post', () => {
  const [other, both] = [{ integrationIds: ['x1'] }, { integrationIds: ['f1', 'x1'] }];
  for (const results of [[], ['f1 FAILED']]) expect(decide('PUBLISH_STRATEGY_PRIMARY_FIRST', other, results, both)).toBe('invalid_request');
  expect(decide('PUBLISH_STRATEGY_PRIMARY_FIRST', other, ['f1 SUCCESS'], both)).toBe('INDEPENDENT');
  expect(decide('PUBLISH_STRATEGY_PRIMARY_FIRST', { integrationIds: ['f1'] }, [], both)).toBe('INDEPENDENT');
});

test('the first target is that of the caller, not the account that was connected first', () => {
  expect(
    resolveTargets({ platforms: ['x', 'facebook'], integrationIds: [] }, ACCOUNTS).targets.map(({ integrationId }) => integrationId),
  ).toEqual(['x1', 'f1']);
});
