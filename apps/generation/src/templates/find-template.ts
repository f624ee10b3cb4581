import { notFound } from '@fanfare/errors';
import type { Db } from 'mongodb';
import type { Scope } from '../scope.ts';
import { BUILTIN_TEMPLATES } from './builtin-templates.ts';
import { findCreatedTemplate, type OwnTemplateDocument } from './store/own-templates.ts';
import type { Template } from './template.ts';

/** A template that a business can use. */
export interface KnownTemplate {
  readonly id: string;
  readonly definition: Template;
  /** Undefined for built-in templates. */
  readonly own: OwnTemplateDocument | undefined;
}

/** @throws DomainError resource_not_found */
export async function getTemplate(db: Db, scope: Scope, id: string): Promise<KnownTemplate> {
  const found = await findTemplate(db, scope, id);
  if (!found) throw notFound('template');
  return found;
}

/** A built-in template, or a custom one of this business. */
export async function findTemplate(db: Db, scope: Scope, id: string): Promise<KnownTemplate | undefined> {
  const builtin = BUILTIN_TEMPLATES.get(id);
  if (builtin) return { id, definition: builtin, own: undefined };
  const own = await findCreatedTemplate(db, scope, id);
  return own && !own.deleted ? knownOf(own) : undefined;
}

export const knownOf = (own: OwnTemplateDocument): KnownTemplate => ({ id: own._id, definition: own.definition, own });

export const BUILTIN_KNOWN: readonly KnownTemplate[] = [...BUILTIN_TEMPLATES].map(([id, definition]) => ({
  id,
  definition,
  own: undefined,
}));
