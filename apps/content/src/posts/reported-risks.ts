import type { Risk } from '@fanfare/contracts/content';
import { canBeAtRisk } from '../preflight/risks-of.ts';
import { QUEUE_PAUSED } from '../queues/queue-risk.ts';
import type { PostDocument } from './post.ts';
import { withField } from './with-field.ts';

/**
 * Stores the current risks in the post, so that lists find it, and that an event reports each once for as long as it lasts.
 * @param reported the risks that were reported before
 * @returns the post, and whether an event must report one of its risks now
 */
export function withReportedRisks(
  post: PostDocument,
  risks: readonly Risk[],
  reported: readonly string[] = [],
): { readonly post: PostDocument; readonly isNew: boolean } {
  const noted = canBeAtRisk(post) ? risks : [];
  const keys = [...new Set(noted.map(keyOf))].sort();
  const isSame = JSON.stringify(keys) === JSON.stringify(post.risks_told ?? []);
  return {
    post: isSame ? post : withField(post, 'risks_told', keys.length > 0 ? keys : undefined),
    isNew: noted.some((risk) => isReported(risk) && !reported.includes(keyOf(risk))),
  };
}

/** What was reported while the post has been waiting or held. */
export const reportedRisks = (post: PostDocument): readonly string[] => (canBeAtRisk(post) ? (post.risks_told ?? []) : []);

/** Whoever pauses a queue knows it: one decision must not be an event of each of its posts. */
const isReported = ({ code }: Risk): boolean => code !== QUEUE_PAUSED;

/** Details with a value change with every edit of the text; others say which account it is. */
const keyOf = ({ code, platform = '', field = '', mediaId = '', value, detail }: Risk): string =>
  [code, platform, field, mediaId, ...(value === undefined ? [detail] : [])].join(' ');
