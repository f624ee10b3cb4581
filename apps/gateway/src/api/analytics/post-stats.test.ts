import { TargetStats } from '@fanfare/contracts/analytics';
import { postStatsFrom, postStatsTable } from './post-stats.ts';

it('keeps accounts without numbers in the table, and says why they have none', () => {
  const target = { integrationId: 'i', platform: 'x', publishId: '1' };
  const result = TargetStats.fromPartial({ target, unavailableReason: 'Switched off.' });
  const [names, ...rows] = postStatsTable(postStatsFrom('post', [result], false));
  expect(rows).toHaveLength(1);
  expect(Object.fromEntries(names.map((name, at) => [name, rows[0]?.[at]]))).toMatchObject({
    integration_id: 'i',
    age_hours: null,
    fetched_at: null,
    likes: null,
    unavailable_reason: 'Switched off.',
  });
});
