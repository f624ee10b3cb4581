import type { Migration } from '@fanfare/mongo';
import { accountMigrations } from './accounts/index.ts';
import { createFeedbackIndexes } from './api/feedback/store/feedback.ts';
import { httpMigrations } from './http/store/migrations.ts';

const feedbackMigrations: readonly Migration[] = [{ id: '0006-feedback-indexes', up: createFeedbackIndexes }];

/** Of all slices, in the order of their numbers. */
export const migrations: readonly Migration[] = [...accountMigrations, ...httpMigrations, ...feedbackMigrations].toSorted((a, b) =>
  a.id < b.id ? -1 : 1,
);
