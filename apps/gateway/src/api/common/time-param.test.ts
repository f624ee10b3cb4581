import { timeParam } from './time-param.ts';

const param = timeParam('');

it.each(['0', '1', '-5', '20261101', '1754037000000'])('rejects the number %s', (given) => {
  expect(param.safeParse(given).error?.issues).toMatchObject([
    { message: 'must be an ISO 8601 date or time, or Unix seconds of 9 to 11 digits' },
  ]);
});

it.each([
  ['999999999', '2001-09-09T01:46:39.000Z'],
  ['1754037000', '2025-08-01T08:30:00.000Z'],
  ['2026-11-01', '2026-11-01T00:00:00.000Z'],
])('takes %s', (given, meant) => {
  expect(param.parse(given)).toEqual(new Date(meant));
});
