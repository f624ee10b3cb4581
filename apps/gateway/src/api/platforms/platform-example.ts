import type { z } from 'zod';
import { everyPlatform, type platform } from './platform.ts';

/** The shortest that says most. */
export const examplePlatform: z.input<typeof platform> = everyPlatform([]).find(({ name }) => name === 'pinterest') ?? missing();

function missing(): never {
  throw new Error('Pinterest is unavailable.');
}
