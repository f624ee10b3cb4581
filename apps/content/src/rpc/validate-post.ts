import { CreatePostRequest } from '@fanfare/contracts/content';
import { dryRun } from '../editing/dry-run.ts';
import type { Rpc } from './rpc.ts';

export const validatePost: Rpc<'validatePost'> =
  (context) =>
  ({ post = CreatePostRequest.fromPartial({}) }, call) =>
    dryRun(context, post, call);
