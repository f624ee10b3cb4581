import type { Exchange } from '../../http/route.ts';

type Changing = Pick<Exchange<{ post_id: string }, unknown, unknown>, 'ids' | 'params' | 'ifRevisions'>;

/** What every change of a post tells content: which change it is, of which post, and of which revisions. */
export const postChange = ({ ids, params, ifRevisions }: Changing) => ({
  operationId: ids.operationId,
  postId: params.post_id,
  expectedRevisions: [...ifRevisions],
});
