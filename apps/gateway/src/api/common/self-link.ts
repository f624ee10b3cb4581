import { z } from 'zod';

/** Added by the pipeline if the route has `self`; handlers omit it. */
export const selfLink = () =>
  z.string().optional().meta({
    format: 'uri',
    description: 'The absolute URL of this resource. From version 2026-07-17, in single reads, updates and pages.',
  });
