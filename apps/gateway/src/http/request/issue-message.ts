import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be an array',
  tuple: 'must be an array',
  object: 'must be an object',
  record: 'must be an object',
  date: 'must be a date',
  null: 'must be null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an email address',
  url: 'must be a URL',
  uuid: 'must be a UUID',
  datetime: 'must be an ISO 8601 date and time',
  date: 'must be a date such as 2026-08-06',
  regex: 'has the wrong format',
};

/**
 * What is wrong with a value, as the end of a sentence that begins with its name. Replaces the validator's messages; a message that a schema
 * defines itself takes precedence.
 */
export function issueMessage(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `${TYPES[issue.expected] ?? 'has the wrong type'}${issue.input === null ? ', and not null' : ''}`;
    case 'invalid_value':
      return issue.values.length === 1 ? `must be ${quoted(issue.values[0])}` : `must be one of ${issue.values.map(quoted).join(', ')}`;
    case 'too_big':
      return bound('most', issue.origin, Number(issue.maximum));
    case 'too_small':
      return issue.origin === 'string' && Number(issue.minimum) === 1
        ? 'must not be empty'
        : bound('least', issue.origin, Number(issue.minimum));
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'has the wrong format';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_union':
      return 'does not match any of the accepted types';
    default:
      return 'is not valid';
  }
}

/** The whole sentence. */
export const issueSentence = (name: string, message: string): string => `${name} ${message}${message.endsWith('.') ? '' : '.'}`;

function bound(which: 'most' | 'least', origin: string, limit: number): string {
  if (origin === 'string') return `must have at ${which} ${limit} characters`;
  if (origin === 'array' || origin === 'set') return `must have at ${which} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  if (origin === 'object') return `must have at ${which} ${limit} members`;
  return `must be at ${which} ${limit}`;
}

const quoted = (value: unknown) => (typeof value === 'string' ? `"${value}"` : String(value));
