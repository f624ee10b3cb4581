import type { Exchange } from '../../http/route.ts';

type Changing = Pick<Exchange<{ post_id: string }, unknown, unknown>, 'ids' | 'params' | 'ifRevisions'>;

/** The fields that every request to change a post has. */
export const postChange = ({ ids, params, ifRevisions }: Changing) => ({
  operationId: ids.operationId,
  postId: params.post_id,
  expectedRevisions: [...ifRevisions],
});
