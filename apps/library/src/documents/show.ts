import type { File, Folder } from '@fanfare/contracts/library/documents';
import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import { folderChain } from './store/folders.ts';
import { findMedia } from '../media/store/media.ts';
import { toFile, toFolder } from './store/node-messages.ts';
import type { FileDocument, FolderDocument } from './store/nodes.ts';

export async function showFolder({ db }: Pick<Context, 'db'>, scope: Scope, folder: FolderDocument): Promise<Folder> {
  return toFolder(folder, pathOf((await folderChain(db, scope, folder.parent_id)) ?? []));
}

export async function showFile({ db }: Pick<Context, 'db'>, scope: Scope, file: FileDocument): Promise<File> {
  const [chain, media] = await Promise.all([folderChain(db, scope, file.parent_id), findMedia(db, scope, file.media_ids)]);
  return toFile(file, pathOf(chain ?? []), media);
}

/** The names from the root down, each after a slash. */
export const pathOf = (chain: readonly { name: string }[]): string => chain.map(({ name }) => `/${name}`).join('');
