import { z } from 'zod';
import { line, lines, webAddress } from '../text/whole-text.ts';
import { MAX_EVENT_TITLE } from './limits.ts';

/** Limit of a coupon's code and the terms: Google documents none, and real ones are shorter. */
const MAX_OFFER_TEXT = 5_000;

/** Malformed values are not compared. A time has no seconds and no zone, which JSON Schema's `time` would not allow. */
const day = () => z.iso.date({ abort: true });
const minute = () => z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { abort: true, error: 'must be a time of day, such as 09:30' });

/** In the location's own time zone; Google requires every part. */
const event = z.strictObject({
  title: line(MAX_EVENT_TITLE).optional().describe('Title of the event or offer. Defaults to the title of the override.'),
  start_date: day().describe('First day, such as 2026-12-01.'),
  start_time: minute().describe("Start time on that day, such as 09:00, in the location's time zone."),
  end_date: day().describe('Last day.'),
  end_time: minute().describe('End time on that day.'),
});

const callToAction = z.strictObject({
  action_type: z.enum(['BOOK', 'ORDER', 'SHOP', 'LEARN_MORE', 'SIGN_UP', 'CALL']).describe('Text of the button.'),
  url: webAddress()
    .optional()
    .describe("URL that the button opens. Defaults to the post's link. CALL has none: it dials the location's number."),
});

const offer = z.strictObject({
  coupon_code: line(MAX_OFFER_TEXT).optional().describe('Code that customers show or enter.'),
  redeem_online_url: webAddress().optional().describe("URL at which the offer is redeemed. Defaults to the post's link."),
  terms_conditions: lines(MAX_OFFER_TEXT).optional().describe('Terms and conditions.'),
});

/** Google Business Profile's options beyond the common fields of a post (platform reference 8.2). */
export const options = z
  .strictObject({
    topic_type: z
      .enum(['STANDARD', 'EVENT', 'OFFER'])
      .default('STANDARD')
      .describe('Kind of post. EVENT and OFFER require `event`; OFFER also requires `offer`.'),
    call_to_action: callToAction
      .optional()
      .describe("Button of the post. Defaults to LEARN_MORE with the post's link. Google does not show buttons on offers."),
    event: event.optional().describe('Title and time of an event, or the period in which an offer is valid.'),
    offer: offer.optional().describe('Details of the offer, for topic_type OFFER.'),
    language_code: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language code, such as en or pt-BR')
      .optional()
      .describe('Language of the text (BCP 47), such as en-US. If absent, Google detects it.'),
  })
  .superRefine(({ topic_type, call_to_action, event, offer }, context) => {
    const wrong = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (topic_type !== 'STANDARD' && !event) wrong(['event'], `is required for topic_type ${topic_type}`);
    if (topic_type === 'STANDARD' && event) wrong(['event'], 'is for topic_type EVENT and OFFER only');
    if (topic_type === 'OFFER' && !offer) wrong(['offer'], 'is required for topic_type OFFER');
    if (topic_type !== 'OFFER' && offer) wrong(['offer'], 'is for topic_type OFFER only');
    if (call_to_action?.action_type === 'CALL' && call_to_action.url !== undefined) {
      wrong(['call_to_action', 'url'], 'is not allowed for action_type CALL, which dials the number of the location');
    }
    if (event && endOf(event) <= startOf(event)) wrong(['event', 'end_date'], 'and end_time must be after start_date and start_time');
  });

export type GoogleBusinessOptions = z.infer<typeof options>;
export type EventOptions = z.infer<typeof event>;

/** Of fixed format and length, so that comparing strings compares times. */
const startOf = ({ start_date, start_time }: EventOptions) => `${start_date}T${start_time}`;
const endOf = ({ end_date, end_time }: EventOptions) => `${end_date}T${end_time}`;
