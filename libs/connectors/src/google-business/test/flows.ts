import { aContent, anImage } from '../../../test/a-content.ts';
import type { Flow } from '../../../test/conversations/flow.ts';

const name = 'accounts/1/locations/2/localPosts/9';
const searchUrl = 'https://local.google.com/place?id=2&use=posts&lpsid=9';
const processing = { json: { name, state: 'PROCESSING', createTime: '2026-11-21T10:00:00.123Z' } };
const live = { json: { name, state: 'LIVE', searchUrl } };

export const eventOptions = { start_date: '2026-12-01', start_time: '09:00', end_date: '2026-12-01', end_time: '17:30' };

export const googleBusinessFlows = {
  text: {
    name: 'a text with a link, shown at once',
    content: aContent({ link: 'https://example.com/menu' }),
    responses: [live],
  },
  photo: {
    name: 'an image that is reviewed first',
    content: aContent({
      media: [anImage({ sizeBytes: 20_000 })],
      options: { call_to_action: { action_type: 'CALL' }, language_code: 'de' },
    }),
    responses: [processing, processing, live],
  },
  event: {
    name: 'an event that is found by its location alone',
    content: aContent({ title: 'Open day', options: { topic_type: 'EVENT', event: eventOptions } }),
    responses: [{ json: { name, state: 'LIVE' } }, { json: { metadata: { mapsUri: 'https://maps.google.com/maps?cid=2' } } }],
  },
  offer: {
    name: 'an offer',
    content: aContent({
      link: 'https://example.com/redeem',
      options: { topic_type: 'OFFER', event: { ...eventOptions, title: 'Two for one' }, offer: { coupon_code: 'TWO' } },
    }),
    responses: [live],
  },
} satisfies Record<string, Flow>;
