import { timelinePage, toEntry } from '@fanfare/ledger';
import { listTimelineEntries } from '../deliveries/store/timeline-entries.ts';
import type { Rpc } from './rpc.ts';

export const listEntries: Rpc<'listEntries'> =
  ({ db }) =>
  async (request, { metadata }) => {
    const entries = await listTimelineEntries(db, timelinePage(request, metadata));
    return { entries: entries.map((entry) => ({ ...toEntry(entry), details: { delivery_id: entry.chain, ...entry.details } })) };
  };
