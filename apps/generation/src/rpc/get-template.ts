import { getTemplate as get } from '../templates/find-template.ts';
import { toTemplate } from '../templates/to-template.ts';
import type { Rpc } from './rpc.ts';

export const getTemplate: Rpc<'getTemplate'> =
  ({ db }) =>
  async ({ templateId }, { metadata }) => ({ template: toTemplate(await get(db, metadata, templateId), true) });
