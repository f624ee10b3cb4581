import { type ErrorRow, MINUTE, row } from '../../../test/errors.ts';

export const graph = (code: number, error_subcode?: number, message = 'In words', more: object = {}) => ({
  error: { message, type: 'OAuthException', code, ...(error_subcode !== undefined && { error_subcode }), ...more },
});
export const graphRow = (
  ends: ErrorRow['ends'],
  [code, subcode, message]: readonly [number, (number | undefined)?, string?],
  more: Partial<ErrorRow> = {},
) => row(400, graph(code, subcode, message), ends, more);
export const inSevenMinutes = {
  headers: { 'x-business-use-case-usage': '{"1":[{"type":"pages","estimated_time_to_regain_access":7}]}' },
  waitMs: 7 * MINUTE,
};
export const untilTheHour = { headers: { date: 'Sat, 21 Nov 2026 10:48:00 GMT' }, waitMs: 12 * MINUTE };
