import { aContent } from '../../test/a-content.ts';
import { checkContent } from '../checks/check-content.ts';
import { linkedin } from './index.ts';

const PAGE = 'urn:li:organization:55';
const PERSON = 'urn:li:person:abc';

test.each([
  ['CONNECTIONS', PAGE, ['options.visibility']],
  ['PUBLIC', PAGE, []],
  ['LOGGED_IN', PAGE, []],
  ['CONNECTIONS', PERSON, []],
  // Nobody knows yet where it goes.
  ['CONNECTIONS', undefined, []],
])('%s on %s: %j', (visibility, accountId, fields) => {
  const kind = accountId === undefined ? undefined : linkedin.accountKind?.(accountId);
  expect(checkContent(linkedin, aContent({ options: { visibility } }), kind).map(({ field }) => field)).toEqual(fields);
});
