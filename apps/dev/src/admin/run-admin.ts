import { CommanderError } from 'commander';
import { adminCommand } from './admin-command.ts';

const FAILED = 1;
const USAGE = 2;

/**
 * Runs an operator's command. Its result goes to standard output as JSON, an error to standard error as one line of JSON.
 * @returns the exit code: 0; 1 if it failed; 2 if the arguments are invalid
 */
export async function runAdmin(args: readonly string[]): Promise<number> {
  try {
    await adminCommand().parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) return report(error as Error, FAILED);
    // Requested help is not a failure; help that commander shows for a missing command is.
    return error.exitCode === 0 ? 0 : report({ message: usageProblem(error), code: 'usage' }, USAGE);
  }
}

/** The option for a cursor is `--page-token`. */
function report({ message, code, param }: { message: string; code?: string; param?: string }, exitCode: number): number {
  console.error(JSON.stringify({ error: { code, detail: message, param: param === 'cursor' ? 'page_token' : param } }));
  return exitCode;
}

function usageProblem({ code, message }: CommanderError): string {
  const problem =
    code === 'commander.help'
      ? 'A command is missing.'
      : message
          .replace(/^error: /, '')
          .replaceAll('\n', ' ')
          .replace(/[^.?!]$/, '$&.');
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)} Run the command with --help to see its options.`;
}
