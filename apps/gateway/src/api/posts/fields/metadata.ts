import type { MetadataEntry } from '@fanfare/contracts/content';
import { z } from 'zod';

const MAX_KEYS = 200;
const MAX_KEY = 256;
const MAX_VALUE = 65_536;

/**
 * The caller's keys and values, unchanged. Any string may be a key, but zod's records drop `__proto__`. So the pairs are read into a list, where no key
 * is special.
 */
export const metadataInput = () =>
  z
    .unknown()
    .transform((given, context): MetadataEntry[] => {
      const report = (message: string, path: string[] = [], input: unknown = given) =>
        context.addIssue({ code: 'custom', message, path, input });
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        report('must be an object of strings');
        return z.NEVER;
      }
      const entries = Object.entries(given as Record<string, unknown>);
      if (entries.length > MAX_KEYS) {
        report(`has more than ${MAX_KEYS} keys`);
        return z.NEVER;
      }
      for (const [key, value] of entries) {
        if (key.length > MAX_KEY) report(`is a key of more than ${MAX_KEY} characters`, [key], value);
        if (typeof value !== 'string') report('must be a string', [key], value);
        else if (value.length > MAX_VALUE) report(`is longer than ${MAX_VALUE} characters`, [key], value);
        else if (!value.isWellFormed() || !key.isWellFormed()) report('contains an unpaired surrogate', [key], value);
      }
      return entries.map(([key, value]) => ({ key, value: value as string }));
    })
    .meta({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: MAX_VALUE },
      maxProperties: MAX_KEYS,
      description: 'Your own keys and string values. They are stored and returned unchanged.',
      example: { campaign: 'spring' },
    });
