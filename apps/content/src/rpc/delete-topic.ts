import { now } from '@fanfare/runtime';
import { editTopic } from '../topics/store/topics.ts';
import type { Rpc } from './rpc.ts';

export const deleteTopic: Rpc<'deleteTopic'> =
  ({ db }) =>
  async ({ topicId, operationId, expectedRevisions }, { metadata }) => {
    await editTopic(db, metadata, topicId, { deleted: true }, { operationId, expectedRevisions, at: now(metadata.organizationId) });
    return {};
  };
