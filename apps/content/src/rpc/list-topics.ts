import { listTopics as list, toTopic } from '../topics/store/topics.ts';
import type { Rpc } from './rpc.ts';

export const listTopics: Rpc<'listTopics'> =
  ({ db }) =>
  async ({ pageSize, pageToken }, { metadata }) => {
    const { rows, nextPageToken } = await list(db, metadata, pageSize, pageToken);
    return { topics: rows.map(toTopic), nextPageToken };
  };
