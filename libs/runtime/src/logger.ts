import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Members that never reach a log, wherever a careless caller puts them. */
const SECRET_MEMBERS = [
  'authorization',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
  'client_secret',
  'clientSecret',
  'api_key',
  'apiKey',
  'password',
  'code',
];

/** A JSON logger. Every line carries the process's name; add ids with `child`. */
export function createLogger(service: string, level = 'info'): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: SECRET_MEMBERS.flatMap((name) => (name === 'code' ? ['body.code', 'query.code'] : [name, `*.${name}`, `*.*.${name}`])),
      censor: '[secret]',
    },
  });
}
