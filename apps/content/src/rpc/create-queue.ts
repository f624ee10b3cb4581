import { DomainError } from '@fanfare/errors';
import { isDuplicateKey } from '@fanfare/mongo';
import { now } from '@fanfare/runtime';
import { findBusiness } from '../businesses/store/businesses.ts';
import { newQueueFields } from '../queues/queue-fields.ts';
import { lockDefaultQueue, setDefaultQueue } from '../queues/store/default-queues.ts';
import { countQueues, findRepeated, insertQueue } from '../queues/store/queues.ts';
import { showQueue } from '../queues/show-queue.ts';
import type { Rpc } from './rpc.ts';

/** Posts of a business need few queues; a page of them costs more the more there are. */
const MAX_QUEUES = 100;
/** The first two queues of a business may be created at once, and one of both has to wait. */
const MAX_ATTEMPTS = 5;

export const createQueue: Rpc<'createQueue'> =
  ({ db, transact }) =>
  async (request, { metadata }) => {
    const at = now(metadata.organizationId);
    const timezone = (await findBusiness(db, metadata.businessId))?.timezone ?? 'UTC';
    const document = {
      _id: request.queueId,
      organization_id: metadata.organizationId,
      business_id: metadata.businessId,
      created_at: at,
      updated_at: at,
      revision: 1,
      ...newQueueFields(request, timezone),
      post_count: 0,
      deleted: false,
    };
    for (let attempt = 1; ; attempt++) {
      const first = await findRepeated(db, metadata, request.queueId);
      if (first) return { queue: await showQueue(db, first) };
      try {
        await transact(async (session) => {
          const defaultId = await lockDefaultQueue(db, metadata, session);
          if ((await countQueues(db, metadata, session)) >= MAX_QUEUES)
            throw new DomainError('invalid_request', `A business can have at most ${MAX_QUEUES} queues.`);
          await insertQueue(db, document, session);
          if (defaultId === undefined || request.isDefault) await setDefaultQueue(db, metadata, document._id, session);
        });
        return { queue: await showQueue(db, document) };
      } catch (error) {
        if (!isDuplicateKey(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  };
