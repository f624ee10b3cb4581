import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { z } from 'zod';

/** A mistake in a control call; its message is for the developer who made it. */
export class ControlError extends Error {
  readonly status: number;
  readonly problems: { path: string; message: string }[];

  constructor(status: number, message: string, problems: { path: string; message: string }[] = []) {
    super(message);
    this.status = status;
    this.problems = problems;
  }
}

/** The validated value, or a 400 that names every problem. */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  throw new ControlError(400, problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; '), problems);
}

const unknownPath: RequestHandler = (request) => {
  throw new ControlError(404, `There is no control operation ${request.method} ${request.originalUrl}`);
};

const handler: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const known =
    error instanceof ControlError ? error : new ControlError(statusOf(error), error instanceof Error ? error.message : String(error));
  response.status(known.status).json({ error: { message: known.message, problems: known.problems } });
};

const statusOf = (error: unknown) => (error as { status?: number } | null)?.status ?? 500;

export const controlErrors = { unknownPath, handler };
