import { topics } from '@fanfare/contracts';
import { Post } from '@fanfare/contracts/content';
import { PostChanged } from '@fanfare/contracts/content/events';
import { appendAllToOutbox, startPublishing } from '@fanfare/events';
import { connectMongo, transaction } from '@fanfare/mongo';
import { createLogger, newId } from '@fanfare/runtime';
import type { BenchPlatform } from '../../platform.ts';

const SESSION_MS = 6_000;

/** Emits events of posts that were created, as content does. */
export interface Emitter {
  /** In one transaction. */
  emit(count: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startEmitter({ mongoUrl, kafkaBrokers, namespace, organizationId, businessId }: BenchPlatform): Promise<Emitter> {
  const log = createLogger('bench', 'silent');
  const mongo = await connectMongo({ url: mongoUrl, database: `${namespace}_emitter`, service: 'bench' });
  const settings = { brokers: kafkaBrokers, topicPrefix: `${namespace}.`, partitions: 3, clientId: 'bench', sessionTimeoutMs: SESSION_MS };
  const relay = startPublishing({ mongo, settings, log });
  return {
    async emit(count) {
      const events = Array.from({ length: count }, () => {
        const id = newId();
        const at = new Date();
        const post = Post.fromPartial({
          id,
          businessId,
          status: 'POST_STATUS_NEW',
          caption: 'Fresh bread from seven.',
          createdAt: at,
          updatedAt: at,
        });
        const emission = { flowId: 'bench', subject: id, revision: 1, organizationId, businessId };
        const data = PostChanged.fromPartial({
          postId: id,
          organizationId,
          businessId,
          revision: 1,
          changes: ['POST_CHANGE_CREATED'],
          post,
        });
        return { emission, data };
      });
      await transaction(mongo.client, (session) => appendAllToOutbox(mongo.db, session, 'content', topics.postChanged, events));
      relay.wake();
    },
    async stop() {
      await relay.stop();
      await mongo.close();
    },
  };
}
