import type { ContentServiceService } from '@fanfare/contracts/content';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** A handler of one method of the content service. */
export type Rpc<M extends keyof typeof ContentServiceService> = (context: Context) => Handlers<typeof ContentServiceService>[M];
