import { DomainError } from '@fanfare/errors';

interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
}

/** Each takes 32 MiB and one of the four threads of Node's pool, which file access and DNS need too. */
const AT_ONCE = 2;
/** Some seconds of work. Beyond that, rejecting a request is better than letting it wait. */
const MAX_WAITING = 64;

const hashing = () => import('better-auth/crypto');

/**
 * better-auth's hashing (scrypt, off the event loop), limited to a few at a time: a flood of sign-ins must not take the memory and the threads that other
 * requests need.
 */
export function createPasswordHashing(): PasswordHashing {
  const waiting: (() => void)[] = [];
  let running = 0;

  return {
    hash: (password) => inTurn(async () => (await hashing()).hashPassword(password)),
    verify: (given) => inTurn(async () => (await hashing()).verifyPassword(given)),
  };

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < AT_ONCE) running++;
    else await turn();
    try {
      return await work();
    } finally {
      // The slot is passed on directly, so that a new request cannot overtake those that wait.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  async function turn(): Promise<void> {
    if (waiting.length >= MAX_WAITING) {
      throw new DomainError('rate_limit_exceeded', 'Too many people are signing in right now.', {
        retryAfterSeconds: 3,
        members: { window: 'sign_in' },
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}
