import type { LibraryServiceService } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import type { Call, Client } from '@fanfare/rpc';

/** @throws DomainError invalid_value if it is not an image of that business */
export async function checkLogo(
  library: Client<typeof LibraryServiceService>,
  mediaId: string,
  businessId: string,
  call: Call,
): Promise<void> {
  const scope = { ...call, metadata: { ...call.metadata, businessId } };
  const [logo] = (await library.batchGetMedia({ mediaIds: [mediaId] }, { call: scope })).media;
  if (logo?.type !== 'MEDIA_TYPE_IMAGE') {
    throw new DomainError('invalid_value', 'This business has no image with this id.', { param: 'logo_media_id' });
  }
}
