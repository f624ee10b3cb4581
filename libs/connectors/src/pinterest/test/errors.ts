import { type ErrorRow, type Errors, row, SECOND } from '../../../test/errors.ts';

const pinterestRow = (status: number, code: number, message: string, ends: ErrorRow['ends'], more: Partial<ErrorRow> = {}) =>
  row(status, { code, message }, ends, more);

export const errors: Errors = {
  commit: { operation: 'pinterest.create_pin', media: 'image', chosen: ['board_id'] },
  rows: [
    pinterestRow(401, 2, 'Authentication failed.', 'token_expired'),
    pinterestRow(403, 29, 'You are not permitted to access that resource.', 'permission'),
    pinterestRow(403, 7, 'Not permitted.', 'permission'),
    pinterestRow(400, 1, "Invalid request: 'abc' does not match '^\\\\d+$'", 'validation'),
    pinterestRow(400, 1, 'Invalid request: items is too long, maxItems=5', 'validation'),
    pinterestRow(400, 235, 'cover_image_url: one cover is required', 'validation'),
    pinterestRow(404, 40, 'Board not found.', 'validation'),
    pinterestRow(400, 88, 'Sorry! We blocked this link because it may lead to spam.', 'validation'),
    pinterestRow(400, 235, 'Unable to reach the URL.', 'waits'),
    pinterestRow(409, 0, 'This already exists.', 'duplicate'),
    pinterestRow(409, 0, 'Board section conflict.', 'waits'),
    pinterestRow(429, 8, 'You have exceeded your rate limit.', 'waits', { headers: { 'x-ratelimit-reset': '42' }, waitMs: 42 * SECOND }),
    pinterestRow(500, 11, 'Something went wrong.', 'reconciles'),
    pinterestRow(503, 0, 'Over capacity.', 'reconciles'),
  ],
};
