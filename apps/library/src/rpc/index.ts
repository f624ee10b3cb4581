import type { LibraryServiceService } from '@fanfare/contracts/library';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { batchGetMedia } from './batch-get-media.ts';
import { deleteMedia } from './delete-media.ts';
import { getMedia } from './get-media.ts';
import { getStorageUsage } from './get-storage-usage.ts';
import { importMedia } from './import-media.ts';
import { listMedia } from './list-media.ts';
import { resolveMediaUrls } from './resolve-media-urls.ts';
import { signMediaUrls } from './sign-media-urls.ts';
import { updateMedia } from './update-media.ts';

export const handlers = (context: Context): Handlers<typeof LibraryServiceService> => ({
  ...({} as Handlers<typeof LibraryServiceService>),
  batchGetMedia: batchGetMedia(context),
  importMedia: importMedia(context),
  resolveMediaUrls: resolveMediaUrls(context),
  signMediaUrls: signMediaUrls(context),
  deleteMedia: deleteMedia(context),
  getMedia: getMedia(context),
  getStorageUsage: getStorageUsage(context),
  listMedia: listMedia(context),
  updateMedia: updateMedia(context),
});
