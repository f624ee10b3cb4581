import { DomainError } from '@fanfare/errors';

/**
 * An error that depends on the request alone, so that the same request always gets it. Only such errors are stored and replayed. All others may be
 * temporary, even those that do not look so: a resource that is not found may be created later.
 */
export class ReplayableProblem extends DomainError {}
