import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { batchGetMedia } from './batch-get-media.ts';
import { createFile } from './create-file.ts';
import { createFolder } from './create-folder.ts';
import { deleteFile } from './delete-file.ts';
import { deleteFolder } from './delete-folder.ts';
import { deleteMedia } from './delete-media.ts';
import { erase } from './erase.ts';
import { getFile } from './get-file.ts';
import { getFolder } from './get-folder.ts';
import { getMedia } from './get-media.ts';
import { getStorageUsage } from './get-storage-usage.ts';
import { importMedia } from './import-media.ts';
import { listFiles } from './list-files.ts';
import { listFolders } from './list-folders.ts';
import { listMedia } from './list-media.ts';
import { makeDerivative } from './make-derivative.ts';
import { releaseMedia } from './release-media.ts';
import { reserveMedia } from './reserve-media.ts';
import { resolveMediaUrls } from './resolve-media-urls.ts';
import type { served } from './rpc.ts';
import { signArchiveUrl } from './sign-archive-url.ts';
import { signMediaUrls } from './sign-media-urls.ts';
import { updateFile } from './update-file.ts';
import { updateFolder } from './update-folder.ts';
import { updateMedia } from './update-media.ts';

export const handlers = (context: Context): Handlers<typeof served> => ({
  batchGetMedia: batchGetMedia(context),
  createFile: createFile(context),
  createFolder: createFolder(context),
  deleteFile: deleteFile(context),
  deleteFolder: deleteFolder(context),
  deleteMedia: deleteMedia(context),
  erase: erase(context),
  getFile: getFile(context),
  getFolder: getFolder(context),
  getMedia: getMedia(context),
  getStorageUsage: getStorageUsage(context),
  importMedia: importMedia(context),
  listFiles: listFiles(context),
  listFolders: listFolders(context),
  listMedia: listMedia(context),
  makeDerivative: makeDerivative(context),
  releaseMedia: releaseMedia(context),
  reserveMedia: reserveMedia(context),
  resolveMediaUrls: resolveMediaUrls(context),
  signArchiveUrl: signArchiveUrl(context),
  signMediaUrls: signMediaUrls(context),
  updateFile: updateFile(context),
  updateFolder: updateFolder(context),
  updateMedia: updateMedia(context),
});
