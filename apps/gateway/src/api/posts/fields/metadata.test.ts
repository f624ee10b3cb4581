import type { DomainError } from '@fanfare/errors';
import { z } from 'zod';
import { parseBody } from '../../../http/request/parse-body.ts';
import { metadataInput } from './metadata.ts';

const rejectionOf = (metadata: object) => {
  try {
    parseBody(z.strictObject({ metadata: metadataInput() }))({ metadata });
  } catch (error) {
    return error as DomainError;
  }
  throw new Error('It was accepted.');
};

test('the error shows only the start of a very long key', () => {
  const { param, errors } = rejectionOf({ ['x'.repeat(1_000_000)]: 'y' });
  expect(param).toBe(`metadata.${'x'.repeat(190)}…`);
  expect(JSON.stringify(errors).length).toBeLessThan(1_000);
});

test('too many pairs are reported as one problem', () => {
  const { errors } = rejectionOf(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`field_${at}`, 1])));
  expect(errors).toEqual([{ param: 'metadata', code: 'validation_failed', detail: 'metadata has more than 200 keys.' }]);
});
