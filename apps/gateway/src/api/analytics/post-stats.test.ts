import { TargetStats } from '@fanfare/contracts/analytics';
import { postStatsFromProto } from '@fanfare/resources';
import { postStatsTable } from './post-stats.ts';

it('keeps accounts without statistics in the table, with the reason', () => {
  const target = { integrationId: 'i', platform: 'x', publishId: '1' };
  const result = TargetStats.fromPartial({ target, unavailableReason: 'Turned off.' });
  const [names, ...rows] = postStatsTable(postStatsFromProto('post', [result], false));
  expect(rows).toHaveLength(1);
  expect(Object.fromEntries(names.map((name, at) => [name, rows[0]?.[at]]))).toMatchObject({
    integration_id: 'i',
    age_hours: null,
    fetched_at: null,
    likes: null,
    unavailable_reason: 'Turned off.',
  });
});
