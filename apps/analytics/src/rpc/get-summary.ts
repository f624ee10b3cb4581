import { daysAfter } from '@fanfare/connectors';
import { now } from '@fanfare/runtime';
import { KEPT_DAYS } from '../kept-days.ts';
import { dayIn, rangeOf } from '../live/days.ts';
import { summarize } from '../reports/summary.ts';
import type { Rpc } from './rpc.ts';

export const getSummary: Rpc<'getSummary'> =
  ({ db }) =>
  async ({ start, end }, { metadata }) => {
    const today = dayIn(now(metadata.organizationId), 'UTC');
    return summarize(db, metadata, rangeOf({ start, end }, today, daysAfter(today, -1)), daysAfter(today, 1 - KEPT_DAYS));
  };
