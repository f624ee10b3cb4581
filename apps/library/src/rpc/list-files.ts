import { jsonBytes, shortened } from '@fanfare/mongo';
import { listFolder } from '../documents/list-folder.ts';
import { scopeOf } from '../scope.ts';
import { findMedia, type MediaDocument } from '../media/store/media.ts';
import { bindingOf, nodeBytes } from '../documents/store/node-lists.ts';
import { toFile } from '../documents/store/node-messages.ts';
import type { Rpc } from './rpc.ts';

export const listFiles: Rpc<'listFiles'> =
  (context) =>
  async (request, { metadata }) => {
    const scope = scopeOf(metadata);
    const { list, page } = await listFolder(context, scope, 'file', request);
    const ids = new Set(page.rows.flatMap(({ media_ids }) => media_ids));
    const found = ids.size === 0 ? [] : await findMedia(context.db, scope, [...ids]);
    const byId = new Map(found.map((media) => [media._id, media]));

    const files = page.rows.map((file) => ({ file, media: file.media_ids.flatMap((id) => byId.get(id) ?? []) }));
    const sizes = files.map(({ file, media }) => media.reduce((bytes, one) => bytes + mediaBytes(one), nodeBytes(file, list.path)));
    const { rows, nextPageToken } = shortened(page, bindingOf(list, scope), sizes);
    return { files: files.slice(0, rows.length).map(({ file, media }) => toFile(file, list.path, media)), nextPageToken };
  };

/** An upper bound of the bytes of a media in the response. */
const mediaBytes = ({ alt_text, original_url = '', source }: MediaDocument) =>
  512 + jsonBytes(alt_text) + jsonBytes(original_url) + jsonBytes(source);
