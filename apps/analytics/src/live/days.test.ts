import { connectorFor, daysAfter } from '@fanfare/connectors';
import { accountWanted, dayIn, rangeOf } from './days.ts';

const TODAY = '2026-11-23';
const facebook = connectorFor('facebook').reading!.rules;
const x = connectorFor('x').reading!.rules;
const nothing = { start: '', end: '', period: '', metrics: [] };

test('a day is the day in the time zone', () => {
  const time = new Date('2026-11-23T05:00:00Z');
  expect(dayIn(time, 'UTC')).toBe('2026-11-23');
  expect(dayIn(time, 'America/Los_Angeles')).toBe('2026-11-22');
  expect(dayIn(new Date('2026-03-29T23:30:00Z'), 'Europe/Berlin')).toBe('2026-03-30');
});

test('the defaults are 30 days up to today, the first period, and the metrics that are not optional', () => {
  expect(accountWanted(facebook, nothing, TODAY)).toMatchObject({ start: '2026-10-25', end: TODAY, period: 'day' });
  expect(accountWanted(facebook, nothing, TODAY).metrics).toContain('page_media_view');
  expect(accountWanted(facebook, nothing, TODAY).metrics).not.toContain('page_total_actions');
  expect(accountWanted(x, nothing, TODAY)).toMatchObject({ period: 'lifetime', metrics: [] });
});

test.each([
  ['a day that does not exist', { start: '2026-02-30' }, 'start_date', 'must be a day'],
  ['a month that does not exist', { end: '2026-13-40' }, 'end_date', 'must be a day'],
  ['a time', { start: '2026-11-01T00:00:00Z' }, 'start_date', 'must be a day'],
  ['an end before the start', { start: '2026-11-05', end: '2026-11-01' }, 'start_date', 'must not be after'],
  ['the future', { end: '2026-11-24' }, 'end_date', 'today is 2026-11-23'],
  ['a start in the future', { start: '2026-11-25' }, 'start_date', 'must not be in the future: today is 2026-11-23'],
  ['ten years', { start: '2016-11-23' }, 'start_date', 'must be 2024-11-25 or later'],
  ['an end before what is kept, without a start', { end: '2016-11-23' }, 'end_date', 'must be 2024-11-25 or later'],
  ['the year 0', { end: '0000-01-01' }, 'end_date', 'must be 2024-11-25 or later'],
  ['a period that the platform does not have', { period: 'year' }, 'period', 'day, week, days_28'],
  ['a metric that the platform does not have', { metrics: ['page_fans'] }, 'metrics', 'page_media_view'],
  ['a metric twice', { metrics: ['page_follows', 'page_follows'] }, 'metrics', 'page_follows twice'],
])('%s is rejected, and the error says what is possible', (_what, given, param, detail) => {
  const call = () => accountWanted(facebook, { ...nothing, ...given }, TODAY);
  expect(call).toThrow(expect.objectContaining({ code: 'invalid_request', param, message: expect.stringContaining(detail) }));
});

test('a start after the default end is rejected, and the error says what the default is', () => {
  const call = () => rangeOf({ start: TODAY, end: '' }, TODAY, daysAfter(TODAY, -1));
  expect(call).toThrow('start_date must not be after end_date, which is 2026-11-22 by default.');
});

test('the error for a platform without metrics over time says so', () => {
  expect(() => accountWanted(x, { ...nothing, metrics: ['views'] }, TODAY)).toThrow(/no metrics over time/);
});

test('a range without a start is no longer than the time for which the platform keeps statistics', () => {
  const rules = { ...facebook, keptDays: 7 };
  expect(accountWanted(rules, nothing, TODAY)).toMatchObject({ start: daysAfter(TODAY, -7), end: TODAY });
});

test('stored days can be read for as long as they are kept', () => {
  const start = daysAfter(TODAY, -762);
  expect(start).toBe('2024-10-22');
  expect(rangeOf({ start, end: '' }, TODAY, TODAY)).toEqual({ start, end: TODAY });
  expect(() => rangeOf({ start: '2024-10-21', end: '' }, TODAY, TODAY)).toThrow(
    'start_date must be 2024-10-22 or later: statistics are kept for 25 months.',
  );
});

test('the error for a platform without daily statistics does not claim that it has some', () => {
  const rules = connectorFor('tiktok').reading!.rules;
  const call = () => accountWanted(rules, { ...nothing, start: '1990-01-01' }, TODAY);
  expect(call).toThrow(/^start_date must be 2024-11-22 or later: this platform provides only current values, .*$/);
});
