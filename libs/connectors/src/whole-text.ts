import { z } from 'zod';

/**
 * Text that can be stored and returned as it came, and that platforms publish: half of a surrogate pair cannot, NUL none of them does. The base of all text
 * that callers give: captions and titles at the door, options by their schema.
 */
export const wholeText = () =>
  z
    .string()
    .refine((value) => value.isWellFormed(), 'contains an unpaired surrogate')
    .refine((value) => !value.includes('\0'), 'contains a NUL character');

/** One line with something to see in it, of at most `max` UTF-16 units without the blanks around it, which are not sent. */
export const line = (max: number) =>
  wholeText()
    .refine((value) => !hasControl(value), 'contains a line break or another control character')
    .trim()
    .min(1)
    .max(max);

/** The same, of any number of lines. */
export const lines = (max: number) =>
  wholeText()
    .refine((value) => !hasControl(value.replace(/[\n\r\t]/g, '')), 'contains a control character')
    .trim()
    .min(1)
    .max(max);

/** An address that people can be sent to. */
export const webAddress = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2048)
    .refine((value) => value.isWellFormed(), 'contains an unpaired surrogate')
    // Browsers leave some of them out, and platforms refuse them.
    .refine((value) => !/\p{Cc}/u.test(value), 'contains a control character');

/** The answers of a poll, in which each can be told from the others. */
export const pollAnswers = ({ most, maxLength }: { readonly most: number; readonly maxLength: number }) =>
  z
    .array(line(maxLength))
    .min(2)
    .max(most)
    .superRefine((answers, context) => {
      answers.forEach((answer, index) => {
        if (answers.indexOf(answer) < index) context.addIssue({ code: 'custom', path: [index], message: 'is a duplicate' });
      });
    });

/** NUL has words of its own. */
const hasControl = (value: string) => /\p{Cc}/u.test(value.replaceAll('\0', ''));
