import { DomainError, type ErrorCode, type FieldError } from '@fanfare/errors';
import type { z } from 'zod';
import { howMany, parseBody } from '../http/request/parse-body.ts';

/** The parts of a form as they come, and all that is wrong with them. */
interface FormProblems {
  /** Notes a part that is text. False when there was one of that name, which counts. */
  field(name: string | undefined, value: string): boolean;
  /** Notes a part that is a file. True when it is the one that is asked for, and nothing is wrong so far. */
  file(name: string | undefined): boolean;
  tooMany(): void;
  fields(): Record<string, string>;
  /** @throws DomainError that lists every problem */
  check(): void;
}

/** Stands for the bytes of the part `file`, which are read elsewhere. */
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

/** What is misshapen comes before what is missing, and that before what stands at the wrong place. */
const WORST_FIRST: readonly ErrorCode[] = ['validation_failed', 'missing_field', 'invalid_request'];
