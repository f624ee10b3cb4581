import type { Request } from 'express';

/** Whether a browser sent the request. Programs get JSON, including those without an Accept header. */
export const wantsPage = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';
