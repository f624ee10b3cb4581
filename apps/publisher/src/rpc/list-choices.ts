import { listChoices as list } from '../accounts/list-choices.ts';
import type { Rpc } from './rpc.ts';

export const listChoices: Rpc<'listChoices'> = (context) => async (request, call) => {
  const { items, next = '' } = await list(context, request, call);
  return { choices: [...items], nextPageToken: next };
};
