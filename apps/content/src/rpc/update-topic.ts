import { toTopic } from '../topics/store/topics.ts';
import { updateTopic as update } from '../topics/update-topic.ts';
import type { Rpc } from './rpc.ts';

export const updateTopic: Rpc<'updateTopic'> =
  (context) =>
  async (request, { metadata }) => ({
    topic: toTopic(await update(context, request, metadata)),
  });
