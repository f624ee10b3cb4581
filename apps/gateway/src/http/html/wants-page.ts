import type { Request } from 'express';

/** Whether a person's browser asks. Programs get JSON, also those that say nothing of what they want. */
export const wantsPage = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';
