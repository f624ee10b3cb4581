import type { Call, Connector, Content, Published, State } from '../src/connector.ts';

export interface Run {
  readonly published: Published;
  /** `prepare:upload_photo` of every step, in order. */
  readonly steps: readonly string[];
}

/** Does what the engine does on a good day: step by step, the state going through JSON in between as it does through the database. */
export async function runToEnd({ publish }: Connector, content: Content, call: Call, from: State = {}): Promise<Run> {
  const steps: string[] = [];
  let state = from;
  for (;;) {
    const next = publish.next(content, state);
    if ('published' in next) return { published: next.published, steps };
    steps.push(`${next.step.kind}:${next.step.name}`);
    state = JSON.parse(JSON.stringify((await next.step.run(call)).state)) as State;
  }
}
