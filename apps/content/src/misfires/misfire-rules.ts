import type { PublishingRules } from '../businesses/store/businesses.ts';
import type { Context } from '../context.ts';
import type { MisfireRules } from './misfire.ts';

/** The rules of a business, with the threshold of this service. */
export const misfireRules = (
  { config }: Pick<Context, 'config'>,
  { misfire_policy: policy, misfire_limit_minutes: limit }: PublishingRules,
): MisfireRules => ({ policy, thresholdMs: config.misfireThresholdMs, limitMs: limit * 60_000 });
