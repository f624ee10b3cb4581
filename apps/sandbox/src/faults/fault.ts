import { z } from 'zod';
import { simulatedNames } from '../simulated.ts';

const ms = z
  .number()
  .int()
  .min(0)
  .max(24 * 3600 * 1000);
const when = z.enum(['before', 'after']).default('before');

const kind = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('status'),
    status: z.number().int().min(200).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).default({}),
    apply: when,
  }),
  z.strictObject({ type: z.literal('delay'), ms }),
  z.strictObject({ type: z.literal('drop') }),
  z.strictObject({ type: z.literal('accept_then_drop') }),
  z.strictObject({ type: z.literal('accept_then_timeout'), ms: ms.optional() }),
  z.strictObject({ type: z.literal('hold') }),
  z.strictObject({ type: z.literal('hold_after') }),
  z.strictObject({ type: z.literal('slow_processing'), ms }),
  z.strictObject({ type: z.literal('processing_error'), code: z.number().int().optional(), message: z.string().min(1).optional() }),
  z.strictObject({ type: z.literal('revoked_token') }),
  z.strictObject({ type: z.literal('html'), status: z.number().int().min(200).max(599).default(502), apply: when }),
  z.strictObject({ type: z.literal('truncate') }),
]);

/** The body of `POST /_control/faults`. */
export const faultRequest = z.strictObject({
  platform: z.enum(simulatedNames),
  call: z.union([
    z.string().min(1),
    z.strictObject({ method: z.string().min(1).toUpperCase().optional(), path: z.string().startsWith('/') }),
  ]),
  times: z.number().int().min(1).nullable().default(1),
  /** How many calls that match pass first. */
  after: z.number().int().min(0).default(0),
  fault: kind,
});

export type FaultRequest = z.infer<typeof faultRequest>;
export type FaultKind = z.infer<typeof kind>;
