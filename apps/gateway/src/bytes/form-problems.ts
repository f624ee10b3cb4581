import { DomainError, type ErrorCode, type FieldError } from '@fanfare/errors';
import type { z } from 'zod';
import { howMany, parseBody } from '../http/request/parse-body.ts';

/** Collects the parts of a form while they arrive, and their problems. */
interface FormProblems {
  /** Adds a text part. Returns false if the form has a part of this name already; the first one counts. */
  field(name: string | undefined, value: string): boolean;
  /** Adds a file part. Returns true if it is the expected one, and there are no problems so far. */
  file(name: string | undefined): boolean;
  tooMany(): void;
  fields(): Record<string, string>;
  /** @throws DomainError with all problems */
  check(): void;
}

/** Placeholder for the bytes of the part `file`, which are read elsewhere. */
const BYTES = {};

export function formProblems(parts: z.ZodObject): FormProblems {
  const parse = parseBody(parts);
  const given = new Map<string, unknown>();
  const found: FieldError[] = [];
  const note = (param: string, detail: string, code: ErrorCode = 'validation_failed') => found.push({ param, code, detail });
  const isPart = (name: string) => Object.hasOwn(parts.shape, name);
  let isTooMany = false;

  const all = (): readonly FieldError[] => {
    try {
      parse(Object.fromEntries(given));
      return found;
    } catch (error) {
      return error instanceof DomainError ? [...error.errors, ...found] : found;
    }
  };

  return {
    field(name = '', value) {
      if (name === 'file') note(name, 'The part "file" must have a file name.');
      if (given.has(name)) return (note(name, `${name} is sent twice.`), false);
      if (given.get('file') === BYTES && isPart(name))
        note(name, `Send "file" last; later fields are rejected. ${name} must come before it.`, 'invalid_request');
      given.set(name, value);
      return true;
    },
    file(name = '') {
      if (name !== 'file' && isPart(name)) note(name, `${name} must not be a file.`);
      if (given.has(name)) return (note(name, name === 'file' ? 'Send one file.' : `${name} is sent twice.`), false);
      given.set(name, BYTES);
      return name === 'file' && all().length === 0;
    },
    tooMany() {
      if (!isTooMany) note('', 'The form has too many parts.');
      isTooMany = true;
    },
    fields: () => Object.fromEntries([...given].filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    check() {
      const errors = all();
      const [first] = errors;
      if (!first) return;
      const worst = WORST_FIRST.map((code) => errors.find((error) => error.code === code)).find(Boolean) ?? first;
      throw new DomainError(worst.code, `${worst.detail}${howMany(errors.length)}`, { param: worst.param || undefined, errors });
    },
  };
}

/** Invalid parts are reported before missing ones, and those before parts in the wrong position. */
const WORST_FIRST: readonly ErrorCode[] = ['validation_failed', 'missing_field', 'invalid_request'];
