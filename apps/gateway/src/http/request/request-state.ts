import { newId } from '@fanfare/runtime';
import type { Response } from 'express';
import type { Caller } from '../../accounts/index.ts';
import type { Version } from '../versions/index.ts';

/** What is known of a request so far; filled in by the steps that it passes. */
export interface RequestState {
  requestId: string;
  flowId: string;
  /** The path's template: metrics must not carry ids. */
  route: string;
  version: Version;
  caller?: Caller;
  /** A person's browser asks for what is a page: what goes wrong is one too. */
  isPage?: boolean;
  /** Whose business or organization it is about, once that is settled. */
  organizationId?: string;
}

export const stateOf = (response: Response): RequestState => response.locals as RequestState;

export const newRequestId = (): string => `req_${newId()}`;
