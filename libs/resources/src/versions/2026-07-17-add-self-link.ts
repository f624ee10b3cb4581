import type { VersionChange } from './version-change.ts';

export const addSelfLink: VersionChange = {
  date: '2026-07-17',
  description: 'Responses with a single resource or a page of a list have a `self` member with their absolute URL.',
  resource: 'response',
  up: (body) => body,
  down: ({ self: _, ...response }) => response,
};
