import { eraser } from '@fanfare/erasure';
import { eraseSteps } from '../erasure/store/erase-steps.ts';
import type { Rpc } from './rpc.ts';

export const erase: Rpc<'erase'> = (readers) => eraser(readers.db, eraseSteps(readers));
