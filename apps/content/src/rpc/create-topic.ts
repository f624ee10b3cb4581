import { createTopic as create } from '../topics/create-topic.ts';
import { toTopic } from '../topics/store/topics.ts';
import type { Rpc } from './rpc.ts';

export const createTopic: Rpc<'createTopic'> =
  (context) =>
  async (request, { metadata }) => ({
    topic: toTopic(await create(context, request, metadata)),
  });
