import { DomainError, notFound } from '@fanfare/errors';
import { BUILTIN_TEMPLATES } from '../templates/builtin-templates.ts';
import { deleteTemplate as remove } from '../templates/store/own-templates.ts';
import type { Rpc } from './rpc.ts';

export const deleteTemplate: Rpc<'deleteTemplate'> =
  ({ db }) =>
  async ({ templateId, operationId }, { metadata }) => {
    if (BUILTIN_TEMPLATES.has(templateId)) throw new DomainError('permission_denied', 'Built-in templates cannot be deleted.');
    if (!(await remove(db, metadata, templateId, operationId))) throw notFound('template');
    return {};
  };
