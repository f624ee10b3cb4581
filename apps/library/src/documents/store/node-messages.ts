import type { File, FileMedia, Folder } from '@fanfare/contracts/library/documents';
import type { MediaDocument } from '../../media/store/media.ts';
import type { FileDocument, FolderDocument } from './nodes.ts';

/** @param folderPath path of the parent; empty for the root */
export function toFolder(folder: FolderDocument, folderPath: string): Folder {
  return {
    id: folder._id,
    businessId: folder.business_id,
    createdAt: folder.created_at,
    updatedAt: folder.updated_at,
    revision: folder.revision,
    name: folder.name,
    path: `${folderPath}/${folder.name}`,
    parentId: folder.parent_id ?? undefined,
  };
}

/** @param media those of the file's media that exist */
export function toFile(file: FileDocument, folderPath: string, media: readonly MediaDocument[]): File {
  return {
    id: file._id,
    businessId: file.business_id,
    createdAt: file.created_at,
    updatedAt: file.updated_at,
    revision: file.revision,
    name: file.name,
    path: `${folderPath}/${file.name}`,
    parentId: file.parent_id ?? undefined,
    bodyText: file.body_text,
    mediaIds: file.media_ids,
    media: media.map(toFileMedia),
  };
}

function toFileMedia(media: MediaDocument): FileMedia {
  return {
    id: media._id,
    businessId: media.business_id,
    createdAt: media.created_at,
    altText: media.alt_text,
    originalUrl: media.original_url ?? '',
    type: media.type,
    width: media.width,
    height: media.height,
    source: media.source,
  };
}
