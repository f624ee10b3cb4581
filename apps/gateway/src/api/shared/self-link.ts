import { z } from 'zod';

/** Put in by the pipeline where a route says so; handlers leave it out. */
export const selfLink = () =>
  z
    .string()
    .optional()
    .meta({ format: 'uri', description: 'The absolute URL of this; from version 2026-07-17, on single reads, updates and pages.' });
