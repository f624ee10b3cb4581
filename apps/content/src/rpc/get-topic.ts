import { getTopic as get, toTopic } from '../topics/store/topics.ts';
import type { Rpc } from './rpc.ts';

export const getTopic: Rpc<'getTopic'> =
  ({ db }) =>
  async ({ topicId }, { metadata }) => ({ topic: toTopic(await get(db, metadata, topicId)) });
