import { eventFromProto, typesMatching } from '@fanfare/resources';
import type { Operator } from '@fanfare/stack';
import { InvalidArgumentError, type Command } from 'commander';
import { asOperator } from './operator/as-operator.ts';
import { largeCount } from './values/counts.ts';

/** How long a call waits for an event, and longer than that for its response. */
const WAIT_MS = 20_000;
const TIMEOUT_MS = 30_000;

/** The feeds of organizations. */
export function eventCommands(admin: Command): void {
  admin
    .command('events')
    .description('what happens in an organization')
    .command('tail')
    .description('print events as they happen, as callers see them, one line of JSON each, until you press Ctrl-C')
    .requiredOption('--organization <id>', 'the organization')
    .option('--types <types>', 'only these types, separated by commas, such as post.*,integration.expired', typeNames)
    .option(
      '--after <sequence>',
      'begin after the event with this sequence; 0 for the oldest that is kept (default: with new events)',
      largeCount,
    )
    .option('--count <number>', 'stop after this many', largeCount)
    .action(asOperator(tail));
}

interface TailOptions {
  readonly organization: string;
  readonly types?: string[];
  readonly after?: number;
  readonly count?: number;
}

async function tail(
  operator: Operator,
  { organization: organizationId, types = [], after: begin, count = Infinity }: TailOptions,
): Promise<void> {
  await operator.gateway.getOrganization({ organizationId }, operator.as());
  const filter = { types, businessId: undefined, limit: 100 };
  // The oldest event that is kept need not be the first.
  let after = begin === 0 ? undefined : begin;
  for (let isFromNow = begin === undefined, left = count; left > 0; isFromNow = false) {
    const request = { ...filter, after, isFromNow, waitMs: WAIT_MS };
    const { events, nextAfter } = await operator.webhooks.listEvents(request, {
      ...operator.as({ organizationId }),
      timeoutMs: TIMEOUT_MS,
    });
    for (const event of events.slice(0, left)) console.log(JSON.stringify(eventFromProto(event)));
    left -= events.length;
    after = nextAfter;
  }
}

function typeNames(value: string): string[] {
  return value.split(',').flatMap((pattern) => {
    const names = typesMatching(pattern.trim());
    if (names.length === 0) throw new InvalidArgumentError(`"${pattern}" is no event type, and no pattern such as post.*.`);
    return names;
  });
}
