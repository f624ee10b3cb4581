import { deadlineIn } from '@fanfare/runtime';
import type { Connector, State, Step } from '../../src/connector.ts';
import { aCall } from '../a-content.ts';
import type { Flow } from './flow.ts';
import { scriptedPlatform } from '../scripted-platform/scripted-platform.ts';

export interface Taken {
  readonly step: Step;
  readonly before: State;
  /** Requests that it sent. */
  readonly requests: number;
}

/** Goes the whole way of a flow, the state going through JSON as it does through the database, and keeps what was written down before each step. */
export async function walk(
  connector: Connector,
  { content, responses, login, from = {} }: Pick<Flow, 'content' | 'responses' | 'login' | 'from'>,
) {
  const platform = await scriptedPlatform(responses);
  try {
    const call = aCall(platform.client.http(connector.platform, deadlineIn(10_000)), undefined, login);
    const taken: Taken[] = [];
    let state = from;
    for (;;) {
      const next = connector.publish.next(content, deepFrozen(state));
      if ('published' in next) return { taken, published: next.published, received: platform.received };
      const sent = platform.received.length;
      const result = await next.step.run(call);
      taken.push({ step: next.step, before: state, requests: platform.received.length - sent });
      state = JSON.parse(JSON.stringify(result.state)) as State;
    }
  } finally {
    await platform.close();
  }
}

type Walked = ReturnType<typeof walk>;
const walked = new WeakMap<Flow, Walked>();

/** All steps of a flow as it is, carried out once in a test file: videos are sent in full. */
export function walkOnce(connector: Connector, flow: Flow): Walked {
  const known = walked.get(flow) ?? walk(connector, flow);
  walked.set(flow, known);
  return known;
}

export async function commitOf(connector: Connector, flow: Flow): Promise<Taken> {
  const { taken } = await walkOnce(connector, flow);
  const commit = taken.find(({ step }) => step.kind === 'commit');
  if (!commit) throw new Error('no commit');
  return commit;
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen);
  return value;
}
