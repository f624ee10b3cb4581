import { connectors, type Platform } from '@fanfare/connectors';
import type { PublishStrategy } from '@fanfare/contracts/content';
import type { PublicationRequested } from '@fanfare/contracts/content/events';
import type { NewDelivery } from '../deliveries/delivery.ts';
import { WAITING_FOR_PRIMARY } from '../deliveries/domain/stage.ts';
import { reasonOf, waitsForPrimary } from './domain/reason.ts';
import { advance, beginPublication, type MemberState, type Publication, type Strategy } from './domain/publication.ts';
import type { PublicationDocument } from './store/publications.ts';

const STRATEGIES: Partial<Record<PublishStrategy, Strategy>> = {
  PUBLISH_STRATEGY_PRIMARY_FIRST: 'primary_first',
  PUBLISH_STRATEGY_ALL_OR_NOTHING: 'all_or_nothing',
};

/**
 * The deliveries of a publication as they begin, and what ties them together. Those to unknown platforms have failed already.
 */
export function withStrategy(
  { publicationId, organizationId, strategy: name }: PublicationRequested,
  rows: readonly NewDelivery[],
  at: Date,
): { readonly rows: readonly NewDelivery[]; readonly publication?: PublicationDocument } {
  const strategy = STRATEGIES[name];
  if (!strategy) return { rows };
  let publication: Publication = beginPublication(
    strategy,
    rows.map(({ _id: id, platform }) => ({ id, platform })),
    isRemovable,
  );
  for (const { _id, open } of rows) if (!open) publication = advance(publication, _id, 'failed').publication;
  const states = new Map(publication.members.map(({ id, state }) => [id, state]));
  return {
    rows: rows.map((row) => begun(row, states.get(row._id), publication)),
    publication: { ...publication, _id: publicationId, organization_id: organizationId, created_at: at },
  };
}

function begun(row: NewDelivery, state: MemberState | undefined, publication: Publication): NewDelivery {
  const { strategy } = publication;
  if (state === 'preparing') return { ...row, strategy, stage: state };
  if (state === WAITING_FOR_PRIMARY)
    return {
      ...row,
      strategy,
      stage: state,
      revision: row.revision + 1,
      waiting: { reason: 'others', message: waitsForPrimary(publication) },
    };
  if (state !== 'failed' || !row.open) return { ...row, strategy };
  const { errorType, message } = reasonOf(publication);
  return {
    ...row,
    strategy,
    open: false,
    revision: row.revision + 1,
    status: 'DELIVERY_STATUS_FAILED',
    error_type: errorType,
    error_message: message,
  };
}

/** Whether apps can delete posts there. */
const isRemovable = (platform: Platform): boolean => Object.hasOwn(connectors, platform) && 'unpublish' in connectors[platform];
