import type { DeadLetter, DeadLetterFilter, ReplayDeadLettersRequest } from '@fanfare/contracts/gateway';
import type { Operator } from '@fanfare/stack';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { asOperator, Reported } from './operator/as-operator.ts';
import { pageSize } from './values/counts.ts';

/** A call reads all dead letters of Kafka. */
const TIMEOUT_MS = 90_000;

/** The services that handle events. */
const CONSUMERS = ['gateway', 'content', 'library', 'publisher', 'analytics', 'webhooks'];

/** Events that services could not handle. */
export function deadLetterCommands(admin: Command): void {
  const letters = admin.command('dead-letters').description('events that a service could not handle');
  filtered(letters.command('list').description('list dead letters, newest first; next_page_token continues the list'))
    .option('--replayed', 'only those that were replayed')
    .option('--not-replayed', 'only those that were not')
    .option('--limit <count>', 'how many, at most 100', pageSize, 20)
    .option('--page-token <token>', 'next_page_token of the previous page', '')
    .action(
      asOperator(
        async (
          operator,
          { replayed, notReplayed, limit: pageSize, pageToken, ...filter }: FilterOptions & ListOptions,
        ): Promise<unknown> => {
          const wanted = { ...filterOf(filter), replayed: replayed ? true : notReplayed ? false : undefined };
          return operator.gateway.listDeadLetters({ filter: wanted, pageSize, pageToken }, calling(operator));
        },
      ),
    );
  letters
    .command('show')
    .description('show a dead letter with its content as JSON, without secrets')
    .argument('<id>', 'id of the dead letter')
    .action((id: string) =>
      asOperator(async (operator: Operator) => {
        const { deadLetter, dataJson, decodeError } = await operator.gateway.getDeadLetter({ id }, calling(operator));
        return { ...deadLetter, data: dataJson === undefined ? undefined : (JSON.parse(dataJson) as unknown), decodeError };
      })({}),
    );
  filtered(
    letters
      .command('replay')
      .description(
        'let the service that could not handle them handle one dead letter, or all of a filter that were not replayed, as it handles every event',
      ),
  )
    .argument('[id]', 'id of the dead letter')
    .option('--all', 'all that were not replayed, of all services')
    .requiredOption('--reason <text>', 'reason, for the log')
    .action(async (id: string | undefined, { reason, all = false, ...options }: FilterOptions & { reason: string; all?: boolean }) => {
      const isFiltered = all || Object.values(options).some((value) => value !== undefined);
      if ((id === undefined) !== isFiltered) {
        throw new InvalidArgumentError('Give the id of a dead letter, a filter (--service, --type, --organization), or --all.');
      }
      await asOperator((operator: Operator) => replay(operator, { id, filter: id === undefined ? filterOf(options) : undefined }, reason))(
        {},
      );
    });
}

interface FilterOptions {
  readonly service?: string;
  readonly type?: string;
  readonly organization?: string;
}

interface ListOptions {
  readonly replayed?: boolean;
  readonly notReplayed?: boolean;
  readonly limit: number;
  readonly pageToken: string;
}

const filtered = (command: Command) =>
  command
    .addOption(new Option('--service <name>', 'only of this service').choices(CONSUMERS))
    .option('--type <type>', 'only events of this type, such as DeliveryChanged')
    .option('--organization <id>', 'only of this organization');

const filterOf = ({ service, type, organization: organizationId }: FilterOptions): DeadLetterFilter => ({ service, type, organizationId });

const calling = (operator: Operator) => ({ ...operator.as(), timeoutMs: TIMEOUT_MS });

/** @throws Reported unless every event was handled */
async function replay(operator: Operator, which: Pick<ReplayDeadLettersRequest, 'id' | 'filter'>, reason: string): Promise<unknown> {
  const replayed: DeadLetter[] = [];
  for (let remaining = 1; remaining > 0;) {
    const page = await operator.gateway.replayDeadLetters({ ...which, reason }, calling(operator));
    replayed.push(...page.deadLetters);
    remaining = page.remaining;
  }
  const results = Object.groupBy(replayed, ({ replayResult = '' }) => replayResult);
  const report = {
    counts: Object.fromEntries(Object.entries(results).map(([result, all = []]) => [result, all.length])),
    deadLetters: replayed,
  };
  const left = replayed.filter(({ replayResult }) => replayResult !== 'handled').length;
  if (left > 0) throw new Reported(report, `${left} of ${replayed.length} events were not handled: see replay_result of each.`);
  return report;
}
