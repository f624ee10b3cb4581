import { fromBinary, createFileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { readDescriptorSet } from '@fanfare/contracts/descriptors';
import { codeOfReason, DomainError, ERROR_TABLE, wireReason, type ErrorCode } from './index.ts';

const codes = Object.keys(ERROR_TABLE) as ErrorCode[];

test('every reason of the protos has exactly one code, and the other way round', () => {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, readDescriptorSet()));
  const reasons = registry
    .getEnum('fanfare.errors.v1.ErrorReason')!
    .values.map(({ name }) => name)
    .filter((name) => !name.endsWith('_UNSPECIFIED'));
  expect(codes.map((code) => ERROR_TABLE[code].reason).sort()).toEqual(reasons.sort());
});

test.each(codes)('%s comes back from the name that it has on the wire', (code) => {
  expect(wireReason(code)).toBe(code.toUpperCase());
  expect(codeOfReason(wireReason(code))).toBe(code);
});

test.each(codes)('%s has an HTTP status that fits its gRPC status: who was wrong stays the same', (code) => {
  const { httpStatus, grpcStatus } = ERROR_TABLE[code];
  const serverIsToBlame = [13, 14].includes(grpcStatus);
  expect(httpStatus >= 500).toBe(serverIsToBlame);
  expect(httpStatus).toBeGreaterThanOrEqual(400);
  expect(grpcStatus).toBeGreaterThan(0);
  expect(grpcStatus).toBeLessThanOrEqual(16);
});

test('a reason of a newer process is known as unknown', () => {
  for (const reason of ['OF_TOMORROW', '', 'missing_field', 'ERROR_REASON_MISSING_FIELD', '__proto__']) {
    expect(codeOfReason(reason)).toBeUndefined();
  }
});

test('what the operator must know is the cause, and no part of what the caller may know', () => {
  const cause = new Error('secret-host failed');
  const error = new DomainError('internal_error', 'Something went wrong on our side.', { cause });
  expect(error.cause).toBe(cause);
  expect(error.detail).toBe('Something went wrong on our side.');
  expect(error.message).not.toContain('secret-host');
  expect('cause' in new DomainError('invalid_value', 'No.')).toBe(false);
});
