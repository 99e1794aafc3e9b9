/**
 * Limits password attempts by a person at the keyboard: one at a time, with growing delays after several wrong ones.
 * The count is kept only in memory. Anyone who can restart the worker can also read the sealed vault from disk, where
 * only the PBKDF2 iterations protect it.
 */
import { ServiceError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import { part, type Wallet } from '../platform.ts';

/** Number of consecutive wrong attempts allowed without a delay. */
const FREE = 5;
/** First delay (seconds), doubled after each additional wrong attempt. */
const FIRST_WAIT_SECONDS = 2;
const MAX_WAIT_SECONDS = 60;

/** Errors that count as wrong attempts, including a passkey that doesn't open the wallet. */
const WRONG = new Set<ErrorCode>(['wrong-password', 'wrong-passkey']);

const memoryOf = part(() => ({
  wrong: 0,
  notBefore: 0,
  turn: Promise.resolve() as Promise<unknown>,
}));

/**
 * Attempts to open the wallet with a password or a passkey.
 * @param open throws if the password or passkey is wrong
 * @throws ServiceError `too-many-requests` (during a delay; `open` isn't called), and any error from `open`
 */
export function tryPassword<T>(wallet: Wallet, open: () => Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  const mine = memory.turn.then(async () => {
    const left = Math.ceil((memory.notBefore - wallet.now()) / 1000);
    // If more than the maximum is left, the clock was set back.
    if (left > 0 && left <= MAX_WAIT_SECONDS)
      throw new ServiceError('too-many-requests', {
        message: `That was wrong ${memory.wrong} times. Wait ${left} ${left === 1 ? 'second' : 'seconds'} and try again.`,
      });
    try {
      const opened = await open();
      memory.wrong = 0;
      return opened;
    } catch (error) {
      if (error instanceof ServiceError && WRONG.has(error.code)) noteWrong(wallet);
      throw error;
    }
  });
  memory.turn = mine.catch(() => undefined);
  return mine;
}

function noteWrong(wallet: Wallet): void {
  const memory = memoryOf(wallet);
  memory.wrong += 1;
  if (memory.wrong >= FREE)
    memory.notBefore =
      wallet.now() + 1000 * Math.min(MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** (memory.wrong - FREE));
}
