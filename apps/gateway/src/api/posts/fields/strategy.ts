import type { PublishStrategy } from '@fanfare/contracts/content';
import { z } from 'zod';

const STRATEGIES = ['independent', 'primary_first', 'all_or_nothing'] as const;

export const STRATEGY =
  '`independent`: each account is published to by itself. `primary_first`: the first account of the restriction is published to first; the others only if it succeeds, otherwise they fail with `primary_failed`; without a restriction, it is the account that was connected first. A `publish_post` call that selects accounts must select that one, unless it has the post. `all_or_nothing`: everything is prepared for all accounts before the first one is published to; if one fails, the others fail with `other_target_failed`, and posts that are public by then are removed where the platform lets apps delete them; a result is `success` only when all accounts have the post. If the outcome of one is unknown, nothing more is published and nothing is removed. A call that publishes it to some of its accounts only is rejected.';

/** In a request. */
export const strategy = () =>
  z
    .enum(STRATEGIES)
    .nullish()
    .meta({
      description: `How the accounts of the post depend on each other; independent by default. ${STRATEGY}`,
      example: 'independent',
    });

export const strategyToProto = (given: (typeof STRATEGIES)[number] | null | undefined): PublishStrategy =>
  given ? `PUBLISH_STRATEGY_${given.toUpperCase() as Uppercase<typeof given>}` : 'PUBLISH_STRATEGY_UNSPECIFIED';
