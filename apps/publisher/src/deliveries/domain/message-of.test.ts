import { finalMessageOf, messageOf } from './message-of.ts';

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

test('what is given up says so, and not that it is only for a moment', () => {
  const failure = { message: 'The platform is failing, so it is not called for a short time.', detail: {} };
  expect(finalMessageOf({ ...failure, class: 'transient', effect: 'not_sent' })).toBe(
    'Given up: the platform could not be reached for too long.',
  );
  const response = { message: 'Service unavailable.', detail: { status: 503 } };
  expect(finalMessageOf({ ...response, class: 'transient', effect: 'rejected' })).toBe(
    'Given up after several attempts. The last one failed: Service unavailable.',
  );
  expect(finalMessageOf({ ...response, class: 'validation', effect: 'rejected' })).toBe('Service unavailable.');
});
