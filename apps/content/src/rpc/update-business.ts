import { DomainError, notFound } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { changedBusinessFields } from '../businesses/business-fields.ts';
import { toBusiness, updateBusiness as update } from '../businesses/store/businesses.ts';
import type { Rpc } from './rpc.ts';

export const updateBusiness: Rpc<'updateBusiness'> =
  ({ db, library }) =>
  async (request, call) => {
    const { organizationId } = call.metadata;
    const { businessId: id, operationId, expectedRevisions } = request;
    const changes = changedBusinessFields(request);
    if (changes.logo_media_id) await checkLogo(changes.logo_media_id);
    const edit = { operationId, expectedRevisions, at: now(organizationId) };
    const document = await update(db, { organizationId, id }, changes, edit);
    if (!document) throw notFound('business');
    return { business: toBusiness(document) };

    async function checkLogo(mediaId: string) {
      const scope = { ...call, metadata: { ...call.metadata, businessId: id } };
      const [logo] = (await library.batchGetMedia({ mediaIds: [mediaId] }, { call: scope })).media;
      if (logo?.type !== 'MEDIA_TYPE_IMAGE') {
        throw new DomainError('invalid_value', 'This business has no image with that id.', { param: 'logo_media_id' });
      }
    }
  };
