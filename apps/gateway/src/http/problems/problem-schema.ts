import { z } from 'zod';

const fieldError = z
  .object({ param: z.string().meta({ description: 'The dotted path of the field.' }), code: z.string(), detail: z.string() })
  .meta({ id: 'FieldError' });

/** The body of every error (RFC 9457, with additional members). */
export const problem = z
  .object({
    type: z.string().meta({ format: 'uri', description: 'The URL of a page that explains the code.' }),
    title: z.string().meta({ description: 'A short text, the same for every error with this code.' }),
    status: z.int().meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({ description: 'What is wrong with this request, in words.' }),
    code: z.string().meta({ description: 'The error code, for programs. New codes may be added: handle unknown codes by their status.' }),
    instance: z.string().meta({ description: 'The path of the request.' }),
    request_id: z.string().meta({ description: 'Include it when you contact support.' }),
    param: z.string().optional().meta({ description: 'The offending parameter: a dotted path, or the name of a header.' }),
    errors: z.array(fieldError).optional().meta({ description: 'All problems, if there can be several.' }),
    window: z.string().optional().meta({
      description:
        'With rate_limit_exceeded: minute, day or week; or sign_in, mail or invitation, where each attempt makes the wait longer.',
    }),
    limit_of: z.string().optional().meta({
      description: 'With rate_limit_exceeded of a minute, a day or a week: key, organization (all of its keys together), user or address.',
    }),
    quota: z.string().optional().meta({ description: 'With rate_limit_exceeded: storage_bytes or storage_files, if the storage is full.' }),
    reconnect_url: z.string().optional().meta({ format: 'uri', description: 'With SOCIAL_TOKEN_EXPIRED: where to reconnect the account.' }),
  })
  .meta({ id: 'Problem' });

/** The same in an envelope, for requests whose Accept names application/json but not application/problem+json. */
export const problemEnvelope = z.object({ error: problem }).meta({ id: 'ProblemEnvelope' });
