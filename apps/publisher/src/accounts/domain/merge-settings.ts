import { connectorFor, type Options, type Platform } from '@fanfare/connectors';
import { optionsOver } from '@fanfare/connectors/preflight';
import { DomainError, type FieldError } from '@fanfare/errors';
import type { z } from 'zod';

/**
 * An account's settings after a partial change: null removes a member; members that are not named stay.
 * @throws DomainError validation_failed, which names each invalid member: `settings.board_id`
 */
export function mergeSettings(platform: Platform, before: Options, change: Options): Record<string, unknown> {
  const given = Object.entries(optionsOver(before, change)).filter(([, value]) => value !== null && value !== undefined);
  const merged = Object.fromEntries(given);
  const { error } = connectorFor(platform).options.safeParse(merged);
  if (!error) return merged;
  const errors = error.issues.flatMap(toFieldErrors);
  const [first] = errors;
  throw new DomainError('validation_failed', first?.detail ?? 'The settings are not valid for this platform.', {
    param: first?.param,
    errors,
  });
}

function toFieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const names = issue.code === 'unrecognized_keys' ? issue.keys : [undefined];
  return names.map((name) => {
    const param = ['settings', ...issue.path.map(String), ...(name === undefined ? [] : [name])].join('.');
    const detail = name === undefined ? `"${param}": ${issue.message}.` : `This platform has no setting "${name}".`;
    return { param, code: 'validation_failed', detail };
  });
}
