import { type Version } from '@fanfare/resources';
import { newId } from '@fanfare/runtime';
import type { Response } from 'express';
import type { Caller } from '../../accounts/index.ts';

/** What is known of a request so far; each step that handles it adds to it. */
export interface RequestState {
  requestId: string;
  flowId: string;
  /** The path's template: metrics must not carry ids. */
  route: string;
  version: Version;
  caller?: Caller;
  /** The response is a page for a browser; errors are pages too. */
  isPage?: boolean;
  /** The request waits for events: its duration says nothing about the speed. */
  waits?: boolean;
  /** The organization that the request is about, once it is known. */
  organizationId?: string;
}

export const stateOf = (response: Response): RequestState => response.locals as RequestState;

export const newRequestId = (): string => `req_${newId()}`;
