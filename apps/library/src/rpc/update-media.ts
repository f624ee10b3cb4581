import { updateMedia as update } from '../editing/update-media.ts';
import { toMedia } from '../media/store/media.ts';
import type { Rpc } from './rpc.ts';

export const updateMedia: Rpc<'updateMedia'> = (context) => async (request, call) => ({
  media: toMedia(await update(context, request, call.metadata), context.urls),
});
