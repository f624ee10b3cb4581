import { z } from 'zod';

const fieldError = z
  .object({ param: z.string().meta({ description: 'Dotted path.' }), code: z.string(), detail: z.string() })
  .meta({ id: 'FieldError' });

/** How every error looks (RFC 9457, with members of our own). */
export const problem = z
  .object({
    type: z.string().meta({ format: 'uri', description: 'A page that explains the code.' }),
    title: z.string().meta({ description: 'The same for every error of this code.' }),
    status: z.int().meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What is wrong with this request, for people.' }),
    code: z.string().meta({ description: 'What is wrong, for programs. New codes may appear: treat an unknown one by its status.' }),
    instance: z.string().meta({ description: 'The path that was asked for.' }),
    request_id: z.string().meta({ description: 'Quote it when you ask for help.' }),
    param: z.string().optional().meta({ description: 'The offending parameter: a dotted path, or the name of a header.' }),
    errors: z.array(fieldError).optional().meta({ description: 'Every problem, where there may be several.' }),
    window: z.string().optional().meta({
      description: 'With rate_limit_exceeded: minute, day or week; sign_in, mail or invitation, where tries cost growing waits.',
    }),
    limit_of: z.string().optional().meta({
      description: 'With rate_limit_exceeded of a minute, a day or a week: key, organization (all of its keys together), user or address.',
    }),
    quota: z.string().optional().meta({ description: 'With rate_limit_exceeded: storage_bytes or storage_files, where storage is full.' }),
    reconnect_url: z
      .string()
      .optional()
      .meta({ format: 'uri', description: 'With SOCIAL_TOKEN_EXPIRED: where to connect the account again.' }),
  })
  .meta({ id: 'Problem' });

/** The same, for callers whose Accept names application/json and not application/problem+json. */
export const problemEnvelope = z.object({ error: problem }).meta({ id: 'ProblemEnvelope' });
