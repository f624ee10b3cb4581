import { DomainError } from '@fanfare/errors';

export const disabled = (): DomainError => new DomainError('conflict', 'The webhook endpoint is disabled. Enable it first.');
