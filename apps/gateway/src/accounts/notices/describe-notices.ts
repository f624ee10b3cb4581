import type { Post, PublishResult } from '@fanfare/contracts/content';
import { platformLabel } from '@fanfare/connectors/platform';
import type { Context } from '../../context.ts';
import type { LetterItem } from '../mail/templates/template.ts';
import type { FailureDocument, NoticeDocument } from '../store/notices.ts';
import { askServices, type Asked } from './ask-services.ts';
import { neutral } from './neutral.ts';
import { inWords } from './reasons.ts';

const MAX_CAPTION = 80;
const MAX_NAME = 60;
const MAX_MESSAGE = 300;
/** Of the accounts that one post did not go to as many are named. */
const MAX_FAILURES = 10;

/** Says what notices tell of, as it is now. */
interface Descriptions {
  /** Whether an account still has to be reconnected, or a post still lacks an account: people may have seen to it before the mail is written. */
  isStillSo(notice: NoticeDocument): Promise<boolean>;
  item(notice: NoticeDocument): Promise<LetterItem>;
}

/** @returns what remembers the responses of the services, for one digest */
export function describeNotices(context: Pick<Context, 'content' | 'publisher'>): Descriptions {
  const ask = askServices(context);
  return {
    async isStillSo(notice) {
      if (notice.kind === 'post_failed') return failuresNow(await ask.post(notice), notice).length > 0;
      return (await ask.account(notice, notice.subject_id))?.status === 'INTEGRATION_STATUS_EXPIRED';
    },
    item: (notice) => (notice.kind === 'post_failed' ? aPost(ask, notice) : anAccount(ask, notice)),
  };
}

async function aPost(ask: Asked, notice: NoticeDocument): Promise<LetterItem> {
  const post = await ask.post(notice);
  const published = post?.publishResults.filter(({ status }) => status === 'PUBLISH_RESULT_STATUS_SUCCESS').length ?? 0;
  const lines = [];
  const failures = failuresNow(post, notice);
  for (const failure of failures.slice(0, MAX_FAILURES)) lines.push(await aFailure(ask, notice, failure));
  const unnamed = failures.length - lines.length;
  if (unnamed > 0) lines.push(`And ${unnamed === 1 ? '1 more account' : `${unnamed} more accounts`}.`);
  if (published > 0) lines.push(`It was published to ${published === 1 ? '1 other account' : `${published} other accounts`}.`);
  return {
    title: `${nameOf(post?.caption)} in ${await business(ask, notice)}`,
    lines,
    path: `/businesses/${notice.business_id}/posts/${notice.subject_id}`,
  };
}

/** Without those whose place another result has taken since: the account has the post, or is being sent it again. */
function failuresNow(post: Post | undefined, { failures }: NoticeDocument): FailureDocument[] {
  if (!post) return failures;
  const { publishResults: results, lastFailure } = post;
  const hasFailed = (result: PublishResult | undefined) => !result || result.status === 'PUBLISH_RESULT_STATUS_FAILED';
  return failures.filter(({ platform, integration_id }) =>
    platform === ''
      ? lastFailure !== undefined || results.length === 0
      : hasFailed(results.find((result) => result.platform === platform && result.integrationId === integration_id)),
  );
}

function nameOf(caption: string | undefined): string {
  if (caption === undefined) return 'A deleted post';
  const short = neutral(caption, MAX_CAPTION);
  return short === '' ? 'A post without a caption' : `“${short}”`;
}

async function aFailure(ask: Asked, notice: NoticeDocument, { platform, integration_id, error_type, message }: FailureDocument) {
  const account = integration_id === '' ? undefined : await ask.account(notice, integration_id);
  const name = account ? neutral(account.displayName || account.username, MAX_NAME) : '';
  const where = [platform === '' ? 'Every account' : platformLabel(platform), name].filter(Boolean).join(', ');
  const said = neutral(message, MAX_MESSAGE);
  return `${where}: ${inWords(error_type)}${said === '' ? '' : ` Reason: ${said}`}`;
}

async function anAccount(ask: Asked, notice: NoticeDocument): Promise<LetterItem> {
  const account = await ask.account(notice, notice.subject_id);
  const name = neutral(account?.displayName || account?.username || '', MAX_NAME);
  const said = neutral(account?.lastError ?? '', MAX_MESSAGE);
  return {
    title: `${['Account', platformLabel(account?.platform ?? ''), name].filter(Boolean).join(' ')} in ${await business(ask, notice)}`,
    lines: [
      `Its access has expired. Reconnect it, otherwise posts to it fail.${said === '' ? '' : ` Reason: ${said}`}`,
      'It keeps its settings and its scheduled posts.',
    ],
    path: `/businesses/${notice.business_id}/integrations/${notice.subject_id}/reconnect`,
  };
}

const business = async (ask: Asked, notice: NoticeDocument) => neutral((await ask.business(notice))?.name ?? '', MAX_NAME);
