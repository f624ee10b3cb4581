import { eventOptions } from './test/flows.ts';
import { options } from './options.ts';

const event = { ...eventOptions, title: 'Open day' };
const problems = (value: object) =>
  (options.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);

test.each([
  [{}],
  [{ language_code: 'pt-BR', call_to_action: { action_type: 'CALL' } }],
  [{ topic_type: 'EVENT', event }],
  [{ topic_type: 'OFFER', event, offer: {} }],
])('%j is accepted', (value) => {
  expect(problems(value)).toEqual([]);
});

test.each([
  [{ topic_type: 'EVENT' }, 'event is required for topic_type EVENT'],
  [{ topic_type: 'OFFER', offer: {} }, 'event is required for topic_type OFFER'],
  [{ topic_type: 'OFFER', event }, 'offer is required for topic_type OFFER'],
  [{ event }, 'event is for topic_type EVENT and OFFER only'],
  [{ topic_type: 'EVENT', event, offer: {} }, 'offer is for topic_type OFFER only'],
  [
    { call_to_action: { action_type: 'CALL', url: 'https://example.com' } },
    'call_to_action.url is not allowed for action_type CALL, which dials the number of the location',
  ],
  [{ topic_type: 'EVENT', event: { ...event, start_time: '9:00' } }, 'event.start_time must be a time of day, such as 09:30'],
  [{ topic_type: 'EVENT', event: { ...event, end_time: '09:00' } }, 'event.end_date and end_time must be after start_date and start_time'],
])('%j is rejected', (value, problem) => {
  expect(problems(value)).toEqual([problem]);
});

test.each([
  [{ topic_type: 'ALERT' }],
  [{ call_to_action: { action_type: 'GET_OFFER' } }],
  [{ call_to_action: { action_type: 'SHOP', url: 'javascript:alert(1)' } }],
  [{ topic_type: 'EVENT', event: { ...event, title: 'x'.repeat(59) } }],
  [{ topic_type: 'EVENT', event: { ...event, start_date: '2026-02-30' } }],
  [{ topic_type: 'EVENT', event: { ...event, start_time: '9:00' } }],
  [{ language_code: 'english please' }],
  [{ colour: 'red' }],
])('%j is rejected by its schema', (value) => {
  expect(problems(value)).toHaveLength(1);
});

test('every option has a description', () => {
  for (const [name, member] of Object.entries(options.shape))
    expect([name, member.description]).toEqual([name, expect.stringMatching(/./)]);
});
