import type { PublishStrategy } from '@fanfare/contracts/content';
import { z } from 'zod';

const STRATEGIES = ['independent', 'primary_first', 'all_or_nothing'] as const;

export const STRATEGY =
  '`independent`: publishing to each account does not depend on the others. `primary_first`: the post is published to one account first, and to the others only if that succeeds; otherwise they fail with `primary_failed`. The first account is the first one of the restriction (`restrict_publish_to_integration_ids` or `restrict_publish_to`), or without a restriction the account that was connected first. A `publish_post` call that selects accounts must select that account, unless it has the post. `all_or_nothing`: everything is prepared for all accounts before the post is published to the first one. If one account fails, the others fail with `other_target_failed`, and posts that are public by then are removed where the platform lets apps delete them. A result is `success` only when all accounts have the post. If the outcome of one account is unknown, nothing more is published and nothing is removed. A `publish_post` call that selects only some of the accounts is rejected.';

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
