import type { ReadCalls } from '../reading/read-calls.ts';
import { APP_READS, readsPerHour } from '../reading/reads-quota.ts';
import twitter from 'twitter-text';
import type { Quota } from '../quota.ts';
import type { Content } from '../connector.ts';

/** What posting at X costs us. An operator sets a daily limit; X itself has no limit but the purchased credits. */
export const spendMillidollars: Quota = {
  name: 'spend_millidollars',
  of: 'app',
  window: { dayIn: 'UTC' },
  spentBy: 'post',
  source: 'docs.x.com/x-api/getting-started/pricing (2026-02-06)',
};

const POST = 15;
const POST_WITH_URL = 200;
const ALT_TEXT = 5;

/** A whole post with its alt texts and first comment, in thousandths of a US dollar. */
export function costOf({ caption, firstComment, media }: Content): number {
  const described = media.filter(({ type, altText }) => type === 'image' && altText !== '').length;
  return priceOf(caption) + described * ALT_TEXT + (firstComment ? priceOf(firstComment) : 0);
}

const priceOf = (text: string) => (twitter.extractUrls(text).length > 0 ? POST_WITH_URL : POST);

/** X charges for every post and account that is read; an operator who switches reads on sets what they may cost. */
export const reads = readsPerHour(30, 'docs.x.com/x-api/getting-started/pricing (2026-02-06)');

/** A call reads up to 100 posts. */
export const appReads: Quota = {
  name: APP_READS,
  of: 'app',
  limit: 1_000,
  window: { dayIn: 'UTC' },
  spentBy: 'call',
  source: 'docs.x.com/x-api/getting-started/pricing (2026-02-06): 3,000,000 posts a month',
};

/** Posts that are too old for private statistics are read a second time; the watch times of videos are another call. A call that X rejects is free. */
export const readCalls: ReadCalls = { account: () => 1, list: () => 3, posts: () => 3 };
