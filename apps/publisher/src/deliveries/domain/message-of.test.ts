import { messageOf } from './message-of.ts';

test("a problem of our own access is not reported as the customer's", () => {
  const said = messageOf({
    message: 'Your enrolled account does not have any credits.',
    detail: { status: 402, operator: 'credits_depleted' },
  });
  expect(said).toContain('This service has used up its own quota at the platform');
  expect(said).not.toContain('enrolled account');
});

test('a problem that only an operator can fix is reported as such, with the message of the platform', () => {
  const said = messageOf({ message: 'Unaudited clients post to private accounts.', detail: { operator: 'app_not_audited' } });
  expect(said).toMatch(/this service's own access.* Unaudited clients post to private accounts\.$/);
});

test('every other failure is reported with the message of the platform', () => {
  expect(messageOf({ message: 'Too long.', detail: { status: 400 } })).toBe('Too long.');
});
