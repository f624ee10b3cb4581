import { importFromUrl } from '../intake/import-from-url.ts';
import type { Rpc } from './rpc.ts';

export const importMedia: Rpc<'importMedia'> = (context) => async (request, call) => ({
  media: await importFromUrl(context, request, call),
});
