import type { Post, PublishResult } from '@fanfare/contracts/content';
import { platformLabel } from '@fanfare/connectors/platform';
import type { Context } from '../../context.ts';
import type { MailItem } from '../mail/templates/template.ts';
import type { FailureDocument, NoticeDocument } from '../store/notices.ts';
import { readServices, type ServiceReader } from './read-services.ts';
import { neutral } from './neutral.ts';
import { inWords } from './reasons.ts';

const MAX_CAPTION = 80;
const MAX_NAME = 60;
const MAX_MESSAGE = 300;
/** The most accounts that are listed for one post. */
const MAX_FAILURES = 10;

/** Describes notices with the current data of the services. */
interface Descriptions {
  /** Whether the account still has to be reconnected, or the post is still missing on an account: people may have solved it before the mail is written. */
  isCurrent(notice: NoticeDocument): Promise<boolean>;
  item(notice: NoticeDocument): Promise<MailItem>;
}

/** @returns descriptions that cache the responses of the services, for one digest */
export function describeNotices(context: Pick<Context, 'content' | 'publisher'>): Descriptions {
  const services = readServices(context);
  return {
    async isCurrent(notice) {
      if (notice.kind === 'post_failed') return failuresNow(await services.post(notice), notice).length > 0;
      return (await services.account(notice, notice.subject_id))?.status === 'INTEGRATION_STATUS_EXPIRED';
    },
    item: (notice) => (notice.kind === 'post_failed' ? aPost(services, notice) : anAccount(services, notice)),
  };
}

async function aPost(services: ServiceReader, notice: NoticeDocument): Promise<MailItem> {
  const post = await services.post(notice);
  const published = post?.publishResults.filter(({ status }) => status === 'PUBLISH_RESULT_STATUS_SUCCESS').length ?? 0;
  const lines = [];
  const failures = failuresNow(post, notice);
  for (const failure of failures.slice(0, MAX_FAILURES)) lines.push(await aFailure(services, notice, failure));
  const unnamed = failures.length - lines.length;
  if (unnamed > 0) lines.push(`And ${unnamed === 1 ? '1 more account' : `${unnamed} more accounts`}.`);
  if (published > 0) lines.push(`It was published to ${published === 1 ? '1 other account' : `${published} other accounts`}.`);
  return {
    title: `${nameOf(post?.caption)} in ${await business(services, notice)}`,
    lines,
    path: `/businesses/${notice.business_id}/posts/${notice.subject_id}`,
  };
}

/** The failures that are still current: without those that a newer result has replaced, because the account has the post or is being sent it again. */
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

async function aFailure(
  services: ServiceReader,
  notice: NoticeDocument,
  { platform, integration_id, error_type, message }: FailureDocument,
) {
  const account = integration_id === '' ? undefined : await services.account(notice, integration_id);
  const name = account ? neutral(account.displayName || account.username, MAX_NAME) : '';
  const where = [platform === '' ? 'Every account' : platformLabel(platform), name].filter(Boolean).join(', ');
  const reason = neutral(message, MAX_MESSAGE);
  return `${where}: ${inWords(error_type)}${reason === '' ? '' : ` Reason: ${reason}`}`;
}

async function anAccount(services: ServiceReader, notice: NoticeDocument): Promise<MailItem> {
  const account = await services.account(notice, notice.subject_id);
  const name = neutral(account?.displayName || account?.username || '', MAX_NAME);
  const reason = neutral(account?.lastError ?? '', MAX_MESSAGE);
  return {
    title: `${['Account', platformLabel(account?.platform ?? ''), name].filter(Boolean).join(' ')} in ${await business(services, notice)}`,
    lines: [
      `Its access has expired. Reconnect it, otherwise posts to it fail.${reason === '' ? '' : ` Reason: ${reason}`}`,
      'It keeps its settings and its scheduled posts.',
    ],
    path: `/businesses/${notice.business_id}/integrations/${notice.subject_id}/reconnect`,
  };
}

const business = async (services: ServiceReader, notice: NoticeDocument) =>
  neutral((await services.business(notice))?.name ?? '', MAX_NAME);
