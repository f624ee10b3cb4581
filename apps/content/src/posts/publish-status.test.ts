import type { PostDocument, ResultDocument } from './post.ts';
import { publishStatusOf } from './publish-status.ts';

const result = (state: string): ResultDocument => {
  const [status = '', errorType] = state.split(' ');
  return { status: `PUBLISH_RESULT_STATUS_${status}`, errorType } as ResultDocument;
};
const last_failure = { error_type: 'permission_denied', detail: 'No account.', at: new Date(0) };

test.each([
  ['was never sent', [], {}, undefined],
  ['could not be sent at all', [], { last_failure }, 'FAILED'],
  ['is still being sent to one account', ['SUCCESS', 'PENDING', 'FAILED unknown_outcome'], {}, 'SENDING'],
  ['is everywhere', ['SUCCESS', 'SUCCESS'], {}, 'SUCCEEDED'],
  ['succeeded on one account', ['SUCCESS', 'FAILED rate_limited'], {}, 'PARTIALLY_FAILED'],
  ['was published early to one account, and could not be sent to the others', ['SUCCESS'], { last_failure }, 'PARTIALLY_FAILED'],
  ['failed on every account', ['FAILED rate_limited', 'FAILED validation_failed'], {}, 'FAILED'],
  ['has an ambiguous commit', ['SUCCESS', 'FAILED validation_failed', 'FAILED unknown_outcome'], {}, 'IN_DOUBT'],
])('a post that %s', (_what, results, more, expected) => {
  const post = { publish_results: results.map(result), ...more } as PostDocument;
  expect(publishStatusOf(post)).toBe(expected && `PUBLISH_STATUS_${expected}`);
});
