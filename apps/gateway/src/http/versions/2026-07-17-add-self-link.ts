import type { VersionChange } from './version-change.ts';

export const addSelfLink: VersionChange = {
  date: '2026-07-17',
  description: 'Single reads, updates and pages of a list have a `self` member with their own absolute URL.',
  resource: 'answer',
  up: (body) => body,
  down: ({ self: _, ...answer }) => answer,
};
