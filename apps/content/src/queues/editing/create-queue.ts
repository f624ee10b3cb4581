import type { CreateQueueRequest } from '@fanfare/contracts/content/queues';
import { DomainError } from '@fanfare/errors';
import { isDuplicateKey } from '@fanfare/mongo';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import { findTimezone } from '../../businesses/store/businesses.ts';
import type { Context } from '../../context.ts';
import type { QueueDocument } from '../queue.ts';
import { lockDefaultQueue, setDefaultQueue } from '../store/default-queues.ts';
import { countQueues, findRepeated, insertQueue } from '../store/queues.ts';
import { newQueueFields } from './queue-fields.ts';

/** Posts of a business need few queues; a page of them costs more the more there are. */
const MAX_QUEUES = 100;
/** The first two queues of a business may be created at once, and one of both has to wait. */
const MAX_ATTEMPTS = 5;

/** Creates a queue, which becomes the default if it is the first one or the request says so. A repeated create returns the stored queue. */
export async function createQueue(
  { db, transact }: Pick<Context, 'db' | 'transact'>,
  request: CreateQueueRequest,
  metadata: CallMetadata,
): Promise<QueueDocument> {
  const at = now(metadata.organizationId);
  const timezone = await findTimezone(db, metadata.businessId);
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
    if (first) return first;
    try {
      await transact(async (session) => {
        const defaultId = await lockDefaultQueue(db, metadata, session);
        if ((await countQueues(db, metadata, session)) >= MAX_QUEUES)
          throw new DomainError('invalid_request', `A business can have at most ${MAX_QUEUES} queues.`);
        await insertQueue(db, document, session);
        if (defaultId === undefined || request.isDefault) await setDefaultQueue(db, metadata, document._id, session);
      });
      return document;
    } catch (error) {
      if (!isDuplicateKey(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
