import { timestampInput } from './timestamp.ts';

describe('timestampInput', () => {
  it.each([
    ['2026-08-06T09:30:00Z', '2026-08-06T09:30:00.000Z'],
    ['2026-08-06T09:30:00', '2026-08-06T09:30:00.000Z'],
    ['2026-08-06T09:30', '2026-08-06T09:30:00.000Z'],
    ['2026-08-06T09:30Z', '2026-08-06T09:30:00.000Z'],
    ['2026-08-06t09:30:00z', '2026-08-06T09:30:00.000Z'],
    ['2026-08-06T09:30:00.1234', '2026-08-06T09:30:00.123Z'],
    ['2026-08-06T09:30:00.5Z', '2026-08-06T09:30:00.500Z'],
    ['2026-08-06T09:30:00+02:00', '2026-08-06T07:30:00.000Z'],
    ['2026-08-06T09:30:00+0530', '2026-08-06T04:00:00.000Z'],
    ['2026-08-06T09:30-03', '2026-08-06T12:30:00.000Z'],
    ['2026-12-31T23:30:00-03:30', '2027-01-01T03:00:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('parses %s, as UTC if it has no offset', (given, read) => {
    expect(timestampInput().parse(given).toISOString()).toBe(read);
  });

  it.each([
    '2026-08-06',
    '06.08.2026',
    '1785000000',
    '',
    '2026-08-06 09:30:00Z',
    '2026-08-06T09:30:00 Z',
    '2026-08-06T09:30:00Z\n',
    '2026-8-6T09:30:00Z',
    '+012026-08-06T09:30:00Z',
  ])('rejects %j, which has another format', (given) => {
    expect(() => timestampInput().parse(given)).toThrow('must be an ISO 8601 date and time');
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2027-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-08-06T25:00:00Z',
    '2026-08-06T24:00:00Z',
    '2026-08-06T09:60Z',
  ])('rejects %j, which does not exist', (given) => {
    expect(() => timestampInput().parse(given)).toThrow('is not a valid date and time');
  });

  it.each(['0000-01-01T00:00:00Z', '1899-12-31T23:59:59Z', '2200-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2199-12-31T23:30:00-01:00'])(
    'rejects %j, which is out of range',
    (given) => {
      expect(() => timestampInput().parse(given)).toThrow('must be between the years 1900 and 2199');
    },
  );

  it.each(['2026-08-06T09:30:00+24:00', '2026-08-06T09:30:00+02:60'])('rejects the offset of %j', (given) => {
    expect(() => timestampInput().parse(given)).toThrow('has an invalid offset');
  });
});
