import type { LibraryServiceService } from '@fanfare/contracts/library';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { batchGetMedia } from './batch-get-media.ts';
import { importMedia } from './import-media.ts';
import { resolveMediaUrls } from './resolve-media-urls.ts';
import { signMediaUrls } from './sign-media-urls.ts';

export const handlers = (context: Context): Handlers<typeof LibraryServiceService> => ({
  ...({} as Handlers<typeof LibraryServiceService>),
  batchGetMedia: batchGetMedia(context),
  importMedia: importMedia(context),
  resolveMediaUrls: resolveMediaUrls(context),
  signMediaUrls: signMediaUrls(context),
});
