import { z } from 'zod';

const fieldError = z
  .object({ param: z.string().meta({ description: 'Dotted path.' }), code: z.string(), detail: z.string() })
  .meta({ id: 'FieldError' });

/** How every error looks (RFC 9457, with members of our own). */
export const problem = z
  .object({
    type: z.string().meta({ format: 'uri', description: 'A page that explains the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    instance: z.string().meta({ description: 'The path that was asked for.' }),
    request_id: z.string().meta({ description: 'Quote it when you ask for help.' }),
    param: z.string().optional().meta({ description: 'The offending parameter.' }),
    errors: z.array(fieldError).optional().meta({ description: 'Every problem, where there may be several.' }),
  })
  .meta({ id: 'Problem' });

/** The same, for callers whose Accept names application/json and not application/problem+json. */
export const problemEnvelope = z.object({ error: problem }).meta({ id: 'ProblemEnvelope' });
