import { type Errors, HOUR, SECOND } from '../../../test/errors.ts';
import { graphRow, untilTheHour } from '../../graph/test/errors.ts';

export const errors: Errors = {
  commit: { operation: 'instagram.publish_container', media: 'image' },
  rows: [
    graphRow('token_expired', [190, 463]),
    graphRow('token_expired', [100, undefined, 'The session has been invalidated']),
    graphRow('token_expired', [100, 33]),
    ...[[10], [200], [25, 2207050]].map((one) => graphRow('permission', one as [number])),
    graphRow('permission', [100, undefined, 'The user is not an Instagram Business']),
    ...[
      [-2, 2207003],
      [9004, 2207052],
      [100, 2207077],
      [-2, 2207020],
      [24, 2207008],
      [24, 2207006],
    ].map((one) => graphRow('waits', one as [number])),
    ...[[-1, 2207001], [-1, 2207032], [-1, 2207053], [100, 2207082], [1], [2]].map((one) => graphRow('reconciles', one as [number])),
    ...[
      [1, 2207057],
      [100, 2207023],
      [100, 2207028],
      [100, 2207040],
      [36000, 2207004],
      [36001, 2207005],
      [36003, 2207009],
      [36004, 2207010],
      [100, 2207035],
      [100, 2207036],
      [100, 2207037],
      [100, 2207081],
    ].map((one) => graphRow('validation', one as [number])),
    graphRow('media_processing_failed', [352, 2207026]),
    graphRow('waits', [9007, 2207027], { waitMs: 10 * SECOND }),
    graphRow('waits', [9, 2207042], { waitMs: HOUR }),
    graphRow('reconciles', [4, 2207051]),
    ...[[4], [17], [32], [613], [80002]].map((one) => graphRow('waits', one as [number], untilTheHour)),
  ],
};
