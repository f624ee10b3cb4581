import type { CreatePostRequest, PostMedia } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { CallOptions } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { toPostMedia } from './to-post-media.ts';

/**
 * The media and the revision of the design that a request sets; undefined if it sets none.
 * @throws DomainError invalid_value if this business has no such design
 */
export async function designMedia(
  { generation, library }: Pick<Context, 'generation' | 'library'>,
  { designId }: Pick<CreatePostRequest, 'designId'>,
  call: CallOptions['call'],
): Promise<{ media: PostMedia[]; revision: number } | undefined> {
  if (designId === undefined) return undefined;
  const { design } = await generation.getDesign({ designId }, { call }).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'resource_not_found') return { design: undefined };
    throw error;
  });
  if (!design) throw new DomainError('invalid_value', 'This business has no design with this id.', { param: 'design_id' });
  const mediaIds = design.media.map(({ mediaId }) => mediaId);
  return { media: await mediaOfDesign(library, mediaIds, call), revision: design.revision };
}

/** @throws DomainError invalid_value if one of them was deleted in the library */
export async function mediaOfDesign(
  library: Context['library'],
  mediaIds: readonly string[],
  call: CallOptions['call'],
): Promise<PostMedia[]> {
  const { media } = await library.batchGetMedia({ mediaIds: [...mediaIds] }, { call });
  const found = new Map(media.map((one) => [one.id, one]));
  return mediaIds.map((id) => {
    const one = found.get(id);
    if (!one)
      throw new DomainError('invalid_value', 'An image of this design was deleted. Change the design to render it again.', {
        param: 'design_id',
      });
    return toPostMedia(one, 'design_id');
  });
}
