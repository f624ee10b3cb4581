import { mediaFromProto, present } from '@fanfare/resources';
import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { folderParam, readFolderId } from '../folders/folder-id.ts';
import { DELETED, deleted } from '../common/deleted.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { importRoutes } from './import-routes.ts';
import { media, updateMediaBody } from './media.ts';
import { exampleMedia } from './media-example.ts';
import { uploadRoutes } from './upload-routes.ts';

const ofBusiness = { business_id: z.uuid() };
const inLibrary = { tag: 'Media', scope: 'business', resource: 'media', query: {} } as const;
const single = {
  ...inLibrary,
  path: '/api/businesses/{business_id}/media/{media_id}',
  params: { ...ofBusiness, media_id: z.string() },
} as const;

const listLibrary = route({
  ...inLibrary,
  method: 'get',
  path: '/api/businesses/{business_id}/media',
  params: ofBusiness,
  operationId: 'list_library',
  sdkMethod: 'media.list',
  access: access.read,
  self: 'page',
  summary: 'List the media files in a folder',
  description: 'Media files that are ready, newest first. If transcripts are long, a page has fewer items than `limit`, with a `next`.',
  query: { folder_id: folderParam(), limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(media, 'MediaPage'),
  status: 200,
  errors: ['invalid_value'],
  examples: { response: { items: [exampleMedia], next: null } },
  async handler({ library }, { query, call }) {
    const { folder_id, limit: pageSize, cursor: pageToken } = query;
    const { media, nextPageToken } = await library.listMedia(
      { folderId: folder_id ?? undefined, allFolders: false, pageSize, pageToken },
      { call },
    );
    return { body: { items: media.map(mediaFromProto), next: nextOf(nextPageToken) } };
  },
});

const getMedia = route({
  ...single,
  method: 'get',
  operationId: 'get_media',
  sdkMethod: 'media.get',
  access: access.read,
  self: 'resource',
  summary: 'Get a media file',
  description: 'Also returns a media file that is still `processing`: poll it. A `failed` one is kept for a week, with the reason.',
  returns: media,
  status: 200,
  examples: { response: exampleMedia },
  async handler({ library }, { params, call }) {
    const found = present((await library.getMedia({ mediaId: params.media_id }, { call })).media);
    return { body: mediaFromProto(found), revision: found.revision };
  },
});

const updateMedia = route({
  ...single,
  method: 'patch',
  operationId: 'update_media',
  sdkMethod: 'media.update',
  access: access.write,
  self: 'resource',
  summary: 'Update a media file',
  description:
    'Changes its texts, or moves it to another folder. The file itself never changes. Posts that use it show the new texts a moment later.',
  body: updateMediaBody,
  returns: media,
  status: 200,
  errors: ['invalid_value', 'invalid_request', 'conflict', 'precondition_failed'],
  examples: { body: { alt_text: 'A loaf of rye bread on a wooden board' }, response: exampleMedia },
  async handler({ library }, { params, body, ids, ifRevisions, call }) {
    const { alt_text: altText, description, transcript } = body;
    const edit = { operationId: ids.operationId, mediaId: params.media_id, expectedRevisions: [...ifRevisions] };
    const request = { ...edit, altText, description, transcript, folderId: readFolderId(body.folder_id) };
    const updated = present((await library.updateMedia(request, { call })).media);
    return { body: mediaFromProto(updated), revision: updated.revision };
  },
});

const deleteMedia = route({
  ...single,
  method: 'delete',
  operationId: 'delete_media',
  sdkMethod: 'media.delete',
  access: access.write,
  summary: 'Delete a media file',
  description:
    'Rejected with 409 `conflict` while a scheduled post or a post that is being published needs it, unless you send `force=true`: `at_risk` of those posts then shows the problem. Deleting a media file that is `processing` cancels the import. Frees its storage immediately.',
  query: {
    force: z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .default('false')
      .meta({ type: 'boolean', default: false, description: 'Delete the media file even if posts need it.' }),
  },
  returns: deleted,
  status: 200,
  errors: ['invalid_value', 'conflict', 'precondition_failed'],
  async handler({ library }, { params, query, ids, ifRevisions, call }) {
    const edit = { operationId: ids.operationId, mediaId: params.media_id, expectedRevisions: [...ifRevisions] };
    await library.deleteMedia({ ...edit, force: query.force === 'true' }, { call });
    return DELETED;
  },
});

export const mediaRoutes: readonly Route[] = [listLibrary, ...uploadRoutes, ...importRoutes, getMedia, updateMedia, deleteMedia];
