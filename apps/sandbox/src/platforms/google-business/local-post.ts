import { z } from 'zod';
import { validationError, type Problem } from './errors.ts';
import { limits } from './limits.ts';

const whole = (least: number, most: number) => z.number().int().min(least).max(most);
const date = z.strictObject({ year: whole(0, 9999), month: whole(0, 12), day: whole(0, 31) }).partial();
const time = z.strictObject({ hours: whole(0, 24), minutes: whole(0, 59), seconds: whole(0, 60), nanos: whole(0, 999_999_999) }).partial();
const schedule = z.strictObject({ startDate: date, startTime: time, endDate: date, endTime: time }).partial();

/** A LocalPost as version 4 accepts it, without output-only fields. */
export const localPostSchema = z.strictObject({
  languageCode: z.string().optional(),
  summary: z.string().optional(),
  topicType: z.enum(['LOCAL_POST_TOPIC_TYPE_UNSPECIFIED', 'STANDARD', 'EVENT', 'OFFER', 'ALERT']).optional(),
  alertType: z.enum(['ALERT_TYPE_UNSPECIFIED', 'COVID_19']).optional(),
  callToAction: z
    .strictObject({
      actionType: z.enum(['ACTION_TYPE_UNSPECIFIED', 'BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP', 'GET_OFFER', 'CALL']).optional(),
      url: z.string().optional(),
    })
    .optional(),
  event: z.strictObject({ title: z.string().optional(), schedule: schedule.optional() }).optional(),
  offer: z
    .strictObject({
      couponCode: z.string().optional(),
      redeemOnlineUrl: z.string().optional(),
      termsConditions: z.string().optional(),
    })
    .optional(),
  media: z
    .array(
      z.strictObject({
        mediaFormat: z.enum(['MEDIA_FORMAT_UNSPECIFIED', 'PHOTO', 'VIDEO']).optional(),
        sourceUrl: z.string().optional(),
        dataRef: z.strictObject({ resourceName: z.string() }).optional(),
      }),
    )
    .optional(),
});

export type LocalPost = z.output<typeof localPostSchema>;

/** Rejects what Google would reject, with all reasons at once. */
export function checkLocalPost(post: LocalPost): void {
  const problems = [...topicProblems(post), ...textProblems(post), ...buttonProblems(post), ...mediaProblems(post)];
  if (problems.length) throw validationError(...problems);
}

function* topicProblems({ topicType, event, offer, alertType }: LocalPost): Generator<Problem> {
  if (topicType === undefined || topicType === 'LOCAL_POST_TOPIC_TYPE_UNSPECIFIED') {
    yield { field: 'topic_type', message: 'Topic type is required for post creation.' };
  }
  if (topicType === 'ALERT' || alertType !== undefined) yield { field: 'alert_type', message: 'Alert posts can no longer be created.' };
  const timed = topicType === 'EVENT' || topicType === 'OFFER';
  if (timed && !event) yield { field: 'event', message: 'Event is required for event and offer posts.' };
  if (!timed && event) yield { field: 'event', message: 'Event can only be set for event and offer posts.' };
  if (topicType === 'OFFER' && !offer) yield { field: 'offer', message: 'Offer is required for offer posts.' };
  if (topicType !== 'OFFER' && offer) yield { field: 'offer', message: 'Offer can only be set for offer posts.' };
  if (event) yield* eventProblems(event);
  if (offer?.redeemOnlineUrl !== undefined && !isWebAddress(offer.redeemOnlineUrl)) {
    yield { field: 'offer.redeem_online_url', message: 'The URL is not valid.' };
  }
}

function* eventProblems({ title = '', schedule = {} }: NonNullable<LocalPost['event']>): Generator<Problem> {
  const { eventTitleCharacters: most } = limits;
  if (!title.trim()) yield { field: 'event.title', message: 'Event title is required.' };
  if ([...title].length > most) yield { field: 'event.title', message: `Event title cannot have more than ${most} characters.` };
  const start = momentOf(schedule.startDate, schedule.startTime);
  const end = momentOf(schedule.endDate, schedule.endTime);
  if (start === null) yield { field: 'event.schedule.start_date', message: 'Start date and start time are required, and must exist.' };
  if (end === null) yield { field: 'event.schedule.end_date', message: 'End date and end time are required, and must exist.' };
  if (start !== null && end !== null && end <= start) yield { field: 'event.schedule', message: 'The event must end after it starts.' };
}

function* textProblems({ summary = '', languageCode, media = [], event }: LocalPost): Generator<Problem> {
  const { summaryCharacters: most } = limits;
  if ([...summary].length > most) yield { field: 'summary', message: `Summary cannot have more than ${most} characters.` };
  if (!summary.trim() && media.length === 0 && !event) yield { field: 'summary', message: 'Summary is required.' };
  if (languageCode !== undefined && !/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(languageCode)) {
    yield { field: 'language_code', message: 'The language code is not valid.' };
  }
}

function* buttonProblems({ callToAction: button, topicType }: LocalPost): Generator<Problem> {
  if (!button || topicType === 'OFFER') return;
  const { actionType = 'ACTION_TYPE_UNSPECIFIED', url } = button;
  if (actionType === 'ACTION_TYPE_UNSPECIFIED') yield { field: 'call_to_action.action_type', message: 'Action type is required.' };
  if (actionType === 'GET_OFFER') yield { field: 'call_to_action.action_type', message: 'GET_OFFER is deprecated: use offer posts.' };
  if (actionType === 'CALL' && url !== undefined) yield { field: 'call_to_action.url', message: 'URL must not be set for CALL.' };
  if (actionType !== 'CALL' && (url === undefined || !isWebAddress(url))) {
    yield { field: 'call_to_action.url', message: 'A valid URL is required for this action type.' };
  }
}

function* mediaProblems({ media = [] }: LocalPost): Generator<Problem> {
  if (media.length > 1) yield { field: 'media', message: 'A post can have at most one media item.' };
  for (const { mediaFormat, sourceUrl, dataRef } of media) {
    if (mediaFormat !== 'PHOTO') yield { field: 'media.media_format', message: 'Only photos are supported for local posts.' };
    if (dataRef || !sourceUrl) yield { field: 'media.source_url', message: 'sourceUrl is the only supported data field for local posts.' };
  }
}

/** In the location's local time; null if a part is missing or the day does not exist. */
function momentOf(day: z.output<typeof date> = {}, at: z.output<typeof time> | undefined): number | null {
  const { year = 0, month = 0, day: ofMonth = 0 } = day;
  if (!year || !month || !ofMonth || !at) return null;
  const moment = new Date(Date.UTC(year, month - 1, ofMonth, at.hours ?? 0, at.minutes ?? 0, at.seconds ?? 0));
  return new Date(Date.UTC(year, month - 1, ofMonth)).getUTCDate() === ofMonth ? moment.getTime() : null;
}

const isWebAddress = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
