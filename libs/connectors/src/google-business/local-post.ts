import { checkOptions } from '../checks/check-options.ts';
import type { Content } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { check } from './check.ts';
import { limits } from './limits.ts';
import { type EventOptions, type GoogleBusinessOptions, options } from './options.ts';

/**
 * The post in the form of Google's API (platform reference 8.2).
 * @throws PlatformFailure `validation`, `not_sent`, when something is missing that only the caller can provide
 */
export function localPost(content: Content): object {
  const chosen = optionsOf(content);
  const [image] = content.media;
  return {
    topicType: chosen.topic_type,
    ...(chosen.language_code !== undefined && { languageCode: chosen.language_code }),
    ...(content.caption.trim() !== '' && { summary: content.caption }),
    ...(chosen.event && { event: eventOf(chosen.event, content) }),
    ...(chosen.topic_type === 'OFFER' ? { offer: offerOf(chosen, content) } : callToActionOf(chosen, content)),
    ...(image && { media: [{ mediaFormat: 'PHOTO', sourceUrl: image.publicUrl }] }),
  };
}

/** STANDARD, EVENT or OFFER. @throws PlatformFailure as above */
export const topicTypeOf = (content: Content): string => optionsOf(content).topic_type;

/** Of an event or offer; undefined for other posts. @throws PlatformFailure as above */
export function eventTitleOf(content: Content): string | undefined {
  const { event } = optionsOf(content);
  return event && (event.title ?? content.title);
}

function optionsOf(content: Content): GoogleBusinessOptions {
  // Each is valid by itself, but an override may contradict the account's settings.
  const [finding] = [...checkOptions({ options, limits }, content.options), ...check(content)];
  if (finding) throw new PlatformFailure('validation', `${finding.field}: ${finding.message}`, { effect: 'not_sent' });
  return options.parse(content.options ?? {});
}

function eventOf(schedule: EventOptions, content: Content): object {
  return {
    title: eventTitleOf(content),
    schedule: {
      startDate: dateOf(schedule.start_date),
      startTime: timeOf(schedule.start_time),
      endDate: dateOf(schedule.end_date),
      endTime: timeOf(schedule.end_time),
    },
  };
}

/** An offer has no button: its link is the URL at which it is redeemed. */
function offerOf({ offer }: GoogleBusinessOptions, { link }: Content): object {
  const redeemOnlineUrl = offer?.redeem_online_url ?? link;
  return {
    ...(offer?.coupon_code !== undefined && { couponCode: offer.coupon_code }),
    ...(redeemOnlineUrl !== undefined && { redeemOnlineUrl }),
    ...(offer?.terms_conditions !== undefined && { termsConditions: offer.terms_conditions }),
  };
}

function callToActionOf({ call_to_action: chosen }: GoogleBusinessOptions, { link }: Content): { callToAction?: object } {
  const url = chosen?.url ?? link;
  if (chosen?.action_type === 'CALL') return { callToAction: { actionType: 'CALL' } };
  if (url !== undefined) return { callToAction: { actionType: chosen?.action_type ?? 'LEARN_MORE', url } };
  return {};
}

function dateOf(date: string): object {
  const [year, month, day] = date.split('-').map(Number);
  return { year, month, day };
}

function timeOf(time: string): object {
  const [hours, minutes] = time.split(':').map(Number);
  return { hours, minutes, seconds: 0, nanos: 0 };
}
