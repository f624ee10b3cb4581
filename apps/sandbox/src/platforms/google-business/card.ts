import type { Card } from '../../pages/card.ts';
import { authorOf, byline, gallery, paragraph, shortTime } from '../../pages/card.ts';
import { escape } from '../../pages/html-page.ts';
import { linkedText, outwardLink } from '../../pages/linked-text.ts';
import { lowered } from '../../pages/words-for.ts';
import type { LocalPost } from './local-post.ts';

/** The image, the title and dates of an event or offer, the text, and the button. */
export const googleBusinessCard: Card = {
  style: `
.google_business .badge { background: #1a7340; }
.google_business .avatar { background: #1a7340; }
.google_business .media + .text { padding-top: 10px; }
.event { padding: 2px 0 4px; } .event p { margin: 0; padding: 0 14px; color: var(--soft); font-size: .9rem; } .offer { margin: 0 14px 12px; padding: 12px 14px 4px; border: 2px dashed var(--line); border-radius: 10px; } .offer .note { padding: 8px 0; } .coupon { margin: 0 0 10px; overflow-wrap: anywhere; }`,
  shows: ['event', 'offer', 'callToAction'],
  words: {
    event: ({ title, schedule }: NonNullable<LocalPost['event']>) =>
      `${title}, ${moment(schedule?.startDate, schedule?.startTime)} to ${moment(schedule?.endDate, schedule?.endTime)}`,
    offer: ({ couponCode, redeemOnlineUrl, termsConditions }: NonNullable<LocalPost['offer']>) =>
      [couponCode && `code ${couponCode}`, redeemOnlineUrl, termsConditions].filter(Boolean).join(' · ') || null,
    callToAction: ({ actionType, url }: NonNullable<LocalPost['callToAction']>) =>
      [actionType && lowered(actionType), url].filter(Boolean).join(': '),
  },
  draw(post, world) {
    const author = authorOf(world, post);
    const { event, offer, callToAction } = post.details as LocalPost;
    return `${byline(author, escape(author.name), escape(shortTime(post.created_at)))}
${gallery(world, post, 'four-three')}${event ? eventBlock(event) : ''}${paragraph('text', linkedText(post.text, { addresses: true }))}
${offer ? offerBlock(offer) : ''}${callToAction ? button(callToAction) : ''}`;
  },
};

function eventBlock({ title = '', schedule = {} }: NonNullable<LocalPost['event']>): string {
  const { startDate, startTime, endDate, endTime } = schedule;
  const days = `${moment(startDate, startTime)} – ${moment(endDate, endTime)}`;
  return `<div class="event"><h2>${escape(title)}</h2><p>${escape(days)}</p></div>`;
}

function offerBlock({ couponCode, redeemOnlineUrl, termsConditions }: NonNullable<LocalPost['offer']>): string {
  const code = couponCode ? `<p class="coupon">Code <strong>${escape(couponCode)}</strong></p>` : '';
  const terms = termsConditions ? paragraph('note', `Terms: ${escape(termsConditions)}`) : '';
  return `<div class="offer">${code}${redeemOnlineUrl ? outwardLink(redeemOnlineUrl, 'Redeem online', 'action') : ''}${terms}</div>`;
}

const labels: Readonly<Record<string, string>> = {
  BOOK: 'Book',
  ORDER: 'Order online',
  SHOP: 'Buy',
  LEARN_MORE: 'Learn more',
  SIGN_UP: 'Sign up',
  CALL: 'Call now',
};

/** A call button has no URL: the number is in the business's profile. */
function button({ actionType = 'ACTION_TYPE_UNSPECIFIED', url = '' }: NonNullable<LocalPost['callToAction']>): string {
  return paragraph('button', outwardLink(url, labels[actionType] ?? actionType, 'action'));
}

type Schedule = NonNullable<NonNullable<LocalPost['event']>['schedule']>;

function moment(day: Schedule['startDate'] = {}, at: Schedule['startTime'] = {}): string {
  const two = (number = 0) => String(number).padStart(2, '0');
  return `${day.year}-${two(day.month)}-${two(day.day)} ${two(at.hours)}:${two(at.minutes)}`;
}
