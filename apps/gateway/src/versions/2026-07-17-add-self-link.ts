import type { VersionChange } from './version-change.ts';

export const addSelfLink: VersionChange = {
  date: '2026-07-17',
  description: 'Single reads, updates and pages say their own absolute URL as `self`.',
  resource: 'answer',
  up: (body) => body,
  down: ({ self: _, ...answer }) => answer,
};
