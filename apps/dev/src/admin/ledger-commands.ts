import type { LedgerProblem } from '@fanfare/contracts/timeline';
import type { Operator } from '@fanfare/stack';
import type { Command } from 'commander';
import { asOperator, Reported } from './operator/as-operator.ts';

/** A page is a few thousand entries. */
const TIMEOUT_MS = 60_000;

/** The timelines of posts. */
export function ledgerCommands(admin: Command): void {
  admin
    .command('ledger')
    .description('the entries of which the timelines of posts are made')
    .command('verify')
    .description(
      'find entries that were changed or reordered, or are missing; fails if there are any, and names the first one of each chain',
    )
    .option('--organization <id>', 'only those of an organization')
    .option('--post <id>', 'only those about a post, without the anchors')
    .action(asOperator(verify));
}

interface VerifyOptions {
  readonly organization?: string;
  readonly post?: string;
}

async function verify(operator: Operator, options: VerifyOptions): Promise<unknown> {
  const content = await verifyService(operator, 'content', options);
  const publisher = await verifyService(operator, 'publisher', options);
  const problems = [...content.problems, ...publisher.problems];
  const isNothing = [content, publisher].every(({ checked }) => checked.entries + checked.anchors === 0);
  const [option] = Object.entries(options).map(([name, id]) => `--${name} ${id}`);
  // A mistyped id must not look like a proof. What was erased has left an anchor.
  const isUnknown = option !== undefined && isNothing;
  const report = {
    intact: problems.length === 0 && !isUnknown,
    checked: { content: content.checked, publisher: publisher.checked },
    problems,
  };
  if (problems.length > 0)
    throw new Reported(
      report,
      problems.length === 1
        ? 'The entries of a chain are not what was written.'
        : `The entries of ${problems.length} chains are not what was written.`,
    );
  if (isUnknown) throw new Reported(report, `There are no entries for ${option}.`);
  return report;
}

async function verifyService(operator: Operator, service: 'content' | 'publisher', { organization, post }: VerifyOptions) {
  const checked = { entries: 0, chains: 0, anchors: 0 };
  // An entry that is missing may be found from several sides: the first problem of each chain is enough.
  const problems = new Map<string, LedgerProblem & { service: string }>();
  for (let pageToken: string | undefined; pageToken !== '';) {
    const request = { organizationId: organization, postId: post, pageToken: pageToken ?? '' };
    const page = await operator[service].verifyLedger(request, { ...operator.as(), timeoutMs: TIMEOUT_MS });
    checked.entries += page.entries;
    checked.chains += page.chains;
    checked.anchors += page.anchors;
    for (const one of page.problems) if (!problems.has(one.chain)) problems.set(one.chain, { service, ...one });
    pageToken = page.nextPageToken;
  }
  return { checked, problems: [...problems.values()] };
}
