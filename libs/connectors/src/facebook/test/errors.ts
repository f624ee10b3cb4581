import { DAY, type Errors, row } from '../../../test/errors.ts';
import { graph, graphRow, inSevenMinutes, untilTheHour } from '../../graph/test/errors.ts';

export const errors: Errors = {
  commit: { operation: 'facebook.create_feed_post' },
  rows: [
    ...[[190, 458], [190, 459], [190, 464], [190, 460], [190, 463], [190, 467], [190, 492], [102]].map((one) =>
      graphRow('token_expired', one as [number]),
    ),
    graphRow('validation', [190, undefined, 'This method must be called with a Page Access Token']),
    ...[[10], [3], [200], [283], [1404078], [4854002]].map((one) => graphRow('permission', one as [number])),
    ...[
      [100],
      [100, 1609005],
      [100, 2061006],
      [1349125],
      [36001],
      [1366046],
      [100, 33],
      [1346003],
      [1404102],
      [341],
      [3001],
      [1504028],
      [12],
    ].map((one) => graphRow('validation', one as [number])),
    ...[[4], [17], [32], [613], [80001]].map((one) => graphRow('waits', one as [number], untilTheHour)),
    graphRow('waits', [32], inSevenMinutes),
    ...[[368], [1390008], [1404112]].map((one) => graphRow('waits', one as [number], { waitMs: DAY })),
    row(500, graph(1), 'reconciles'),
    row(500, graph(2), 'reconciles'),
    row(503, graph(2, undefined, 'Service unavailable', { is_transient: true }), 'reconciles'),
    ...[
      [100, 1363047],
      [100, 1609010],
    ].map((one) => graphRow('reconciles', one as [number])),
    ...[[506], [1366051]].map((one) => graphRow('duplicate', one as [number])),
    ...[
      [6000, 1363040],
      [6000, 1363127],
      [6000, 1363128],
      [6000, 1363129],
    ].map((one) => graphRow('media_processing_failed', one as [number])),
  ],
};
