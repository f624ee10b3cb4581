import { timestampInput } from './timestamp.ts';

describe('timestampInput', () => {
  it.each([
    ['2026-08-06T09:30:00Z', '2026-08-06T09:30:00.000Z'],
    ['2026-08-06T09:30:00', '2026-08-06T09:30:00.000Z'],
    ['2026-08-06T09:30', '2026-08-06T09:30:00.000Z'],
    ['2026-08-06T09:30:00.1234', '2026-08-06T09:30:00.123Z'],
    ['2026-08-06T09:30:00+02:00', '2026-08-06T07:30:00.000Z'],
  ])('reads %s, as UTC where no offset is given', (given, read) => {
    expect(timestampInput().parse(given).toISOString()).toBe(read);
  });

  it.each(['2026-08-06', '06.08.2026', '2026-02-30T00:00:00Z', '2026-08-06T25:00:00Z', '1785000000', ''])('refuses %j', (given) => {
    expect(timestampInput().safeParse(given).success).toBe(false);
  });
});
