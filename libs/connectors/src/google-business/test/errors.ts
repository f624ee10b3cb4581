import { type ErrorRow, type Errors, MINUTE, row, SECOND } from '../../../test/errors.ts';
import { googleError } from '../../google/test/errors.ts';

const businessRow = (code: number, status: string, ends: ErrorRow['ends'], more: Partial<ErrorRow> = {}, details: object[] = []) =>
  row(code, googleError(code, { status, ...(details.length > 0 && { details }) }), ends, more);

export const errors: Errors = {
  commit: { operation: 'google_business.create_post' },
  rows: [
    businessRow(401, 'UNAUTHENTICATED', 'token_expired'),
    businessRow(403, 'PERMISSION_DENIED', 'permission'),
    businessRow(400, 'INVALID_ARGUMENT', 'validation'),
    businessRow(404, 'NOT_FOUND', 'validation'),
    businessRow(409, 'ALREADY_EXISTS', 'duplicate'),
    businessRow(409, 'ABORTED', 'waits'),
    businessRow(429, 'RESOURCE_EXHAUSTED', 'waits', { waitMs: MINUTE }),
    businessRow(429, 'RESOURCE_EXHAUSTED', 'waits', { waitMs: 12 * SECOND }, [
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' },
    ]),
    row(429, googleError(429, { status: 'RESOURCE_EXHAUSTED' }, 'Quota exceeded: quota 0 QPM'), 'permission'),
    businessRow(500, 'INTERNAL', 'reconciles'),
    businessRow(503, 'UNAVAILABLE', 'reconciles'),
    businessRow(504, 'DEADLINE_EXCEEDED', 'reconciles'),
  ],
};
