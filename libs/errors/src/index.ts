export { DomainError, notFound, type FieldError } from './domain-error.ts';
export { codeOfReason, ERROR_TABLE, wireReason, type ErrorCode } from './error-table.ts';
