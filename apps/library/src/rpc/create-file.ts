import { createFile as create } from '../documents/create-file.ts';
import { showFile } from '../documents/show.ts';
import { scopeOf } from '../scope.ts';
import type { Rpc } from './rpc.ts';

export const createFile: Rpc<'createFile'> =
  (context) =>
  async (request, { metadata }) => ({
    file: await showFile(context, scopeOf(metadata), await create(context, request, metadata)),
  });
