import type { Entry } from '@fanfare/contracts/timeline';
import type { EntryDocument } from './entry.ts';

export const toEntry = ({ _id: id, at, kind, actor, request_id: requestId, details }: EntryDocument): Entry => ({
  id,
  at,
  kind,
  actor,
  requestId,
  details,
});
