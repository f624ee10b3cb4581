import { updateFile as update } from '../documents/update-file.ts';
import { showFile } from '../documents/show.ts';
import { scopeOf } from '../scope.ts';
import type { Rpc } from './rpc.ts';

export const updateFile: Rpc<'updateFile'> =
  (context) =>
  async (request, { metadata }) => ({
    file: await showFile(context, scopeOf(metadata), await update(context, request, metadata)),
  });
