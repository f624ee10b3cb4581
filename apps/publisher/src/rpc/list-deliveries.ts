import { PLATFORMS, type Platform } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import { DELIVERY_STATES, type DeliveryState } from '../deliveries/domain/delivery-state.ts';
import { toInspectedDelivery } from '../deliveries/store/inspected-deliveries.ts';
import { listDeliveries as list } from '../deliveries/store/listed-deliveries.ts';
import { pausesOf } from '../pauses/domain/paused.ts';
import { listPauses } from '../pauses/store/pauses.ts';
import type { Rpc } from './rpc.ts';

const MAX_PAGE_SIZE = 100;

export const listDeliveries: Rpc<'listDeliveries'> =
  ({ db }) =>
  async ({ pageSize, pageToken, platform, state, ...filter }) => {
    if (pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
      throw new DomainError('invalid_value', `The page size must be from 1 to ${MAX_PAGE_SIZE}.`, { param: 'page_size' });
    }
    if (platform !== undefined && !PLATFORMS.includes(platform as Platform)) {
      throw new DomainError('invalid_value', `"${platform}" is not a platform. Use one of ${PLATFORMS.join(', ')}.`, { param: 'platform' });
    }
    if (state !== undefined && !isState(state)) {
      throw new DomainError('invalid_value', `"${state}" is not a state. Use one of ${DELIVERY_STATES.join(', ')}.`, { param: 'state' });
    }
    if (filter.olderThanMs !== undefined && filter.olderThanMs < 0) {
      throw new DomainError('invalid_value', 'The age must be 0 or more.', { param: 'older_than_ms' });
    }
    const { rows, nextPageToken } = await list(db, { ...filter, platform, state }, pageSize, pageToken);
    const pauses = await listPauses(db);
    return { deliveries: rows.map((each) => toInspectedDelivery(each, pausesOf(pauses, each))), nextPageToken };
  };

const isState = (state: string): state is DeliveryState => (DELIVERY_STATES as readonly string[]).includes(state);
