import { messageOf } from './message-of.ts';

test("what is wrong with our own access is not told as if it were the customer's", () => {
  const said = messageOf({
    message: 'Your enrolled account does not have any credits.',
    detail: { status: 402, operator: 'credits_depleted' },
  });
  expect(said).toContain('This service has used up its own quota at the platform');
  expect(said).not.toContain('enrolled account');
});

test('what only an operator can mend is said to be that, with what the platform said', () => {
  const said = messageOf({ message: 'Unaudited clients post to private accounts.', detail: { operator: 'app_not_audited' } });
  expect(said).toMatch(/this service's own access.* Unaudited clients post to private accounts\.$/);
});

test("all else is said in the platform's words", () => {
  expect(messageOf({ message: 'Too long.', detail: { status: 400 } })).toBe('Too long.');
});
