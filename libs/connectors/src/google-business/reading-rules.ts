import type { Metric, ReadingRules } from '../reading/reading.ts';

const metrics: readonly Metric[] = [
  { name: 'BUSINESS_IMPRESSIONS_DESKTOP_MAPS', description: 'People who saw the profile on Google Maps on a computer.' },
  { name: 'BUSINESS_IMPRESSIONS_DESKTOP_SEARCH', description: 'People who saw the profile on Google Search on a computer.' },
  { name: 'BUSINESS_IMPRESSIONS_MOBILE_MAPS', description: 'People who saw the profile on Google Maps on a phone.' },
  { name: 'BUSINESS_IMPRESSIONS_MOBILE_SEARCH', description: 'People who saw the profile on Google Search on a phone.' },
  { name: 'WEBSITE_CLICKS', description: 'Clicks on the website link of the profile.' },
  { name: 'CALL_CLICKS', description: 'Clicks on the call button.' },
  { name: 'BUSINESS_DIRECTION_REQUESTS', description: 'Requests for directions to the location.' },
  { name: 'BUSINESS_BOOKINGS', description: 'Bookings made from the profile.', isOptional: true },
  { name: 'BUSINESS_FOOD_MENU_CLICKS', description: 'Clicks on the menu.', isOptional: true },
];
const PAGE_SIZE = 100;
export const DAYS = 366;

export const readingRules: ReadingRules = {
  metrics,
  periods: ['day'],
  daysPerCall: DAYS,
  keptDays: 540,
  timeZone: 'America/Los_Angeles',
  settledDays: 4,
  postsPerCall: 10,
  pageSize: PAGE_SIZE,
  hasNoPostStatistics: true,
  freshSeconds: 3_600,
};
