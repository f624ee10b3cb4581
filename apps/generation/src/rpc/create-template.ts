import { randomBytes } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import { isDuplicateKey } from '@fanfare/mongo';
import { now } from '@fanfare/runtime';
import { knownOf } from '../templates/find-template.ts';
import { countTemplates, findCreatedTemplate, insertTemplate, type OwnTemplateDocument } from '../templates/store/own-templates.ts';
import { templateSchema, type Template } from '../templates/template.ts';
import { toTemplate } from '../templates/to-template.ts';
import type { Rpc } from './rpc.ts';

const MOST = 200;
const MOST_PROBLEMS = 20;

export const createTemplate: Rpc<'createTemplate'> =
  ({ db }) =>
  async ({ templateId, definition }, { metadata }) => {
    const show = (document: OwnTemplateDocument) => ({ template: toTemplate(knownOf(document), true) });
    const before = await findCreatedTemplate(db, metadata, templateId);
    if (before) return show(before);
    const checked = check(definition ?? {});
    if ((await countTemplates(db, metadata)) >= MOST)
      throw new DomainError('conflict', `A business can have at most ${MOST} templates. Delete one first.`);
    const document: OwnTemplateDocument = {
      ...{ _id: templateId, organization_id: metadata.organizationId, business_id: metadata.businessId },
      ...{ created_at: now(metadata.organizationId), definition: checked, deleted: false },
      preview_token: randomBytes(16).toString('base64url'),
    };
    try {
      await insertTemplate(db, document);
    } catch (error) {
      const winner = isDuplicateKey(error) ? await findCreatedTemplate(db, metadata, templateId) : null;
      if (!winner) throw error;
      return show(winner);
    }
    return show(document);
  };

/** The gateway checks the body by the same schema. @throws DomainError validation_failed with all problems */
function check(definition: object): Template {
  const parsed = templateSchema.safeParse(definition);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => ({
    param: path.join('.') || 'definition',
    code: 'validation_failed' as const,
    detail: `${path.join('.') || 'definition'} ${message}.`,
  }));
  const [first] = errors;
  throw new DomainError('validation_failed', first?.detail ?? 'This is not a template.', { param: first?.param, errors });
}
