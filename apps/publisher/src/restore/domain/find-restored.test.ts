import type { Finding, State } from '@fanfare/connectors';
import { findRestored } from './find-restored.ts';

const post = { publishId: '1', state: {} };
const none: Finding = { proof: 'none', candidates: [] };
const reading = (own: Finding, listed: Finding) => async (state: State) => (Object.keys(state).length > 0 ? own : listed);

test.each<[string, Finding, Finding, State, Finding]>([
  [
    'its container was published',
    { proof: 'published', candidates: [post] },
    none,
    { container: 'a' },
    { proof: 'published', candidates: [post] },
  ],
  [
    'another container was published',
    { proof: 'not_published', candidates: [] },
    { proof: 'none', candidates: [post] },
    { container: 'a' },
    { proof: 'none', candidates: [post] },
  ],
  ['neither', { proof: 'not_published', candidates: [] }, none, { container: 'a' }, { proof: 'not_published', candidates: [] }],
  ['it had not begun', none, none, {}, none],
  ['it had not begun, and is listed', none, { proof: 'none', candidates: [post] }, {}, { proof: 'none', candidates: [post] }],
])('%s', async (_what, own, listed, state, finding) => {
  expect(await findRestored(reading(own, listed), state)).toEqual(finding);
});
