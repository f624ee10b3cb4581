import type { DomainError } from '@fanfare/errors';
import { z } from 'zod';
import { parseBody } from './parse-body.ts';

const rejectionOf = (schema: z.ZodType, body: unknown) => {
  try {
    parseBody(schema)(body);
  } catch (error) {
    return error as DomainError;
  }
  throw new Error('It was let pass.');
};
const unknownFields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`field_${at}`, 1]));

test('a hundred problems are listed, and the rest is counted', () => {
  const empty = z.strictObject({});
  expect(rejectionOf(empty, unknownFields(100)).errors).toHaveLength(100);
  const { errors, param, detail } = rejectionOf(empty, unknownFields(4_000));
  expect([errors.length, param]).toEqual([100, 'field_0']);
  expect(detail).toContain('4000 problems in all: "errors" lists the first 100.');
});

test('a name as long as a body is shown by its beginning', () => {
  const { param, detail } = rejectionOf(z.strictObject({}), { ['x'.repeat(1_000_000)]: 1 });
  expect(param).toBe(`${'x'.repeat(199)}…`);
  expect(detail).toHaveLength(`Unknown field "${param}".`.length);
});
