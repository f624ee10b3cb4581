import type { RequestHandler } from 'express';
import description from '../../openapi.json' with { type: 'json' };

const body = JSON.stringify(description);

/** Serves the committed description; a test holds it against the route table, so that the generator need not be loaded here. */
export const serveOpenApi: RequestHandler = (_request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(body);
};
