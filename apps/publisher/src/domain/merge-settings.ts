import { connectorFor, type Options, type Platform } from '@fanfare/connectors';
import { DomainError, type FieldError } from '@fanfare/errors';
import type { z } from 'zod';

/**
 * An account's settings after a change of some: null removes a member, what is not named stays.
 * @throws DomainError validation_failed that names each member that the platform has not, or not so: `settings.board_id`
 */
export function mergeSettings(platform: Platform, before: Options, change: Options): Record<string, unknown> {
  const given = Object.entries(optionsOver(before, change)).filter(([, value]) => value !== null && value !== undefined);
  const merged = Object.fromEntries(given);
  const { error } = connectorFor(platform).options.safeParse(merged);
  if (!error) return merged;
  const errors = error.issues.flatMap(toFieldErrors);
  const [first] = errors;
  throw new DomainError('validation_failed', first?.detail ?? 'The settings do not fit this platform.', { param: first?.param, errors });
}

/** What belongs to another option's value: another value leaves it behind. */
const BELONGS_TO: Readonly<Record<string, string>> = { board_section_id: 'board_id' };

/** Some options over others: a post's own over its account's settings. */
export function optionsOver(settings: Options, options: Options): Options {
  const isKept = (name: string) => {
    const owner = BELONGS_TO[name];
    return owner === undefined || options[owner] === undefined || options[owner] === settings[owner];
  };
  return { ...Object.fromEntries(Object.entries(settings).filter(([name]) => isKept(name))), ...options };
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
  return names.map((name) => {
    const param = ['settings', ...issue.path.map(String), ...(name === undefined ? [] : [name])].join('.');
    const detail = name === undefined ? `"${param}": ${issue.message}.` : `This platform has no setting "${name}".`;
    return { param, code: 'validation_failed', detail };
  });
}
