/**
 * Errors in BRC-100 format: number, name, message, and additional fields for some names. The numbers are those of
 * `walletErrors` in @bsv/sdk.
 */
import { ERROR_NAMES } from './error-names.ts';
import { ERRORS, toWireError, type ErrorCode } from '../errors/service-error.ts';

/** BRC-100 error numbers. 1 is used for every error without its own number. */
export const WALLET_ERRORS = {
  unknownError: 1,
  unsupportedAction: 2,
  invalidHmac: 3,
  invalidSignature: 4,
  reviewActions: 5,
  invalidParameter: 6,
  insufficientFunds: 7,
} as const;

export interface Brc100ErrorForm {
  code: (typeof WALLET_ERRORS)[keyof typeof WALLET_ERRORS];
  name: string;
  description: string;
  /** This project's stable error code (docs/errors.md), if there is one. */
  reason?: ErrorCode;
  /** Additional fields of some errors, such as `parameter`. */
  [extra: string]: unknown;
}

/** An error that BRC-100's numbers and fields describe better than our own codes do. */
export class Brc100Error extends Error {
  readonly form: Brc100ErrorForm;

  constructor(form: Brc100ErrorForm) {
    super(form.description);
    this.name = form.name;
    this.form = form;
  }
}

/**
 * Returns the error "The … parameter must be …".
 * @param mustBe the end of the sentence, as in the reference implementation
 */
export function invalidParameter(parameter: string, mustBe = 'valid.'): Brc100Error {
  return new Brc100Error({
    code: WALLET_ERRORS.invalidParameter,
    name: 'WERR_INVALID_PARAMETER',
    description: `The ${parameter} parameter must be ${mustBe}`,
    parameter,
  });
}

/** Returns the error for a method or option that this wallet doesn't support. */
export function unsupported(what: string): Brc100Error {
  return new Brc100Error({
    code: WALLET_ERRORS.unsupportedAction,
    name: 'WERR_NOT_IMPLEMENTED',
    description: `This wallet doesn’t support ${what}.`,
  });
}

/** This project's error codes that have a BRC-100 number. */
const OWN_NUMBER: Partial<Record<ErrorCode, Pick<Brc100ErrorForm, 'code' | 'name'>>> = {
  'unsupported-method': { code: WALLET_ERRORS.unsupportedAction, name: 'WERR_NOT_IMPLEMENTED' },
  'insufficient-funds': { code: WALLET_ERRORS.insufficientFunds, name: 'WERR_INSUFFICIENT_FUNDS' },
  'amount-too-many-coins': { code: WALLET_ERRORS.insufficientFunds, name: 'WERR_INSUFFICIENT_FUNDS' },
};
/** Converts any error to BRC-100 format. Unknown errors become `WERR_INTERNAL` without their message. */
export function toBrc100Error(error: unknown): Brc100ErrorForm {
  if (error instanceof Brc100Error) return error.form;
  const { code, message } = toWireError(error);
  const { code: number, name } = OWN_NUMBER[code] ?? {
    code: WALLET_ERRORS.unknownError,
    name: ERROR_NAMES[ERRORS[code].blame],
  };
  return { code: number, name, description: message, reason: code };
}
