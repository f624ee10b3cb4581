import { isDeepStrictEqual } from 'node:util';
import type { PostChange } from '@fanfare/contracts/content/events';
import type { Details } from '@fanfare/ledger';
import { isPublishing } from '../is-publishing.ts';
import type { PostDocument, ResultDocument } from '../post.ts';
import { newestResults } from '../after-waiting.ts';

/** What happened to a post: an entry of its timeline; who did it is added later. */
interface PostEntry {
  readonly kind: string;
  readonly details: Details;
}

/** The fields of the content that callers set, by their names in the API. */
const CONTENT: readonly (readonly [keyof PostDocument, string])[] = [
  ['caption', 'caption'],
  ['media', 'media_ids'],
  ['design_id', 'design_id'],
  ['cover_media_id', 'cover_media_id'],
  ['video_cover_timestamp_ms', 'video_cover_timestamp_ms'],
  ['link', 'link'],
  ['restrict_publish_to', 'restrict_publish_to'],
  ['restrict_publish_to_integration_ids', 'restrict_publish_to_integration_ids'],
  ['metadata', 'metadata'],
  ['platform_overrides', 'platform_overrides'],
  ['repeating_cron', 'repeating_cron'],
  ['repeating_timezone', 'repeating_timezone'],
  ['misfire_policy', 'misfire_policy'],
  ['strategy', 'strategy'],
  ['next_content', 'series'],
];

const TARGET_FIELDS = ['restrict_publish_to', 'restrict_publish_to_integration_ids'];

/**
 * What a write to a post means, from the post before and after it: so no write can be left out of the timeline.
 * @param before undefined if the post is new
 * @param changes what the operation says that it changed; needed only for what the documents do not show, such as a second approval
 */
export function postEntries(
  before: PostDocument | undefined,
  after: PostDocument,
  changes: readonly PostChange[] = [],
  confirmNotPublished = false,
): PostEntry[] {
  if (!before)
    return [{ kind: 'created', details: { status: statusOf(after), ...timeOf(after), series_id: after.series_id } }, ...queued(after)];
  if (after.deleted_at && !before.deleted_at) return [{ kind: 'deleted', details: {} }];
  const claimed = claimOf(before, after, confirmNotPublished);
  return [
    ...(claimed ? [claimed] : [...edited(before, after, changes), ...reviewed(after, changes), ...timed(before, after, changes)]),
    ...atRisk(before, after),
    ...removals(before, after),
    ...ended(before, after),
  ];
}

function claimOf(before: PostDocument, after: PostDocument, confirmNotPublished: boolean): PostEntry | undefined {
  const publication_id = after.publication_ids.at(-1);
  if (publication_id === undefined || publication_id === before.publication_ids.at(-1)) return undefined;
  const results = newestResults(after);
  const due_at = (before.next_due_at && !after.next_due_at ? before.next_due_at : results[0]?.dueAt)?.toISOString();
  const isRunning = results.some(({ status }) => status === 'PUBLISH_RESULT_STATUS_PENDING');
  const targets = results.map(toTarget);
  const confirmed = confirmNotPublished && { confirmed_not_published: true };
  if (isRunning) return { kind: 'claimed', details: { publication_id, due_at, targets, ...confirmed } };
  const { error_type, detail } = after.last_failure ?? {};
  return { kind: 'not_sent', details: { publication_id, due_at, error_type, error_message: detail, targets } };
}

const toTarget = ({ platform, integrationId, deliveryId, errorType, errorMessage }: ResultDocument): Details => ({
  platform,
  integration_id: integrationId || undefined,
  delivery_id: deliveryId || undefined,
  error_type: errorType,
  error_message: errorMessage,
});

function edited(before: PostDocument, after: PostDocument, changes: readonly PostChange[]): PostEntry[] {
  // A post that leaves its queue keeps the targets that it had there: that is no change of its content.
  const isLeaving = before.queue_id !== undefined && before.queue_id !== after.queue_id && !changes.includes('POST_CHANGE_UPDATED');
  const fields = changedFields(before, after).filter((name) => !isLeaving || !TARGET_FIELDS.includes(name));
  if (changes.includes('POST_CHANGE_UPDATED')) {
    const isMoved = before.scheduled_publish_time?.getTime() !== after.scheduled_publish_time?.getTime();
    return [{ kind: 'edited', details: { fields: isMoved ? [...fields, 'scheduled_publish_time'] : fields } }];
  }
  // The entry of the scheduling has the fields itself.
  if (fields.length === 0 || changes.includes('POST_CHANGE_SCHEDULED')) return [];
  return [{ kind: 'media_updated', details: { fields } }];
}

const changedFields = (before: PostDocument, after: PostDocument): string[] =>
  CONTENT.filter(([field]) => before[field] !== after[field] && !isDeepStrictEqual(before[field], after[field])).map(([, name]) => name);

function reviewed({ review_note: note }: PostDocument, changes: readonly PostChange[]): PostEntry[] {
  const isApproved = changes.includes('POST_CHANGE_APPROVED');
  if (!isApproved && !changes.includes('POST_CHANGE_REJECTED')) return [];
  return [{ kind: 'reviewed', details: { decision: isApproved ? 'approve' : 'reject', note } }];
}

function timed(before: PostDocument, after: PostDocument, changes: readonly PostChange[]): PostEntry[] {
  const isMoved = before.next_due_at?.getTime() !== after.next_due_at?.getTime();
  if (after.next_due_at && (isMoved || changes.includes('POST_CHANGE_SCHEDULED'))) {
    const fields = changes.includes('POST_CHANGE_UPDATED') ? [] : changedFields(before, after);
    const previous = before.scheduled_publish_time?.toISOString();
    return [{ kind: 'scheduled', details: { ...timeOf(after), previous_time: previous, ...(fields.length > 0 && { fields }) } }];
  }
  if (after.queue_id !== undefined && (after.queue_id !== before.queue_id || changes.includes('POST_CHANGE_SCHEDULED')))
    return queued(after);
  const wasWaiting = before.next_due_at !== undefined || before.queue_id !== undefined;
  if (wasWaiting && !after.next_due_at && after.queue_id === undefined)
    return [{ kind: 'unscheduled', details: { status: statusOf(after) } }];
  return [];
}

const queued = ({ queue_id }: PostDocument): PostEntry[] => (queue_id === undefined ? [] : [{ kind: 'queued', details: { queue_id } }]);

function removals(before: PostDocument, after: PostDocument): PostEntry[] {
  const former = new Map(before.publish_results.map(({ deliveryId, removal }) => [deliveryId, removal]));
  return after.publish_results.flatMap(({ deliveryId: delivery_id, integrationId: integration_id, platform, removal }) => {
    const was = former.get(delivery_id);
    if (!removal || (was?.id === removal.id && was.status === removal.status)) return [];
    const target = { platform, integration_id, delivery_id };
    if (removal.status === 'REMOVAL_STATUS_PENDING') return [{ kind: 'removal_requested', details: target }];
    const status = removal.status.replace('REMOVAL_STATUS_', '').toLowerCase();
    return [{ kind: 'removal_ended', details: { ...target, status, error_type: removal.errorType, error_message: removal.detail } }];
  });
}

/** Keys of risks begin with the code. */
function atRisk(before: PostDocument, after: PostDocument): PostEntry[] {
  const reported = new Set(before.risks_told);
  const codes = (after.risks_told ?? []).filter((key) => !reported.has(key)).map((key) => key.split(' ')[0] ?? '');
  return codes.length > 0 ? [{ kind: 'at_risk', details: { codes: [...new Set(codes)] } }] : [];
}

function ended(before: PostDocument, after: PostDocument): PostEntry[] {
  if (!isPublishing(before) || isPublishing(after)) return [];
  const count = (status: ResultDocument['status']) => after.publish_results.filter((one) => one.status === status).length;
  const [succeeded, failed] = [count('PUBLISH_RESULT_STATUS_SUCCESS'), count('PUBLISH_RESULT_STATUS_FAILED')];
  return [{ kind: 'publication_ended', details: { status: statusOf(after), succeeded, failed } }];
}

const statusOf = ({ status }: PostDocument): string => status.replace('POST_STATUS_', '');

const timeOf = ({ scheduled_publish_time }: PostDocument) => ({ scheduled_publish_time: scheduled_publish_time?.toISOString() });
