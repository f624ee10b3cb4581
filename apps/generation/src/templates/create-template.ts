import { randomBytes } from 'node:crypto';
import type { CreateTemplateRequest } from '@fanfare/contracts/generation';
import { DomainError } from '@fanfare/errors';
import { isDuplicateKey } from '@fanfare/mongo';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { countTemplates, findCreatedTemplate, insertTemplate, type OwnTemplateDocument } from './store/own-templates.ts';
import { templateSchema, type Template } from './template.ts';

const MOST = 200;
const MOST_PROBLEMS = 20;

/** Creates a custom template. A repeated create returns the stored template. */
export async function createTemplate(
  { db }: Pick<Context, 'db'>,
  { templateId, definition }: CreateTemplateRequest,
  metadata: CallMetadata,
): Promise<OwnTemplateDocument> {
  const before = await findCreatedTemplate(db, metadata, templateId);
  if (before) return before;
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
    return winner;
  }
  return document;
}

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
