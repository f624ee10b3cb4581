import { type ErrorRow, type Errors, HOUR, row } from '../../../test/errors.ts';

const linkedinRow = (status: number, ends: ErrorRow['ends'], body: object, more: Partial<ErrorRow> = {}) =>
  row(status, { status, message: 'In words', ...body }, ends, more);

export const errors: Errors = {
  commit: { operation: 'linkedin.create_post' },
  rows: [
    ...['EXPIRED_ACCESS_TOKEN', 'REVOKED_ACCESS_TOKEN', 'INVALID_ACCESS_TOKEN'].map((code) => linkedinRow(401, 'token_expired', { code })),
    ...[65_600, 65_605].map((serviceErrorCode) => linkedinRow(401, 'token_expired', { serviceErrorCode })),
    linkedinRow(403, 'permission', { code: 'ACCESS_DENIED' }),
    linkedinRow(403, 'permission', { message: 'Not enough permissions to access: posts.CREATE' }),
    linkedinRow(403, 'permission', { serviceErrorCode: 65_604 }),
    ...['MISSING_FIELD', 'FIELD_LENGTH_TOO_LONG', 'ILLEGAL_ARGUMENT', 'INVALID_URN_TYPE'].map((code) =>
      linkedinRow(400, 'validation', { code }),
    ),
    linkedinRow(422, 'validation', { message: 'ERROR :: /colour :: unrecognized field found but not allowed' }),
    linkedinRow(422, 'validation', { message: 'ERROR :: /author :: field is required but not found' }),
    ...['MEDIA_ASSET_WAITING_UPLOAD', 'MEDIA_ASSET_PROCESSING'].map((code) => linkedinRow(400, 'waits', { code })),
    linkedinRow(400, 'media_processing_failed', { code: 'MEDIA_ASSET_PROCESSING_FAILED' }),
    linkedinRow(422, 'duplicate', { code: 'DUPLICATE_POST' }),
    linkedinRow(422, 'duplicate', { message: 'Content is a duplicate of another post' }),
    linkedinRow(426, 'validation', { code: 'NONEXISTENT_VERSION' }, { times: 4 }),
    linkedinRow(400, 'validation', { code: 'VERSION_MISSING' }),
    linkedinRow(429, 'waits', { code: 'TOO_MANY_REQUESTS' }, { headers: { date: 'Sat, 21 Nov 2026 21:30:00 GMT' }, waitMs: 2.5 * HOUR }),
    linkedinRow(409, 'waits', { code: 'CONFLICT' }),
    linkedinRow(400, 'waits', { message: 'Unable to obtain activity' }),
    linkedinRow(500, 'reconciles', { code: 'INTERNAL_SERVER_ERROR' }),
    linkedinRow(503, 'reconciles', {}),
  ],
};
