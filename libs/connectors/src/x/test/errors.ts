import { DAY, type ErrorRow, type Errors, MINUTE, row } from '../../../test/errors.ts';

const problem = (status: number, ends: ErrorRow['ends'], type: string, detail: string, more: Partial<ErrorRow> = {}) =>
  row(status, { type: type === '' ? 'about:blank' : `https://api.x.com/2/problems/${type}`, title: 'No', detail, status }, ends, more);
const atTenPastThree = { date: 'Sat, 21 Nov 2026 15:00:00 GMT', 'x-rate-limit-reset': String(Date.parse('2026-11-21T15:10:00Z') / 1_000) };

export const errors: Errors = {
  commit: { operation: 'x.create_post' },
  rows: [
    problem(401, 'token_expired', '', 'Unauthorized'),
    problem(403, 'permission', 'client-forbidden', 'No'),
    problem(403, 'permission', 'not-authorized-for-resource', 'No'),
    problem(403, 'permission', '', 'Unsupported Authentication'),
    problem(403, 'permission', '', 'You are not permitted to access this feature'),
    problem(403, 'permission', '', 'You are not permitted to perform this action.'),
    problem(403, 'duplicate', '', 'You are not allowed to create a Tweet with duplicate content.'),
    problem(400, 'validation', 'invalid-request', 'One or more parameters are invalid'),
    problem(400, 'validation', '', 'maximum of 4 items'),
    problem(402, 'permission', 'credits', 'CreditsDepleted'),
    problem(429, 'waits', '', 'Too Many Requests', { headers: atTenPastThree, waitMs: 10 * MINUTE }),
    problem(429, 'waits', 'rate-limit-exceeded', 'Slow down', { waitMs: 15 * MINUTE }),
    problem(403, 'waits', 'usage-capped', 'Monthly cap', { waitMs: DAY }),
    problem(429, 'waits', 'usage-capped', 'Monthly cap', { waitMs: DAY }),
    ...[500, 502, 503, 504].map((status) => problem(status, 'reconciles', '', 'Over capacity')),
  ],
};
