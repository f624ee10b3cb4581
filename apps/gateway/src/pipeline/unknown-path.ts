import { DomainError } from '@fanfare/errors';
import type { RequestHandler } from 'express';

export const unknownPath: RequestHandler = () => {
  throw new DomainError('resource_not_found', 'There is nothing at this path.');
};
