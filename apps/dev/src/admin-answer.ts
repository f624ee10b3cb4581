import { createOperator, type AdminAddresses, type Operator } from '@fanfare/stack';
import { readDevFile } from './dev-file.ts';
import { toPublicJson } from './public-json.ts';

/** The action of a command: prints what it answers with as the API would write it. */
export function answer<O>(act: (operator: Operator, options: O) => Promise<unknown>): (options: O) => Promise<void> {
  return async (options) => {
    const operator = createOperator(addresses());
    try {
      print(await act(operator, options));
    } catch (error) {
      if (error instanceof Reported) print(error.report);
      throw error;
    } finally {
      operator.close();
    }
  };
}

/** Something is left undone: what was done is printed all the same, and the command fails. */
export class Reported extends Error {
  readonly report: unknown;

  constructor(report: unknown, message: string) {
    super(message);
    this.report = report;
  }
}

const print = (answered: unknown) => console.log(JSON.stringify(toPublicJson(answered), null, 2));

function addresses(): AdminAddresses {
  const { GATEWAY_ADMIN_ADDRESS, CONTENT_ADDRESS, PUBLISHER_ADDRESS } = process.env;
  const here = readDevFile()?.admin;
  const gateway = GATEWAY_ADMIN_ADDRESS ?? here?.gateway;
  const content = CONTENT_ADDRESS ?? here?.content;
  const publisher = PUBLISHER_ADDRESS ?? here?.publisher;
  if (!gateway || !content || !publisher) {
    throw new Error(
      'There is no platform to speak to: run npm start, or set GATEWAY_ADMIN_ADDRESS, CONTENT_ADDRESS and PUBLISHER_ADDRESS.',
    );
  }
  return { gateway, content, publisher };
}
