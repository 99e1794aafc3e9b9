import { ServiceError, toPageError, type ErrorCode } from '../../protocol/errors/service-error.ts';
import { paymentError } from './payment-error.ts';

/** The error of a code, with the wallet's meaning of it. */
export const walletError = (code: string, message = '') =>
  paymentError(toPageError(new ServiceError(code as ErrorCode, { message })));
