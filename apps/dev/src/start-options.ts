import { statSync } from 'node:fs';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';

export interface StartOptions {
  /** Undefined: the built-in one. */
  readonly caption: string | undefined;
  /** An absolute path. */
  readonly image: string | undefined;
  readonly demo: boolean;
  readonly fresh: boolean;
  readonly port: number | undefined;
  /** Moves every port that is not set by itself. */
  readonly portOffset: number;
}

/** What each means is said in `help/start.txt`, which bootstrap.mjs shows before there are packages. */
export const startCommand = () =>
  new Command('npm start --')
    .option('--caption <text>')
    .option('--image <file>', '', existingFile)
    .option('--no-demo')
    .option('--fresh', '', false)
    .option('--port <number>', '', portNumber)
    .option('--port-offset <number>', '', portOffset, 0);

/** Prints what is wrong, and ends the process where the arguments ask for it. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const command = startCommand()
    .helpOption(false)
    .allowExcessArguments(true)
    .showHelpAfterError('(npm start -- --help shows every option)')
    .parse([...args], { from: 'user' });
  const options = command.opts<StartOptions>();
  if (command.args.length > 0 || keptByNpm()) {
    command.error('error: Options stand behind two dashes, else npm keeps them: npm start -- --caption "…" --image photo.jpg');
  }
  if (!options.demo && (options.caption ?? options.image) !== undefined) {
    command.error('error: --no-demo publishes nothing, so it cannot stand beside --caption or --image.');
  }
  return options;
}

/** npm takes what stands before the dashes for its own settings, and hands those to us in the environment. */
function keptByNpm(): boolean {
  return ['caption', 'image', 'demo', 'fresh', 'port', 'port_offset'].some((name) => process.env[`npm_config_${name}`] !== undefined);
}

function existingFile(value: string): string {
  // npm runs us in the repository's root; a relative path is meant from where the command was typed.
  const file = path.resolve(process.env['INIT_CWD'] ?? '.', value);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new InvalidArgumentError(`There is no file ${file}.`);
  return file;
}

function portNumber(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError('It must be a number from 1 to 65535.');
  return port;
}

function portOffset(value: string): number {
  const offset = Number(value);
  if (!Number.isInteger(offset) || offset < 0) throw new InvalidArgumentError('It must be a whole number from 0.');
  return offset;
}
