/**
 * Password attempts, one at a time and with growing delays after several wrong ones in a row, against someone at the
 * keyboard. The count is only in memory: anyone who can restart the worker can also read the sealed vault from the
 * disk, where only the rounds of the seal protect it.
 */
import { ServiceError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import { part, type Wallet } from '../platform.ts';

/** Wrong attempts in a row without a delay. */
const FREE = 5;
/** The first delay, which doubles with every further wrong attempt, and the longest (seconds). */
const FIRST_WAIT = 2;
const LONGEST_WAIT = 60;

/** Errors that count: a passkey that doesn't open the wallet is as wrong as a password. */
const WRONG = new Set<ErrorCode>(['wrong-password', 'wrong-passkey']);

const memoryOf = part(() => ({
  wrong: 0,
  notBefore: 0,
  turn: Promise.resolve() as Promise<unknown>,
}));

/**
 * Tries a password or a passkey.
 * @param open throws if it is wrong
 * @throws ServiceError `too-many-requests` (the wait is not over: `open` was not called), and any error of `open`
 */
export function tryPassword<T>(wallet: Wallet, open: () => Promise<T>): Promise<T> {
  const memory = memoryOf(wallet);
  const mine = memory.turn.then(async () => {
    const left = Math.min(LONGEST_WAIT, Math.ceil((memory.notBefore - wallet.now()) / 1000));
    if (left > 0)
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
    memory.notBefore = wallet.now() + 1000 * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (memory.wrong - FREE));
}
