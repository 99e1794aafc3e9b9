/** For tests alone: the wallet's errors as they reach the button. */
import { ServiceError, toPageError, type ErrorCode } from '../protocol/errors.ts';
import { paymentError } from './payment-error.ts';

/** The error of a code, with the meaning that the wallet gives it. */
export const walletError = (code: string, message = '') =>
  paymentError(toPageError(new ServiceError(code as ErrorCode, { message })));
