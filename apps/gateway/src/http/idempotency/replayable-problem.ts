import { DomainError } from '@fanfare/errors';

/**
 * A problem of the request alone: whatever becomes of everything else, this request will always be refused so. Nothing was asked or changed for
 * it. Only such problems are kept for repeats; all others may pass, also those that look as if they would not (a resource that is not there may be
 * made).
 */
export class ReplayableProblem extends DomainError {}
