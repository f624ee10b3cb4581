import { z } from 'zod';

/**
 * Text that can be stored and returned unchanged and that platforms publish: without unpaired surrogates and NUL. The base of all text
 * from callers: captions and titles in the gateway, options in their schema.
 */
export const wholeText = () =>
  z
    .string()
    .refine((value) => value.isWellFormed(), 'contains an unpaired surrogate')
    .refine((value) => !value.includes('\0'), 'contains a NUL character');

/** One line that is not blank, of at most `max` UTF-16 units after trimming; the trimmed text is sent. */
export const line = (max: number) =>
  wholeText()
    .refine((value) => !hasControl(value), 'contains a line break or another control character')
    .trim()
    .min(1)
    .max(max);

/** The same, with any number of lines. */
export const lines = (max: number) =>
  wholeText()
    .refine((value) => !hasControl(value.replace(/[\n\r\t]/g, '')), 'contains a control character')
    .trim()
    .min(1)
    .max(max);

/** A URL that people can be sent to. */
export const webAddress = () =>
  z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(2048)
    .refine((value) => value.isWellFormed(), 'contains an unpaired surrogate')
    // Browsers remove some of them, and platforms reject them.
    .refine((value) => !/\p{Cc}/u.test(value), 'contains a control character');

/** The responses of a poll, all different. */
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

/** NUL has its own message. */
const hasControl = (value: string) => /\p{Cc}/u.test(value.replaceAll('\0', ''));
