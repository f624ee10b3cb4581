import { renderDesign as render } from '../designs/render-design.ts';
import type { Rpc } from './rpc.ts';

export const renderDesign: Rpc<'renderDesign'> =
  (context) =>
  async (request, { metadata }) => {
    const media = await render(context, request, metadata);
    return { media: media.map(({ id, url }) => ({ mediaId: id, url })) };
  };
