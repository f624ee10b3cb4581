import { readsPerHour } from '../reading/reads-quota.ts';
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
