import { eraser } from '@fanfare/erasure';
import { eraseSteps } from '../erasure/erase-steps.ts';
import type { Rpc } from './rpc.ts';

export const erase: Rpc<'erase'> = (context) => eraser(context.db, eraseSteps(context));
