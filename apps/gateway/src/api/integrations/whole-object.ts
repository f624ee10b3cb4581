import { wholeText } from '@fanfare/connectors/preflight';
import { z } from 'zod';

/** An object whose schema only the service knows. Rejects text that would not reach the service unchanged, at any depth. */
export const wholeObject = () =>
  z.record(z.string().max(100), z.unknown()).superRefine((object, context) => {
    const text = wholeText();
    const open: { path: string[]; value: unknown }[] = [{ path: [], value: object }];
    for (let one = open.pop(); one; one = open.pop()) {
      const { path, value } = one;
      const texts = [...path.slice(-1), ...(typeof value === 'string' ? [value] : [])];
      const message = texts.map((each) => text.safeParse(each).error?.issues[0]?.message).find((found) => found !== undefined);
      if (message !== undefined) context.addIssue({ code: 'custom', path, message, input: value });
      else if (typeof value === 'object' && value !== null) {
        open.push(...Object.entries(value).map(([name, member]) => ({ path: [...path, name], value: member as unknown })));
      }
    }
  });
