import { z } from 'zod';

/** RFC 5321, 4.5.3.1.3. */
const MAX_LENGTH = 254;
const address = z.email().max(MAX_LENGTH);

/** The normalized form in which addresses are stored; undefined if the text is not an email address. */
export function normalizeEmail(text: string): string | undefined {
  const normalized = text.trim().toLowerCase();
  return address.safeParse(normalized).success ? normalized : undefined;
}

/** An email address in a request body, normalized. */
export const emailInput = () =>
  z
    .string()
    .max(MAX_LENGTH + 50)
    .transform((text, context) => {
      const normalized = normalizeEmail(text);
      if (normalized !== undefined) return normalized;
      context.addIssue({ code: 'custom', message: 'must be an email address' });
      return z.NEVER;
    })
    .meta({ format: 'email', maxLength: MAX_LENGTH, example: 'ada@example.com' });
