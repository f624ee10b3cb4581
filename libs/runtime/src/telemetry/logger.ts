import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { withSourceLocations } from './source-locations.ts';

export type Logger = PinoLogger;

/** Members whose value is never logged, however deep they are and however they are spelled. */
const SECRET_MEMBERS = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'code_verifier',
  'api_key',
  'password',
  'secret',
  'token',
];

/** A member of that name in a line of JSON, with a string or a flat list as its value: `accessToken`, `access_token` and `access-token` alike. */
const SECRET = new RegExp(
  String.raw`"(${SECRET_MEMBERS.map((name) => name.replace(/[_-]/g, '[_-]?')).join('|')})":(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])`,
  'gi',
);

/**
 * A JSON logger. Every line has the process's name; add ids with `child`.
 * @param destination where the lines go; by default standard output
 */
export function createLogger(service: string, level = 'info', destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
      // Masked in the finished line, because pino's own redaction uses paths of a fixed depth, and errors contain whole requests deep inside.
      hooks: { streamWrite: (line) => line.replace(SECRET, '"$1":"[secret]"') },
    },
    // Synchronous, so that the last lines of a process are neither lost nor out of order.
    destination ?? pino.destination({ dest: 1, sync: true }),
  );
}

function serializeError(error: Error): unknown {
  const serialized = pino.stdSerializers.err(error);
  if (typeof serialized?.stack === 'string') serialized.stack = withSourceLocations(serialized.stack);
  return serialized;
}
