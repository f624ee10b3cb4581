import { createTemplate as create } from '../templates/create-template.ts';
import { knownOf } from '../templates/find-template.ts';
import { toTemplate } from '../templates/to-template.ts';
import type { Rpc } from './rpc.ts';

export const createTemplate: Rpc<'createTemplate'> =
  (context) =>
  async (request, { metadata }) => ({
    template: toTemplate(knownOf(await create(context, request, metadata)), true),
  });
